import { inScreenText } from './sanitise.ts';

const DEFECTIVE = 1;

/**
 * The one way to standard error: a sentence and the lines under it. Nothing in them acts on a terminal or begins a
 * line of its own.
 */
export function say(stderr: { write(text: string): unknown }, ...lines: readonly string[]): void {
  stderr.write(`edgescope: ${lines.map(inScreenText).join('\n  ')}\n`);
}

/** The last words of a program ended by a defect, and its exit code. An error may quote anybody. */
export function sayDefect(stderr: { write(text: string): unknown }, error: unknown): number {
  const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
  say(stderr, ...`a defect ended the program: ${words}`.split('\n'));
  return DEFECTIVE;
}
