import type { LogRecord } from '../log.ts';
import { type CauseOf, NO_CAUSES } from '../origin-cause.ts';
import type { AddressCuts, Anonymisation } from '../zone.ts';
import { addressTest } from './address.ts';
import { type Field, logField, type ShieldValues, shieldFieldOf, type ValueComparison } from './fields.ts';
import { isSearch, type Term, type TermOp } from './query.ts';
import { commonText, regexOf, regexTest, textsHeld } from './regex.ts';

/** A record's value in one field. Null and the empty string both mean none. */
export type Value = string | number | null;

/**
 * A term as a predicate over single values: the one judge of terms. Records, columns and events only bring their values
 * to it, and a column tests each distinct value once.
 */
export type Predicate = {
  test: (value: Value) => boolean;
  /** Printable ASCII that each passing value holds, in whatever case of its letters. `isAll`: holding it is enough. */
  needle: { text: string; isAll: boolean } | null;
};

/**
 * A term of CDN logs. A row matches when the predicate holds for at least one of `fields`, or with `negated` for none
 * of them. With `isTold` the value is the cause that origin errors give the row.
 */
type CompiledTerm = Predicate & {
  fields: readonly (keyof LogRecord)[];
  isTold: boolean;
  negated: boolean;
};

/**
 * The columns that free text searches: all texts. The server's own `search` leaves out address and country, but people who paste an
 * address into the query expect to find it.
 */
export const TEXT_COLUMNS = [
  'path',
  'host',
  'userAgent',
  'referer',
  'remoteIp',
  'countryCode',
  'cacheStatus',
  'edgeLocation',
  'requestId',
  'ja4Fingerprint',
  'asn',
  'asnOrganization',
  'contentRange',
  'url',
  'raw',
] as const satisfies readonly (keyof LogRecord)[];

/**
 * A test of records against all terms. With the zone's cut of addresses an address without
 * its last octet matches when it may be the one asked for; without, only in the form `1.2.3.*`. `causeOf`: the known
 * origin errors.
 */
export function matcher(
  terms: readonly Term[],
  cuts: AddressCuts = 'none',
  causeOf: CauseOf = NO_CAUSES,
): (record: LogRecord) => boolean {
  return allOf(terms, (term) => termMatcher(term, cuts, causeOf));
}

export function termMatcher(
  term: Term,
  cuts: AddressCuts = 'none',
  causeOf: CauseOf = NO_CAUSES,
): (record: LogRecord) => boolean {
  if (typeof cuts !== 'string') return matcherByZone(term, cuts, causeOf);
  const { fields, isTold, test, negated } = compileTerm(term, cuts);
  if (isTold) return (record) => test(causeOf(record.statusCode, () => record)) !== negated;
  const [only] = fields;
  if (only !== undefined && fields.length === 1) return (record) => test(record[only]) !== negated;
  return (record) => fields.some((field) => test(record[field])) !== negated;
}

/** A test of Shield rows by the API's dimension names, for terms that Shield cannot decide: it has no negation. */
export function shieldMatcher(terms: readonly Term[]): (fields: ShieldValues) => boolean {
  return allOf(terms, (term) => {
    const { negated } = term;
    const field = term.kind === 'text' ? null : shieldFieldOf(term.field);
    const { test } = predicateOf(term, field);
    if (term.kind === 'text')
      return (fields) => Object.values(fields).some((value) => test(value ?? null)) !== negated;
    return (fields) => test((field && fields[field.dimension]) ?? null) !== negated;
  });
}
/** How an address is compared depends on its row's zone. */
function matcherByZone(
  term: Term,
  cuts: ReadonlyMap<string, Anonymisation>,
  causeOf: CauseOf,
): (record: LogRecord) => boolean {
  const ways = new Map(
    ['none' as const, ...cuts.values()].map((way) => [way, termMatcher(term, way, causeOf)]),
  );
  const plain = ways.get('none') as (record: LogRecord) => boolean;
  return (record) => (ways.get(cuts.get(record.pullZoneId) ?? 'none') ?? plain)(record);
}

