import { DIRECTIVES, fieldIds, fieldNamed, fieldRow, type KnownValue } from './fields.ts';
import type { QuerySubject } from './query.ts';
import { lexQuery, type Word } from './query-lexer.ts';
import { holdsSlashes, isFieldName, printValue } from './term-text.ts';

/** `text.slice(from, to)` is replaced by `insert`; the list shows `label`, and `help` says what it means. */
export type Completion = { from: number; to: number; insert: string; label: string; help: string };

type Offer = { insert: string; label: string; help: string };

const DURATIONS: readonly KnownValue[] = [
  { value: '5m', help: 'five minutes' },
  { value: '15m', help: 'a quarter of an hour' },
  { value: '1h', help: 'an hour' },
  { value: '6h', help: 'six hours' },
  { value: '24h', help: 'a day' },
  { value: '3d', help: 'as long as logs are kept' },
];

const MOMENTS: readonly KnownValue[] = [
  { value: '-15m', help: 'a quarter of an hour ago' },
  { value: '-1h', help: 'an hour ago' },
  { value: '-24h', help: 'a day ago' },
  { value: 'today', help: 'the beginning of this UTC day' },
  { value: 'yesterday', help: 'the beginning of the UTC day before' },
];

const WINDOWS: readonly KnownValue[] = [
  ...DURATIONS,
  { value: 'today', help: 'since the beginning of this UTC day' },
  { value: 'yesterday', help: 'the whole UTC day before' },
];

/**
 * Completions at the cursor, best first: fields and directives for a word without an operator, values after one. `seen` gives the
 * values of a field in the rows at hand, most frequent first.
 */
