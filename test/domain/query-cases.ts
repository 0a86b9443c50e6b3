import type { LogRecord } from '../../src/domain/log.ts';
import { fieldIds, fieldNamed, fieldRow } from '../../src/domain/query/fields.ts';
import type { FieldTerm, Query, QuerySubject, Term, TermOp } from '../../src/domain/query/query.ts';
import { canonicalTerm } from '../../src/domain/query/terms.ts';
import { fc, runs, unicodeText } from '../support/properties.ts';
import { recordWith } from '../support/rows.ts';

/** Records with the prototype that parsed terms have. */
function plain<T>(parts: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> {
  return fc.record(parts, { noNullPrototype: true }) as fc.Arbitrary<T>;
}

export const RUNS = runs(400);

/** 2026-08-01 02:14:00 UTC, a Saturday. */
export const NOW = Date.UTC(2026, 7, 1, 2, 14);

/** Characters that the grammar, the terminal or Unicode treat in a way of their own. */
const ODD = [
  '"',
  '\\',
  '*',
  ',',
  ':',
  '~',
  '-',
  '/',
  ' ',
  '\n',
  '\t',
  '\u001b',
  '\u0000',
  '\u202e',
  '\u00a0',
  '\u2028',
  '\u201c',
  '\u2013',
  '\ud800',
  '\udc00',
  '\u{1f600}',
  'é',
  'İ',
  'ß',
  'ж',
  '中',
  '=',
  '<',
  '%',
  '\\x1b',
  '\\u{1f600}',
  '\\*',
  '\\"',
  '://',
  'ip:',
  'OR',
  'last:',
  '\u212a',
  '[masked]',
  'a',
  'B',
  '1',
] as const;

export const oddText = fc.oneof(
  fc.array(fc.constantFrom(...ODD), { maxLength: 8 }).map((parts) => parts.join('')),
  unicodeText({ maxLength: 8 }),
  fc.constantFrom(
    'AND',
    'status=404',
    '::1',
    'http://a/b',
    '10.0.0.0/8',
    '1.2.3.*',
    '/a*,b',
    '-',
    '*',
    '""',
    '0',
  ),
);

const addresses = [
  '192.0.2.7',
  '192.0.2.9',
  '10.1.2.3',
  '1.2.3.0',
  '1.2.3.4',
  '2001:db8::1',
  '2001:db8:0:1::9',
] as const;

const ofField: Record<string, fc.Arbitrary<string>> = {
  status: fc.constantFrom('200', '404', '503', '5xx', '2xx', '0'),
  cache: fc.constantFrom('HIT', 'miss', '-', 'Odd', 'a,b'),
  ip: fc.constantFrom(
    ...addresses,
    '10.0.0.0/8',
    '2001:db8::/32',
    '192.0.2.0/24',
    '1.2.3.*',
    '::ffff:10.1.2.3',
  ),
  country: fc.constantFrom('DE', 'us', 'T1'),
  edge: fc.constantFrom('DE', 'de', 'LA', 'Ny'),
  url: fc.constantFrom('/login', '/login*', 'www.example.com/*', 'HTTPS://*', '*a*', 'example', 'https'),
  ua: fc.constantFrom('curl', 'Mozilla', 'MOZ*', '*bot*', 'curl/8.4.0'),
  id: fc.constantFrom('0123456789abcdef0123456789ABCDEF', '01234567-89ab-cdef-0123-456789abcdef', '0123*'),
  bytes: fc.constantFrom('0', '512', '>1k', '1k..2M', '<=512'),
  asn: fc.constantFrom('13335', 'AS64500'),
  scheme: fc.constantFrom('https', 'HTTP'),
};

/** Regular expressions as queries hold them, with what the grammar takes for something else elsewhere. */
export const REGEXES = [
  '/bot|crawl/i',
  '/^\\/api\\/v[12]\\//',
  '/[^/" ]+ b{2,3}$/',
  '/\\x{e9}|,-ip/',
  '/(?i:^curl\\b)/',
  '/"?~*:/i',
] as const;

function termArb(subject: QuerySubject): fc.Arbitrary<FieldTerm> {
  return fc.constantFrom(...fieldIds(subject)).chain((field) =>
    plain({
      kind: fc.constant('field' as const),
      field: fc.constant(field),
      op: fc.constantFrom(...((fieldRow(subject, field)?.ops ?? ['eq']) as TermOp[])),
      values: fc.array(fc.oneof(ofField[field] ?? oddText, ofField[field] ?? oddText, oddText), {
        minLength: 1,
        maxLength: 3,
      }),
      negated: fc.boolean(),
    }).map((term) => {
      const regexes = term.values.map(({ length }) => REGEXES[length % REGEXES.length] as string);
      return term.op === 'regex' ? { ...term, values: regexes } : term;
    }),
  );
}

const time = fc.integer({ min: 0, max: 4_102_444_800_000 });

/** Queries in the form that parsing gives: everything that a query can be. */
export function queryArb(subject: QuerySubject): fc.Arbitrary<Query> {
  const text = fc.oneof(
    plain({ kind: fc.constant('text' as const), value: oddText, negated: fc.boolean() }),
    plain({
      kind: fc.constant('text' as const),
      value: fc.constantFrom(...REGEXES),
      negated: fc.boolean(),
      isRegex: fc.constant(true as const),
    }),
  );
  const groupable = fieldIds(subject).filter((id) => fieldRow(subject, id)?.groups);
  return plain({
    terms: fc.array(fc.oneof(termArb(subject), termArb(subject), text), { maxLength: 4 }),
    window: fc.oneof(
      fc.constant(null),
      plain({ kind: fc.constant('last' as const), duration: fc.integer({ min: 1, max: 1e12 }) }),
      plain({
        kind: fc.constant('last' as const),
        duration: fc.integer({ min: 1, max: 9 }).map((n) => n * 3_600_000),
      }),
      plain({ kind: fc.constant('absolute' as const), from: time, to: fc.constant(null) }),
      fc
        .tuple(time, fc.integer({ min: 1, max: 1e10 }))
        .map(([from, length]) => ({ kind: 'absolute' as const, from, to: from + length })),
    ),
    groupBy: fc.uniqueArray(fc.constantFrom(...groupable), { maxLength: 3 }),
  }).map((query) => canonicalQuery(subject, query));
}

/** The one form of a query that `parseQuery` gives for it: canonical values and operators, nothing that matches all. */
export function canonicalQuery(subject: QuerySubject, query: Query): Query {
  const terms = query.terms.flatMap((term): Term[] => {
    if (term.kind === 'text') return term.value === '' ? [] : [term];
    const values = term.op === 'contains' ? term.values.filter((value) => value !== '') : term.values;
    return values.length === 0 ? [] : [canonicalTerm(subject, { ...term, values })];
  });
  const groupBy = [...new Set(query.groupBy.map((name) => fieldNamed(subject, name) ?? name))];
  return { ...query, terms, groupBy };
}

export const recordArb: fc.Arbitrary<LogRecord> = plain({
  statusCode: fc.constantFrom(200, 204, 304, 404, 500, 503, 0),
  cacheStatus: fc.constantFrom('HIT', 'MISS', '-', 'EXPIRED', 'Odd', 'hit'),
  bytesSent: fc.constantFrom(0, 512, 1000, 1001, 2_000_000),
  edgeLocation: fc.constantFrom('DE', 'de', 'LA', 'NY'),
  host: fc.constantFrom('www.example.com', 'cdn.example.com'),
  path: fc.constantFrom('/', '/login', '/LOGIN?next=/a', '/a/b.jpg', '/curl', '/x?u=http://y/login'),
  scheme: fc.constantFrom('http', 'https'),
  remoteIp: fc.constantFrom(...addresses, '1.2.3.*', '::ffff:10.1.2.3', 'unknown', '', null),
  countryCode: fc.constantFrom('DE', 'US', null),
  userAgent: fc.oneof(
    fc.constantFrom('curl/8.4.0', 'CURL', 'Mozilla/5.0 bot', '\u212airk', '', null),
    oddText,
  ),
  referer: fc.oneof(fc.constantFrom('https://www.example.com/', null), oddText),
  ja4Fingerprint: fc.constantFrom('t13d1516h2_8daaf6152771_b0da82dd1674', null),
  asn: fc.constantFrom('13335', '64500', null),
  asnOrganization: fc.constantFrom('Example Hosting', null),
  requestId: fc.constantFrom('0123456789abcdef0123456789abcdef', 'ffffffffffffffffffffffffffffffff', null),
}).map((part) => recordWith({ timestamp: NOW, ...part }));
