import type { DatabaseSync } from 'node:sqlite';

/** SQLite's BUSY and LOCKED: another process is writing. */
const BUSY = new Set([5, 6]);

/** `wait`: how long SQLite waits for another writer, ms; it blocks this process meanwhile. */
export function openDatabase(path: string, wait: number): DatabaseSync {
  // Loaded on demand: a start without requests must not pay for it.
  const { DatabaseSync } = withoutWarning(() => process.getBuiltinModule('node:sqlite'));
  return new DatabaseSync(path, { timeout: wait });
}

export function isBusy(error: unknown): boolean {
  const code = (error as { errcode?: number }).errcode ?? 0;
  return BUSY.has(code & 0xff);
}

/** Some releases of Node 24 call the module experimental, on stderr, in the middle of the screen. */
function withoutWarning<T>(load: () => T): T {
  const emitWarning = process.emitWarning;
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    if (!String(warning).includes('SQLite')) Reflect.apply(emitWarning, process, [warning, ...rest]);
  }) as typeof process.emitWarning;
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}
