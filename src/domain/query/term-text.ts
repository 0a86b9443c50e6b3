import { sanitise } from '../../text/sanitise.ts';
import { networkOfPattern, parseAddress, printNetwork } from './address.ts';
import { networkValue, type ValueReading } from './field-values.ts';
import {
  DIRECTIVES,
  type Field,
  fieldIds,
  fieldNamed,
  fieldRow,
  nearestField,
  type ValueComparison,
} from './fields.ts';
import {
  type FieldTerm,
  isSearch,
  type QuerySubject,
  type Term,
  type TermOp,
  type TextTerm,
} from './query.ts';
import {
  type LexError,
  NAMED,
  regexEnd,
  type TextSpan,
  type Word,
  type WrittenValue,
} from './query-lexer.ts';
import { parseRegex } from './regex.ts';

const SUBJECTS = { logs: 'CDN logs', shield: 'Shield events' } as const;

/** The free text of a word, or why it is none. */
export function readText(word: Word, subject: QuerySubject): TextTerm | LexError {
  const [value] = word.values;
  if (!value || value.text === '')
    return refusal(word, 'there is nothing to search for', 'put a word into the quotes');
  if (!value.quoted) {
    if (CONNECTIVES.includes(value.text)) return refusal(word, ...adviceOn(value.text));
    const compared = COMPARED.exec(value.text);
    const id = fieldNamed(subject, compared?.[1] ?? '');
    if (compared && id !== null) {
      const meant = termMeant(id, compared[2] ?? '', compared[3] ?? '', fieldRow(subject, id)?.compare);
      return refusal(
        word,
        `${id} is followed by : or ~`,
        `write ${meant}, or quote it to search for the text`,
      );
    }
  }
  if (!value.isRegex) return { kind: 'text', value: value.text, negated: word.negated };
  const regex = readRegex(value);
  return typeof regex === 'string'
    ? { kind: 'text', value: regex, negated: word.negated, isRegex: true }
    : regex;
}

/** A regular expression as queries hold it, in characters that a terminal shows; or why it is none. */
function readRegex(value: WrittenValue): string | LexError {
  const flags = value.text.slice(value.text.lastIndexOf('/') + 1);
  const read = parseRegex(value.text);
  const at = value.end - flags.length;
  const hint = `${read.ok ? 'write the pattern without it' : read.hint}; or quote it to find the text`;
  if (!/^i?$/.test(flags))
    return refusal({ start: at, end: value.end }, `${flags} is no flag: i alone is`, hint);
  if (read.ok) return value.text.replace(/[^ -~]/gu, (sign) => `\\x{${sign.codePointAt(0)?.toString(16)}}`);
  const start = value.start + read.at;
  return refusal({ start, end: start + read.length }, `regular expression: ${read.message}`, hint);
}

/** Fields whose values begin and end with slashes. */
export function holdsSlashes(name: string): boolean {
  const id = fieldNamed('logs', name) ?? fieldNamed('shield', name) ?? '';
  return ['path', 'page', 'shape', 'url', 'referer'].includes(id);
}

/** Whether a text would be read as a regular expression; `field`: what it is searched in, null = all of them. */
export function isRegexText(text: string, field: string | null): boolean {
  return regexEnd(text, 0, field !== null, field === null || holdsSlashes(field)) === text.length;
}

/** The field term of a word that has a name, or why it is none. */
export function readField(word: Word, subject: QuerySubject): FieldTerm | LexError {
  const name = word.name ?? '';
  const id = fieldNamed(subject, name);
  const row = id === null ? null : fieldRow(subject, id);
  const nameStart = word.start + (word.negated ? 1 : 0);
  const nameSpan = { start: nameStart, end: nameStart + name.length };
  if (id === null || !row) return unknownField(nameSpan, name, subject, true);
  const empty = word.values.find((value) => value.text === '' && (!value.quoted || word.op === '~'));
  if (empty) return missingValue(empty.start, id, row.example);
  const op = word.op === '~' ? searchOf(word.values) : opOf(row, word.values);
  const blind = op === 'wildcard' && word.values.find((value) => value.literalStars > 0);
  if (blind)
    return refusal(blind, 'a pattern cannot hold a literal star', `write ${id}~ and the text with the star`);
  if (!row.ops.includes(op) && !(op === 'wildcard' && word.values.every((value) => value.text === '*'))) {
    const written = op === 'wildcard' ? '*' : '~';
    return refusal(word, `${id} cannot be searched with ${written}`, `write ${row.example}`);
  }
  const values: string[] = [];
  for (const value of word.values) {
    const regex = value.isRegex ? readRegex(value) : '';
    if (typeof regex !== 'string') return regex;
    const reading: ValueReading =
      op === 'regex' ? { ok: true, value: regex || regexFor(value.text) } : readValue(row, op, value);
    if (!reading.ok && !value.quoted) return refusal(value, `${id}: ${reading.message}`, reading.hint);
    values.push(reading.ok ? reading.value : value.text);
  }
  // A network of one address is printed as an address, which alone is an `eq` again.
  const settled = op === 'cidr' && !values.some((value) => value.includes('/')) ? 'eq' : op;
  return { kind: 'field', field: id, op: settled, values, negated: word.negated };
}

/** The error of an unknown name; `directives` = one of those may stand there, too. */
export function unknownField(
  span: TextSpan,
  name: string,
  subject: QuerySubject,
  directives: boolean,
): LexError {
  const other = subject === 'logs' ? 'shield' : 'logs';
  const nearest = nearestField(subject, name, directives);
  const elsewhere = fieldNamed(other, name);
  const hint = elsewhere
    ? `${name} is a field of ${SUBJECTS[other]}`
    : nearest
      ? `did you mean ${nearest}?`
      : `${directives ? 'quote it to search for the text; ' : ''}fields are ${fieldIds(subject).join(', ')}`;
  return refusal(span, `no field '${name}' in ${SUBJECTS[subject]}`, hint);
}