/** Compiles a term once. A term of a field that CDN logs lack matches no row, and negated every row. */
export function compileTerm(term: Term, anonymisation: Anonymisation = 'none'): CompiledTerm {
  const { negated } = term;
  const field = term.kind === 'text' ? null : logField(term.field);
  const fields = term.kind === 'text' ? TEXT_COLUMNS : field && field.column !== null ? [field.column] : [];
  return { ...predicateOf(term, field, anonymisation), fields, isTold: field?.column === null, negated };
}

/** Terms side by side, the cheapest first: a number, then a short word, then a search through long texts. */
function allOf<R>(terms: readonly Term[], testOf: (term: Term) => (row: R) => boolean): (row: R) => boolean {
  const tests = terms.toSorted((a, b) => costOf(a) - costOf(b)).map(testOf);
  const [first, second] = tests;
  if (!first) return () => true;
  if (tests.length === 1) return first;
  if (tests.length === 2 && second) return (row) => first(row) && second(row);
  return (row) => tests.every((test) => test(row));
}

function costOf(term: Term): number {
  if (term.kind === 'text') return 9;
  const compare = logField(term.field)?.compare;
  if (compare === 'status' || compare === 'amount' || compare === 'exact') return 0;
  return { eq: 1, wildcard: 2, cidr: 2, contains: 3, regex: 4 }[term.op];
}

/**
 * Case does not count, but for `exact`, for a `capitals` value with a capital in it, and in a regular expression. A
 * missing value matches an `eq` with the empty string and nothing else.
 */
function predicateOf(term: Term, field: Field | null, anonymisation: Anonymisation = 'none'): Predicate {
  if (term.kind === 'text') {
    const [op, values] = [term.isRegex ? 'regex' : 'contains', [term.value]] as const;
    const test = searchTest(op, values);
    return { test: (value) => typeof value === 'string' && test(value), needle: needleOf(op, values) };
  }
  if (field === null) return { test: () => false, needle: null };
  const { op } = term;
  const { compare, derive } = field;
  const present = term.values.filter((value) => value !== '');
  const absentMatches = op === 'eq' && present.length < term.values.length;
  const test = presentTest(op, compare, present, anonymisation);
  const isMatch = (value: Value) => (value === null || value === '' ? absentMatches : test(value));
  // The column of a derived field holds more than what is compared: only the test knows which part.
  if (derive) {
    const own = (value: Value) => (value === null ? null : derive(String(value)));
    return { test: (value) => isMatch(own(value)), needle: null };
  }
  const isSearched = !absentMatches && (isSearch(op) || compare === 'text' || compare === 'exact');
  return { test: isMatch, needle: isSearched ? needleOf(op, present) : null };
}

/** A test of values that are not empty, against values of which none is. */
function presentTest(
  op: TermOp,
  compare: ValueComparison,
  values: readonly string[],
  anonymisation: Anonymisation,
): (value: string | number) => boolean {
  if (compare === 'status' || compare === 'amount') {
    const numbers = numbersOf(op === 'eq' ? values : ['>=0']);
    return (value) => numbers.some(([from, to]) => Number(value) >= from && Number(value) <= to);
  }
  const test = TEXT_TESTS[compare](op, values, anonymisation);
  return (value) => test(typeof value === 'string' ? value : String(value));
}

type TextTest = (text: string) => boolean;

/** Values are those asked for, none of them empty. */
type TestMaker = (op: TermOp, values: readonly string[], anonymisation: Anonymisation) => TextTest;

const TEXT_TESTS: Record<Exclude<ValueComparison, 'status' | 'amount'>, TestMaker> = {
  text: (op, values) => textTest(op, values, true),
  exact: (op, values) => textTest(op, values, false),
  /** A value in lower case matches in any case. */
  capitals: (op, values) =>
    anyOf(
      [true, false].map((isSmall) =>
        textTest(
          op,
          values.filter((each) => isLower(each) === isSmall),
          isSmall,
        ),
      ),
    ),
  /** The part of the URL that the form of a value names: the path, the whole, or host and path. */
  url: (op, values) => anyOf(values.map((value) => ofPart(urlPart(op, value), textTest(op, [value], true)))),
  asn: (op, values) => ofPart(asnDigits, textTest(op, values.map(asnDigits), true)),
  address(op, values, anonymisation) {
    // A log may hold a word instead of an address, which that word finds.
    const words = textTest(op === 'cidr' ? 'eq' : op, values, true);
    if (op !== 'eq' && op !== 'cidr') return words;
    const addresses = addressTest(values, anonymisation);
    return (text) => addresses(text) || words(text);
  },
};

