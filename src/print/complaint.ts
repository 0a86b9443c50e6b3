import type { ConfigError } from '../config/config-error.ts';
import type { QueryError } from '../domain/query-text.ts';
import { sanitise } from '../text/sanitise.ts';
import { WRONG_USAGE } from './printer.ts';

/** What the user gave may have been pasted from anywhere: its escapes are shown, not sent. Gives the exit code. */
export function complain(...lines: readonly string[]): number {
  process.stderr.write(`edgescope: ${lines.map((line) => sanitise(line, 'text')).join('\n  ')}\n`);
  return WRONG_USAGE;
}

/** With a caret under what is wrong in the text. */
export function complainAt(text: string, { column, length, message, hint }: QueryError): number {
  const [before, wrong] = [text.slice(0, column), text.slice(column, column + length)];
  const [blank, mark] = [sanitise(before, 'text').length, Math.max(1, sanitise(wrong, 'text').length)];
  return complain(message, text, ' '.repeat(blank) + '^'.repeat(mark), hint);
}

export function refused(error: ConfigError): { ok: false; code: number } {
  complain(error.message, error.hint);
  return { ok: false, code: error.exit };
}

/** A reader that went away is no error of ours. */
export function writeAll(text: string): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.once('error', () => resolve());
    process.stdout.write(text, () => resolve());
  });
}