export function complete(
  text: string,
  cursor: number,
  subject: QuerySubject,
  seen: (field: string) => readonly string[],
): Completion[] {
  const word = wordAt(text.slice(0, cursor), subject);
  if (!word) return [];
  const end = cursor + (/^[^\s,:~"]*/.exec(text.slice(cursor))?.[0].length ?? 0);
  const offers = word.name === null ? nameOffers(word, subject) : valueOffers(word, subject, seen);
  const value = word.values[word.values.length - 1];
  const from = value?.start ?? cursor;
  const to = word.name === null && /^[:~]/.test(text.slice(end)) ? end + 1 : end;
  return offers
    .map((offer) => ({ from, to, ...offer }))
    .filter((each) => text.slice(from, to) !== each.insert);
}

/** Completions for a line that holds only a window, the current one first. */
export function completeWindow(text: string, cursor: number, present: string): Completion[] {
  if (text.includes(':') && text !== present) return complete(text, cursor, 'logs', () => []);
  const known = present === '' ? WINDOWS : [{ value: present, help: 'as it is' }, ...WINDOWS];
  return known
    .filter(({ value }) => value !== text && value.startsWith(text.toLowerCase()))
    .map(({ value, help }) => ({ from: 0, to: text.length, insert: value, label: value, help }));
}

/** The word that ends the text, even with an open quote; a new one after a space. */
function wordAt(text: string, subject: QuerySubject): Word | null {
  // Closes an open quote and gives a bare minus a word, so that the grammar accepts the text.
  for (const ending of ['', '"', 'x']) {
    const words = lexQuery(text + ending, (name) => isFieldName(subject, name), holdsSlashes);
    if ('message' in words) continue;
    const last = words[words.length - 1];
    if (last && ending === '' && last.end === text.length) return last;
    if (last && ending === '"' && last.end === text.length + 1) return last;
    if (ending === '' && (text === '' || /\s$/.test(text))) return emptyWord(text.length, false);
    if (last && ending === 'x' && last.negated && last.start === text.length - 1) {
      return emptyWord(text.length, true);
    }
  }
  return null;
}

function emptyWord(at: number, negated: boolean): Word {
  const value = { start: at, end: at, text: '', quoted: false, isRegex: false, stars: 0, literalStars: 0 };
  return { start: at, end: at, negated, name: null, op: null, valueStart: at, values: [value] };
}

function nameOffers(word: Word, subject: QuerySubject): Offer[] {
  const [typed] = word.values;
  if (!typed || typed.quoted) return [];
  const fields = fieldIds(subject).flatMap((id): { names: readonly string[]; offers: Offer[] }[] => {
    const row = fieldRow(subject, id);
    if (!row) return [];
    const exact = { insert: `${id}:`, label: `${id}:`, help: row.help };
    const part = {
      insert: `${id}~`,
      label: `${id}~`,
      help: `${row.title} contains the text, or matches /a pattern/`,
    };
    const isNamed = row.ops.includes('contains') && fieldNamed(subject, typed.text) === id;
    return [{ names: [id, ...row.aliases], offers: isNamed ? [exact, part] : [exact] }];
  });
  const directives = Object.entries(DIRECTIVES).map(([name, { help }]) => ({
    names: [name],
    offers: [{ insert: `${name}:`, label: `${name}:`, help }],
  }));
  const all = word.negated ? fields : [...fields, ...directives];
  return all
    .map((each) => ({ ...each, rank: nameRank(each.names, typed.text) }))
    .filter(({ rank }) => rank < 2)
    .sort((a, b) => a.rank - b.rank)
    .flatMap(({ offers }) => offers);
}

function valueOffers(word: Word, subject: QuerySubject, seen: (field: string) => readonly string[]): Offer[] {
  const name = (word.name ?? '').toLowerCase();
  const typed = word.values[word.values.length - 1]?.text ?? '';
  const given = new Set(word.values.slice(0, -1).map((value) => value.text.toLowerCase()));
  if (name === 'by') {
    const ids = fieldIds(subject).filter((id) => fieldRow(subject, id)?.groups);
    const known = ids.map((value) => ({ value, help: fieldRow(subject, value)?.title ?? '' }));
    return offersOf(known, typed, given, (value) => value);
  }
  if (name === 'last') return offersOf(DURATIONS, typed, given, (value) => value);
  if (name === 'from' || name === 'to') return offersOf(MOMENTS, typed, given, (value) => value);
  const id = fieldNamed(subject, name);
  const row = id === null ? null : fieldRow(subject, id);
  if (id === null || !row) return [];
  const op = word.op === '~' ? 'contains' : 'eq';
  const help = new Map(row.known.map((each) => [each.value, each.help]));
  const values = [...new Set([...seen(id), ...help.keys()])].filter((value) => value !== '');
  const known = values.map((value) => ({ value, help: help.get(value) ?? 'seen in the rows read' }));
  return offersOf(known, typed, given, (value) => printValue(value, op, id));
}

function offersOf(
  known: readonly KnownValue[],
  typed: string,
  given: ReadonlySet<string>,
  print: (value: string) => string,
): Offer[] {
  return known
    .filter(({ value }) => !given.has(value.toLowerCase()))
    .map((each) => ({ ...each, rank: rankOf(each.value, typed) }))
    .filter(({ rank }) => rank < 3)
    .sort((a, b) => a.rank - b.rank)
    .map(({ value, help }) => ({ insert: print(value), label: value, help }));
}

/** The name itself ranks before an alias that fits as well. */
function nameRank(names: readonly string[], typed: string): number {
  return Math.min(...names.map((name, i) => rankOf(name, typed) + (i === 0 ? 0 : 0.5)));
}

/** 0 = starts with it, 1 = a later word does, 2 = contains it, 3 = no match. */
function rankOf(name: string, typed: string): number {
  const [all, part] = [name.toLowerCase(), typed.toLowerCase()];
  if (all.startsWith(part)) return 0;
  const at = all.indexOf(part);
  if (at < 0) return 3;
  return /[a-z0-9]/.test(all[at - 1] ?? '') ? 2 : 1;
}
