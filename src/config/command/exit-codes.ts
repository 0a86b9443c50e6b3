/** Code and meaning, as scripts rely on them. */
export const EXIT_CODES = {
  0: 'fine',
  1: 'the request failed',
  2: 'wrong usage',
  3: 'no or refused credentials',
  4: 'rate limited to the end',
  10: '--until came true, or ask --fail-if-found found something wrong',
  130: 'interrupted',
} as const;

/** Reports the exit code with which a signal ends the program. */
export function onSignal(ended: (code: number) => void): void {
  process.once('SIGINT', () => ended(130));
  process.once('SIGTERM', () => ended(143));
}