/** The error of a value that is not there. */
export function missingValue(at: number, name: string, example: string): LexError {
  return refusal(
    { start: at, end: at + 1 },
    `${name}: a value is missing`,
    `no space around the colon or comma: ${example}`,
  );
}

export function refusal(span: TextSpan, message: string, hint: string): LexError {
  return { start: span.start, end: span.end, message, hint };
}

/** What `status>=500`, `bytes>1M` or `host!=a` is in this language. */
function termMeant(id: string, sign: string, value: string, compare: ValueComparison | undefined): string {
  if (compare === 'amount' && /[<>]/.test(sign)) return `${id}:${sign}${value}`;
  if (/[<>]/.test(sign)) return compare === 'status' ? `${id}:${value[0] ?? '5'}xx` : `${id}:${value}`;
  return `${sign === '!=' ? '-' : ''}${id}:${value}`;
}

function adviceOn(connective: string): [message: string, hint: string] {
  if (connective === 'NOT') return ['NOT is written as a leading -', 'for example -status:404'];
  if (connective === 'OR' || connective === '||') {
    return [`${connective} is no operator here`, 'list the values of a field: status:404,500'];
  }
  return [`${connective} is not needed`, 'all terms of a query must match; a space is enough'];
}

/**
 * A list takes the widest operator that one of its values asks for; plain values keep their meaning under it. A
 * quoted value that is no network has its slash for another reason.
 */
function opOf(row: Field, values: readonly WrittenValue[]): TermOp {
  const isNetwork = ({ text, quoted, stars }: WrittenValue) =>
    stars === 0 && text.includes('/') && (!quoted || networkValue(text).ok);
  if (row.ops.includes('cidr') && values.some(isNetwork)) return 'cidr';
  return values.some((value) => value.stars > 0) ? 'wildcard' : 'eq';
}

function readValue(row: Field, op: TermOp, value: WrittenValue): ValueReading {
  if (value.text === '' || op === 'contains' || op === 'wildcard') return { ok: true, value: value.text };
  if (op === 'eq') return row.read(value.text);
  const network = value.stars > 0 ? networkOfPattern(value.text) : null;
  return network ? { ok: true, value: printNetwork(network) } : networkValue(value.text);
}

function searchOf(values: readonly WrittenValue[]): TermOp {
  return values.some(({ isRegex }) => isRegex) ? 'regex' : 'contains';
}

/** A text in a list with regular expressions, as one of these: it is found in any case. */
function regexFor(text: string): string {
  return `/(?i:${text.replace(/[\\^$|?*+()[\]{}./]/g, '\\$&')})/`;
}

/** A term as it stands in a query. */
export function printTerm(term: Term): string {
  const minus = term.negated ? '-' : '';
  if (term.kind === 'text')
    return minus + (term.isRegex || readsAsText(term.value) ? term.value : quoted(term.value));
  const values = term.values.map((value) => printValue(value, term.op, term.field));
  return `${minus}${term.field}${isSearch(term.op) ? '~' : ':'}${values.join(',')}`;
}

/** A value as it stands after `field:` or `field~`, quoted only where it must be. */
export function printValue(value: string, op: TermOp, field: string): string {
  if (op === 'regex') return value;
  const checked = op === 'eq' || op === 'cidr';
  const odd = checked && value !== '' && !isCanonical(value, op, field);
  const isOther = (checked && value.includes('*')) || (op === 'contains' && isRegexText(value, field));
  const bare = isBare(value) && !value.includes(',') && !isOther && !odd;
  return bare ? value : quoted(value, checked);
}

function quoted(value: string, starsEscaped = false): string {
  const body = sanitise(value, 'text').replaceAll('"', '\\"');
  return `"${starsEscaped ? body.replaceAll('*', '\\*') : body}"`;
}

function isBare(value: string): boolean {
  return value !== '' && !/[\s"\\]/.test(value) && sanitise(value, 'text') === value;
}

function isCanonical(value: string, op: TermOp, field: string): boolean {
  return (['logs', 'shield'] as const).every((subject) => {
    const reading = op === 'cidr' ? networkValue(value) : fieldRow(subject, field)?.read(value);
    return !reading || (reading.ok && reading.value === value);
  });
}

function readsAsText(value: string): boolean {
  if (!isBare(value) || value.startsWith('-') || CONNECTIVES.includes(value) || isRegexText(value, null))
    return false;
  const name = NAMED.exec(value)?.[1] ?? COMPARED.exec(value)?.[1];
  if (name === undefined) return true;
  const known = isFieldName('logs', name) || isFieldName('shield', name);
  return !known && (!NAMED.test(value) || isPlainWord(value));
}

/** `status=404` and the like: no syntax here, and as free text they would silently find nothing. */
const COMPARED = /^([A-Za-z][A-Za-z0-9_-]*)(!=|==?|<=?|>=?)(.*)$/;

/** Operators of other languages: all terms of a query must match anyway. */
const CONNECTIVES: readonly string[] = ['AND', 'OR', 'NOT', '&&', '||'];

/** Names, aliases and directives: what may stand before a colon. */
export function isFieldName(subject: QuerySubject, name: string): boolean {
  return fieldNamed(subject, name) !== null || Object.hasOwn(DIRECTIVES, name.toLowerCase());
}

/** A pasted URL or IPv6 address has a colon, yet nobody means a field by it. */
export function isPlainWord(word: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(word) || parseAddress(word) !== null;
}
