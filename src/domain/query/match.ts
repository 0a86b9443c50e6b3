import type { LogRecord } from '../log.ts';
import type { Anonymisation } from '../zone.ts';
import { type Field, logField, shieldFieldOf } from './fields.ts';
import type { FieldTerm, Query, Term } from './query.ts';
import { substringTest, type Value, valueTest } from './value-test.ts';

/**
 * A term as a test of single values, so that a store may ask once per distinct value. A row matches when the test
 * holds for at least one of `fields`, or with `negated` for none of them.
 */
export type CompiledTerm = {
  fields: readonly (keyof LogRecord)[];
  test: (value: Value) => boolean;
  negated: boolean;
};

/**
 * Columns that free text looks into: everything that is text. The server's own `search` leaves address and country
 * out; people who paste an address into the query expect to find it.
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
 * A test of records against all terms of a query. The window is not looked at. With `anonymisation` of the zone, an
 * address that lost its last octet matches when it may be the one asked for; without, only `1.2.3.*` says that of itself.
 */
export function matcher(query: Query, anonymisation: Anonymisation = 'none'): (record: LogRecord) => boolean {
  const tests = [...query.terms].sort(byCost).map((term) => termMatcher(term, anonymisation));
  const [first, second] = tests;
  if (!first) return () => true;
  if (tests.length === 1) return first;
  if (tests.length === 2 && second) return (record) => first(record) && second(record);
  return (record) => tests.every((test) => test(record));
}

export function termMatcher(
  term: Term,
  anonymisation: Anonymisation = 'none',
): (record: LogRecord) => boolean {
  const { fields, test, negated } = compileTerm(term, anonymisation);
  const [only] = fields;
  if (only !== undefined && fields.length === 1) return (record) => test(record[only]) !== negated;
  return (record) => fields.some((field) => test(record[field])) !== negated;
}

/** Compiles a term once. A term of a field that CDN logs do not have matches no row, and negated every row. */
export function compileTerm(term: Term, anonymisation: Anonymisation = 'none'): CompiledTerm {
  const { negated } = term;
  if (term.kind === 'text') {
    const found = substringTest(term.value);
    const test = (value: Value) => typeof value === 'string' && found(value);
    return { fields: TEXT_COLUMNS, test, negated };
  }
  const field = logField(term.field);
  if (!field) return { fields: [], test: () => false, negated };
  return { fields: [field.column], test: fieldTest(field, term, anonymisation), negated };
}

/** A test of what a column holds, be it the value of the field or what that is a part of. */
function fieldTest(
  { compare, derive }: Field,
  { op, values }: FieldTerm,
  anonymisation: Anonymisation,
): (value: Value) => boolean {
  const test = valueTest(op, compare, values, anonymisation);
  return derive ? (value) => test(value === null ? null : derive(String(value))) : test;
}

/**
 * A test of Shield rows, for the terms that Shield cannot decide (it has no negation). Values of a row by the API's
 * dimension names; free text looks into all of them.
 */
export function shieldMatcher(
  terms: readonly Term[],
): (fields: Readonly<Record<string, string | null | undefined>>) => boolean {
  const tests = terms.map((term) => {
    if (term.kind === 'text') {
      const found = substringTest(term.value);
      return (fields: Readonly<Record<string, string | null | undefined>>) =>
        Object.values(fields).some((value) => typeof value === 'string' && found(value)) !== term.negated;
    }
    const field = shieldFieldOf(term.field);
    if (!field) return () => term.negated;
    const test = fieldTest(field, term, 'none');
    return (fields: Readonly<Record<string, string | null | undefined>>) =>
      test(fields[field.dimension] ?? null) !== term.negated;
  });
  return (fields) => tests.every((test) => test(fields));
}

/** Cheap tests first: a number, then a short word, then a search through long texts. */
function byCost(a: Term, b: Term): number {
  return costOf(a) - costOf(b);
}

function costOf(term: Term): number {
  if (term.kind === 'text') return 9;
  const compare = logField(term.field)?.compare;
  if (compare === 'status' || compare === 'amount' || compare === 'exact') return 0;
  return term.op === 'eq' ? 1 : term.op === 'contains' ? 3 : 2;
}
