import { width } from '../../text/fit.ts';
import { sanitise } from '../../text/sanitise.ts';
import { joined } from '../../text/units.ts';
import { DIRECTIVES, type Directive, fieldIds, fieldNamed, fieldRow } from './fields.ts';
import type { Query, QuerySubject, Term } from './query.ts';
import { type LexError, lexQuery, NAMED, type TextSpan, type Word } from './query-lexer.ts';
import {
  END_OF_TIME,
  type Moment,
  momentAt,
  parseDuration,
  parseMoment,
  printDuration,
  printMoment,
  windowOf,
} from './query-time.ts';
import {
  isFieldName,
  isPlainWord,
  missingValue,
  printTerm,
  readField,
  readText,
  refusal,
  unknownField,
} from './term-text.ts';

/** `column` is 0-based and, like `length`, in UTF-16 units; it may stand just behind the text. */
export type QueryError = { column: number; length: number; message: string; hint: string };

export type ParsedQuery = { ok: true; query: Query } | { ok: false; error: QueryError };

type WrittenWindow = { last: number | null; from: Moment | null; to: Moment | null; span: TextSpan };

/**
 * Reads a query. `now` (Unix ms) gives relative and clock times their date. The result is canonical: aliases are
 * field ids, values are as the field table writes them.
 */
export function parseQuery(text: string, subject: QuerySubject, now: number): ParsedQuery {
  const words = lexQuery(text, (name, word) => isFieldName(subject, name) || !isPlainWord(word));
  if ('message' in words) return failed(words);
  const terms: Term[] = [];
  const groupBy: string[] = [];
  const window: WrittenWindow = { last: null, from: null, to: null, span: { start: 0, end: text.length } };
  for (const [at, word] of words.entries()) {
    const directive = directiveOf(word);
    if (directive) {
      const error = readDirective(directive, word, subject, now, window, groupBy);
      if (error) return failed(error);
      continue;
    }
    const apart = timeApart(words[at - 1], word, now);
    if (apart) return failed(apart);
    const term = word.name === null ? readText(word, subject) : readField(word, subject);
    if ('message' in term) return failed(term);
    terms.push(term);
  }
  const resolved = windowOf(window, now);
  if (!resolved.ok) return failed({ ...window.span, message: resolved.message, hint: resolved.hint });
  return { ok: true, query: { terms, window: resolved.window, groupBy } };
}

/** The text of a query on one line, in characters that a terminal shows; `parseQuery` gives the same query again. */
export function printQuery(query: Query): string {
  const words = query.terms.map(printTerm);
  if (query.window?.kind === 'last') words.push(`last:${printDuration(query.window.duration)}`);
  if (query.window?.kind === 'absolute') {
    words.push(`from:${printMoment(query.window.from)}`);
    if (query.window.to !== null) words.push(`to:${printMoment(query.window.to)}`);
  }
  if (query.groupBy.length > 0) words.push(`by:${query.groupBy.join(',')}`);
  return words.join(' ');
}

/** The window stands first in every copied command. */
export function windowFirst(query: Query): string {
  return joined(
    [printQuery({ ...query, terms: [], groupBy: [] }), printQuery({ ...query, window: null })],
    ' ',
  );
}

/** The place of a directive in the text; the whole text where it is absent. */
export function placeOfWord(text: string, word: Directive): { column: number; length: number } {
  const match = new RegExp(`(^|\\s)(${word}:\\S*)`, 'i').exec(text);
  const token = match?.[2] ?? text;
  return { column: match ? match.index + (match[1]?.length ?? 0) : 0, length: Math.max(1, token.length) };
}

function directiveOf(word: Word): Directive | null {
  const name = word.name?.toLowerCase() ?? '';
  return Object.hasOwn(DIRECTIVES, name) ? (name as Directive) : null;
}

