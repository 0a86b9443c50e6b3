import { fieldNamed, fieldRow } from './fields.ts';
import type { QuerySubject } from './query.ts';
import { NAMED } from './query-lexer.ts';
import { END_OF_TIME, parseMoment } from './query-time.ts';
import { isFieldName } from './query-words.ts';

/**
 * The query text of command-line arguments. The shell has taken the quotes away, so an argument with spaces is one
 * term again (`ua~Mozilla 5.0`, `union select`), unless it reads as a whole query given in one argument.
 */
export function queryOfArguments(args: readonly string[], subject: QuerySubject): string {
  return args.map((arg) => requoted(arg, subject)).join(' ');
}

function requoted(arg: string, subject: QuerySubject): string {
  if (!/\s/.test(arg.trim()) || /["\u201c\u201d]/.test(arg)) return arg;
  const minus = arg.startsWith('-') ? '-' : '';
  const body = arg.slice(minus.length);
  const words = body.split(/\s+/);
  const terms = words.filter((word) => isTerm(word, subject));
  if (terms.length === 0 && words.every((word) => !word.startsWith('-'))) return `${minus}${quoted(body)}`;
  const [head = '', name = '', operator] = NAMED.exec(body) ?? [];
  if (terms.length !== 1 || terms[0] !== words[0]) return arg;
  const value = body.slice(head.length);
  // `from:2026-08-01 02:10` is one time; as two words the second would be searched for.
  if (/^(?:from|to)$/i.test(name) && parseMoment(value, END_OF_TIME).ok) return `${minus}${head}"${value}"`;
  const row = fieldRow(subject, fieldNamed(subject, name) ?? '');
  const holds = row && (operator === '~' || row.read(value).ok);
  return holds ? `${minus}${head}${quoted(value)}` : arg;
}

function isTerm(word: string, subject: QuerySubject): boolean {
  const name = NAMED.exec(word.replace(/^-/, ''))?.[1];
  return name !== undefined && isFieldName(subject, name);
}

function quoted(value: string): string {
  return `"${value.replaceAll('\\', '\\\\')}"`;
}
