import type { LogRecord } from '../log.ts';
import { type CauseOf, NO_CAUSES } from '../origin-cause.ts';
import type { Anonymisation } from '../zone.ts';
import { addressTest } from './address.ts';
import { type Field, logField, type ShieldValues, shieldFieldOf, type ValueComparison } from './fields.ts';
import type { FieldTerm, Query, Term, TermOp } from './query.ts';

/**
 * A term as a test of single values, so that a store can test each distinct value once. A row matches when the test
 * holds for at least one of `fields`, or with `negated` for none of them. With `isTold` the value is the cause that
 * origin errors give the row.
 */
type CompiledTerm = {
  fields: readonly (keyof LogRecord)[];
  isTold: boolean;
  test: (value: Value) => boolean;
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
 * A test of records against all terms of a query, not its window. With the zone's `anonymisation` an address without
 * its last octet matches when it may be the one asked for; without, only in the form `1.2.3.*`. `causeOf`: the known
 * origin errors.
 */
export function matcher(
  query: Query,
  anonymisation: Anonymisation = 'none',
  causeOf: CauseOf = NO_CAUSES,
): (record: LogRecord) => boolean {
  const tests = query.terms
    .toSorted((a, b) => costOf(a) - costOf(b))
    .map((term) => termMatcher(term, anonymisation, causeOf));
  const [first, second] = tests;
  if (!first) return () => true;
  if (tests.length === 1) return first;
  if (tests.length === 2 && second) return (record) => first(record) && second(record);
  return (record) => tests.every((test) => test(record));
}

export function termMatcher(
  term: Term,
  anonymisation: Anonymisation = 'none',
  causeOf: CauseOf = NO_CAUSES,
): (record: LogRecord) => boolean {
  const { fields, isTold, test, negated } = compileTerm(term, anonymisation);
  if (isTold) return (record) => test(causeOf(record.statusCode, () => record)) !== negated;
  const [only] = fields;
  if (only !== undefined && fields.length === 1) return (record) => test(record[only]) !== negated;
  return (record) => fields.some((field) => test(record[field])) !== negated;
}

/** Compiles a term once. A term of a field that CDN logs lack matches no row, and negated every row. */
export function compileTerm(term: Term, anonymisation: Anonymisation = 'none'): CompiledTerm {
  const { negated } = term;
  if (term.kind === 'text') {
    const found = substringTest(term.value);
    const test = (value: Value) => typeof value === 'string' && found(value);
    return { fields: TEXT_COLUMNS, isTold: false, test, negated };
  }
  const field = logField(term.field);
  if (!field) return { fields: [], isTold: false, test: () => false, negated };
  const { column } = field;
  const test = fieldTest(field, term, anonymisation);
  return { fields: column === null ? [] : [column], isTold: column === null, test, negated };
}

/** A test of a column's values: the field's own, or those it derives from. */
function fieldTest(
  { compare, derive }: Field,
  { op, values }: FieldTerm,
  anonymisation: Anonymisation,
): (value: Value) => boolean {
  const test = valueTest(op, compare, values, anonymisation);
  return derive ? (value) => test(value === null ? null : derive(String(value))) : test;
}

/**
 * A test of Shield rows, for terms that Shield cannot decide (it has no negation). Takes values by the API's
 * dimension names; free text searches all of them.
 */
export function shieldMatcher(terms: readonly Term[]): (fields: ShieldValues) => boolean {
  const tests = terms.map((term) => {
    if (term.kind === 'text') {
      const found = substringTest(term.value);
      return (fields: ShieldValues) =>
        Object.values(fields).some((value) => typeof value === 'string' && found(value)) !== term.negated;
    }
    const field = shieldFieldOf(term.field);
    if (!field) return () => term.negated;
    const test = fieldTest(field, term, 'none');
    return (fields: ShieldValues) => test(fields[field.dimension] ?? null) !== term.negated;
  });
  return (fields) => tests.every((test) => test(fields));
}

/** The cost of a test: a number is cheap, then a short word, then a search through long texts. */
function costOf(term: Term): number {
  if (term.kind === 'text') return 9;
  const compare = logField(term.field)?.compare;
  if (compare === 'status' || compare === 'amount' || compare === 'exact') return 0;
  return term.op === 'eq' ? 1 : term.op === 'contains' ? 3 : 2;
}

/** A record's value in one field. Null and the empty string both mean none. */
export type Value = string | number | null;

type TextTest = (text: string) => boolean;

/** Values are those asked for, none of them empty; `op` is any but `contains`. */
type TestMaker = (op: TermOp, values: readonly string[], anonymisation: Anonymisation) => TextTest;

const TEXT_TESTS = {
  text: (op, values) => foldedTest(op, values),
  exact: exactTest,
  capitals: capitalsTest,
  url: urlTest,
  asn: (op, values) => foldedTest(op, values.map(asnDigits), asnDigits),
  address: addressTestOf,
} as const satisfies Record<Exclude<ValueComparison, 'status' | 'amount'>, TestMaker>;

/**
 * Whether a value matches at least one of `values` under the operator. Case does not count, but for `exact` and for
 * a `capitals` value with a capital in it. A missing value matches an `eq` with the empty string and nothing else.
 */
function valueTest(
  op: TermOp,
  compare: ValueComparison,
  values: readonly string[],
  anonymisation: Anonymisation,
): (value: Value) => boolean {
  const present = values.filter((value) => value !== '');
  const absentMatches = op === 'eq' && present.length < values.length;
  const test = presentTest(op, compare, present, anonymisation);
  return (value) => (value === null || value === '' ? absentMatches : test(value));
}

/** A case-insensitive substring search, from `start(text)` on. ASCII letters of the needle fold among themselves only. */
export function substringTest(needle: string, start?: (text: string) => number): TextTest {
  if (/^[ -~]*$/.test(needle)) {
    // A regular expression makes no copy of the text, which halves the time of a scan.
    const expression = new RegExp(RegExp.escape(needle), 'gi');
    return (text) => {
      expression.lastIndex = start ? start(text) : 0;
      return expression.test(text);
    };
  }
  const wanted = needle.toLowerCase();
  return (text) => text.toLowerCase().indexOf(wanted, start ? start(text) : 0) >= 0;
}

/** A whole-text match in which `*` is any run; linear in the text, whatever the number of stars. Case counts. */
export function patternTest(pattern: string): TextTest {
  const parts = pattern.split('*');
  const first = parts[0] ?? '';
  const last = parts[parts.length - 1] ?? '';
  if (parts.length === 1) return (text) => text === pattern;
  const middle = parts.slice(1, -1).filter((part) => part !== '');
  const least = first.length + last.length;
  return (text) => {
    if (text.length < least || !text.startsWith(first) || !text.endsWith(last)) return false;
    const end = text.length - last.length;
    let at = first.length;
    for (const part of middle) {
      const found = text.indexOf(part, at);
      if (found < 0 || found + part.length > end) return false;
      at = found + part.length;
    }
    return true;
  };
}

/** The place in a URL at which its host begins. */
function hostStart(url: string): number {
  const scheme = url.indexOf('://');
  return scheme < 0 ? 0 : scheme + 3;
}

function presentTest(
  op: TermOp,
  compare: ValueComparison,
  values: readonly string[],
  anonymisation: Anonymisation,
): (value: string | number) => boolean {
  if (compare === 'status') return op === 'eq' ? statusTest(values) : () => true;
  if (compare === 'amount') return op === 'eq' ? amountTest(values) : () => true;
  const test =
    op === 'contains'
      ? anyOf(values.map((value) => substringTest(value, compare === 'url' ? hostStart : undefined)))
      : TEXT_TESTS[compare](op, values, anonymisation);
  return (value) => test(typeof value === 'string' ? value : String(value));
}

/** Equality and patterns without regard to case; `prepare` is applied to the text first. */
function foldedTest(op: TermOp, values: readonly string[], prepare?: (text: string) => string): TextTest {
  const wanted = values.map((value) => value.toLowerCase());
  const test = exactTest(op, wanted);
  return prepare ? (text) => test(prepare(text).toLowerCase()) : (text) => test(text.toLowerCase());
}

function exactTest(op: TermOp, values: readonly string[]): TextTest {
  if (op === 'wildcard') return anyOf(values.map(patternTest));
  const [only] = values;
  if (values.length === 1) return (text) => text === only;
  const wanted = new Set(values);
  return (text) => wanted.has(text);
}

function anyOf(tests: readonly TextTest[]): TextTest {
  const [only] = tests;
  return tests.length === 1 && only ? only : (text) => tests.some((test) => test(text));
}

/** A value in lower case matches in any case. */
function capitalsTest(op: TermOp, values: readonly string[]): TextTest {
  const small = values.filter((value) => value === value.toLowerCase());
  const capital = values.filter((value) => value !== value.toLowerCase());
  return anyOf([exactTest(op, capital), foldedTest(op, small)]);
}

function addressTestOf(op: TermOp, values: readonly string[], anonymisation: Anonymisation): TextTest {
  if (op === 'wildcard') return foldedTest(op, values);
  const addresses = addressTest(values, anonymisation);
  // A log may hold a word instead of an address, which that word finds.
  const words = foldedTest('eq', values);
  return (text) => addresses(text) || words(text);
}

/** Compares each value with the part of the URL that its form names: the path, the whole, or host and path. */
function urlTest(op: TermOp, values: readonly string[]): TextTest {
  const tests = values.map((value) => {
    const test = exactTest(op, [value.toLowerCase()]);
    if (value.includes('://')) return test;
    if (!value.startsWith('/')) return (url: string) => test(url.slice(hostStart(url)));
    return (url: string) => {
      const path = url.indexOf('/', hostStart(url));
      return path >= 0 && test(url.slice(path));
    };
  });
  const test = anyOf(tests);
  return (text) => test(text.toLowerCase());
}

function statusTest(values: readonly string[]): (value: string | number) => boolean {
  const codes = new Set(values.filter((value) => !value.endsWith('xx')).map(Number));
  const classes = new Set(values.filter((value) => value.endsWith('xx')).map((value) => Number(value[0])));
  return (value) => {
    const status = Number(value);
    return codes.has(status) || classes.has(Math.floor(status / 100));
  };
}

function amountTest(values: readonly string[]): (value: string | number) => boolean {
  const tests = values.map((value) => {
    const range = /^(\d+)\.\.(\d+)$/.exec(value);
    if (range) return (n: number) => n >= Number(range[1]) && n <= Number(range[2]);
    const [, sign = '', digits = ''] = /^(>=|<=|>|<|)(\d+)$/.exec(value) ?? [];
    const amount = Number(digits);
    if (digits === '') return () => false;
    if (sign === '>') return (n: number) => n > amount;
    if (sign === '>=') return (n: number) => n >= amount;
    if (sign === '<') return (n: number) => n < amount;
    if (sign === '<=') return (n: number) => n <= amount;
    return (n: number) => n === amount;
  });
  return (value) => tests.some((test) => test(Number(value)));
}

function asnDigits(text: string): string {
  return text.replace(/^as/i, '');
}