/** Whether a text is one of the values, or what the operator makes of them. */
function textTest(op: TermOp, values: readonly string[], isFolded: boolean): TextTest {
  if (op !== 'eq') return searchTest(op, values, isFolded);
  const wanted = new Set(isFolded ? values.map((value) => value.toLowerCase()) : values);
  return isFolded ? (text) => wanted.has(text.toLowerCase()) : (text) => wanted.has(text);
}

/** Whether a text holds one of these, is like one of them, or has a match of one of these expressions. */
export function searchTest(op: TermOp, values: readonly string[], isFolded = true): TextTest {
  return anyOf(
    values.map((value) => {
      const regex = op === 'contains' && isPrintable(value) ? null : regexOf(op, value, isFolded);
      if (regex !== null) return regexTest(regex);
      // V8 is faster at a plain text, for which it takes linear time, too. No text has what is no expression.
      const plain = op === 'contains' ? new RegExp(RegExp.escape(value), 'i') : /(?!)/;
      return (text) => plain.test(text);
    }),
  );
}

function isPrintable(text: string): boolean {
  return /^[ -~]*$/.test(text);
}

function ofPart(part: (text: string) => string, test: TextTest): TextTest {
  return (text) => test(part(text));
}

function anyOf(tests: readonly TextTest[]): TextTest {
  const [only] = tests;
  return tests.length === 1 && only ? only : (text) => tests.some((test) => test(text));
}

function isLower(value: string): boolean {
  return value === value.toLowerCase();
}

/** The place in a URL at which its host begins. */
function hostStart(url: string): number {
  const scheme = url.indexOf('://');
  return scheme < 0 ? 0 : scheme + 3;
}

/** What a value is compared with: the whole where it names a scheme, the path where it begins with one, else from the host on. */
function urlPart(op: TermOp, value: string): (url: string) => string {
  const isWhole = op === 'eq' || op === 'wildcard';
  if (isWhole && value.includes('://')) return (url) => url;
  if (!isWhole || !value.startsWith('/')) return (url) => url.slice(hostStart(url));
  return (url) => {
    const path = url.indexOf('/', hostStart(url));
    return path < 0 ? '' : url.slice(path);
  };
}

/** A shorter text is in most values. */
const LEAST_NEEDLE = 3;

function needleOf(op: TermOp, values: readonly string[]): Predicate['needle'] {
  const [only = ''] = values;
  if (op === 'contains' && values.length === 1 && isPrintable(only)) return { text: only, isAll: true };
  const text = commonText(values.map((value) => textsHeld(op, value)));
  return text.length < LEAST_NEEDLE ? null : { text, isAll: false };
}

/** The numbers that these values of a status or an amount stand for, the first and the last of each. */
export function numbersOf(values: readonly string[]): [from: number, to: number][] {
  return values.flatMap((value) => {
    const [, digits, inClass] = /^(\d+)(xx)?$/.exec(value) ?? [];
    const exact = Number(digits);
    if (digits !== undefined) return [inClass ? [exact * 100, exact * 100 + 99] : [exact, exact]];
    const [, from, to] = /^(\d+)\.\.(\d+)$/.exec(value) ?? [];
    if (from !== undefined) return [[Number(from), Number(to)]];
    const [, sign = '', bound] = /^(>=|<=|>|<)(\d+)$/.exec(value) ?? [];
    if (bound === undefined) return [];
    const edge = Number(bound) + (sign === '>' ? 1 : sign === '<' ? -1 : 0);
    return [sign.startsWith('>') ? [edge, Number.POSITIVE_INFINITY] : [0, edge]];
  });
}

function asnDigits(text: string): string {
  return text.replace(/^as/i, '');
}
