/** Why the program cannot start as asked, in words that never quote a key. `exit`: 2 wrong usage, 3 credentials. */
export type ConfigError = { message: string; hint: string; exit: 2 | 3 };

export type Configured<T> = { ok: true; value: T } | { ok: false; error: ConfigError };

/** Environment variables, handed in by the one place that reads them. */
export type Environment = Readonly<Record<string, string | undefined>>;

export function refused(message: string, hint: string, exit: 2 | 3 = 2): { ok: false; error: ConfigError } {
  return { ok: false, error: { message, hint, exit } };
}
