import { type CommandLine, readCommandLine } from '../config/command/command-line.ts';
import type { Query } from '../domain/query/query.ts';
import { parseQuery, windowFirst } from '../domain/query/query-text.ts';
import { parseShieldQuery } from '../domain/shield/shield-window.ts';
import { shellCommand } from '../text/shell-command.ts';
import type { AskedLine } from './tools.ts';

/** A line as the command line reads it, and as a text for a shell; null where no shell can be given it. */
type ReadLine = { ok: true; line: CommandLine; query: Query; command: string | null };

/** Whoever asks for the command line wants it, and nothing of it is printed. */
const PACKAGE = { name: 'edgescope', version: '0.0.0', description: '' };

/** What a tool asks as a command of this program, or why it is none. `now`: Unix ms. */
export function readToolCall(
  { command, operands, options = [], query: text = '' }: AskedLine,
  flags: readonly string[],
  now: number,
): ReadLine | { ok: false; why: string } {
  const asked = [command, ...operands, ...options, ...flags];
  // Which log the terms are of hangs on the rest of the line.
  const about = readCommandLine(asked, import.meta, PACKAGE);
  if (!about.ok) return { ok: false, why: about.message };
  const parsed =
    about.value.subject === 'shield' ? parseShieldQuery(text, now) : parseQuery(text, 'logs', now);
  if (!parsed.ok) {
    const { message, column, hint } = parsed.error;
    return { ok: false, why: `the query, at character ${column + 1}: ${message}; ${hint}` };
  }
  const { query } = parsed;
  const terms = windowFirst(query);
  // Behind `--` nothing is taken for an option.
  const words = [...asked, ...(terms === '' ? [] : ['--', terms])];
  const usage = readCommandLine(words, import.meta, PACKAGE);
  if (!usage.ok) return { ok: false, why: usage.message };
  return { ok: true, line: usage.value, query, command: shellCommand(['edgescope', ...words]) };
}