function readDirective(
  directive: Directive,
  word: Word,
  subject: QuerySubject,
  now: number,
  window: WrittenWindow,
  groupBy: string[],
): LexError | null {
  const { example } = DIRECTIVES[directive];
  if (word.negated) return refusal(word, `${directive}: cannot be excluded`, `write ${example}`);
  if (word.op === '~') return refusal(word, `${directive} is followed by a colon`, `write ${example}`);
  if (directive === 'by') return readGroupBy(word, subject, groupBy);
  const [value] = word.values;
  if (!value || value.text === '') return missingValue(word.valueStart, directive, example);
  if (word.values.length > 1) return refusal(word, `${directive}: takes one value`, `write ${example}`);
  if (window[directive] !== null) return refusal(word, `${directive}: is given twice`, 'leave one out');
  if (directive === 'last') {
    window.last = parseDuration(value.text);
    if (window.last === null)
      return refusal(
        value,
        `'${value.text}' is not a duration`,
        'a number and s, m, h or d: last:15m, last:1h30m',
      );
  } else {
    const read = parseMoment(value.text, now);
    if (!read.ok) return refusal(value, read.message, read.hint);
    window[directive] = read.moment;
  }
  window.span = { start: word.start, end: word.end };
  return null;
}

/** `from:yesterday 03:00` is one time torn in two: the second half would be searched for. */
function timeApart(before: Word | undefined, word: Word, now: number): LexError | null {
  const [time, day] = [word.values[0], before?.values[0]];
  if (!before || !day || !time || time.quoted || word.name !== null || word.negated) return null;
  const directive = directiveOf(before);
  if (directive !== 'from' && directive !== 'to') return null;
  const [apart, read] = [momentAt(time.text, 0, now), momentAt(day.text, 0, now)];
  if (!apart?.ok || apart.moment.kind !== 'clock' || apart.end < time.text.length) return null;
  if (!read?.ok || !read.isDay || read.end < day.text.length) return null;
  return refusal(
    word,
    'a time of day stands apart from its day',
    `write ${directive}:"${day.text} ${time.text}"`,
  );
}

function readGroupBy(word: Word, subject: QuerySubject, groupBy: string[]): LexError | null {
  for (const value of word.values) {
    if (value.text === '') return missingValue(value.start, 'by', DIRECTIVES.by.example);
    const id = fieldNamed(subject, value.text);
    if (id === null) return unknownField(value, value.text, subject, false);
    if (!fieldRow(subject, id)?.groups) {
      const usable = fieldIds(subject).filter((each) => fieldRow(subject, each)?.groups);
      return refusal(value, `${id} cannot be grouped by`, `one of ${usable.join(', ')}`);
    }
    if (!groupBy.includes(id)) groupBy.push(id);
  }
  return null;
}

function failed({ start, end, message, hint }: LexError): { ok: false; error: QueryError } {
  return { ok: false, error: { column: start, length: Math.max(1, end - start), message, hint } };
}

/**
 * The query text of command-line arguments. The shell has removed the quotes, so an argument with spaces is one term
 * again (`ua~Mozilla 5.0`, `union select`), unless it reads as a whole query.
 */
export function queryOfArguments(args: readonly string[], subject: QuerySubject): string {
  return args.map((arg) => requoted(arg, subject)).join(' ');
}

function requoted(arg: string, subject: QuerySubject): string {
  if (!/\s/.test(arg.trim()) || /["\u201c\u201d]/.test(arg)) return arg;
  const lexed = lexQuery(arg, (name) => isFieldName(subject, name));
  if (!('message' in lexed) && lexed.some(({ values }) => values.some(({ isRegex }) => isRegex))) return arg;
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

/**
 * Cells before and under the mistake in a query, as its text is shown: escapes are longer, East-Asian letters wider.
 */
export function markedCells(
  text: string,
  { column, length }: Pick<QueryError, 'column' | 'length'>,
): { before: number; wide: number } {
  const cells = (part: string) => width(sanitise(part, 'text'));
  return {
    before: cells(text.slice(0, column)),
    wide: Math.max(1, cells(text.slice(column, column + length))),
  };
}

/** A query, and below it a line with carets under the mistake. */
export function markedLines(text: string, error: Pick<QueryError, 'column' | 'length'>): [string, string] {
  const { before, wide } = markedCells(text, error);
  return [text, ' '.repeat(before) + '^'.repeat(wide)];
}
