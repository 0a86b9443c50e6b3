import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogRecord } from '../../../src/domain/log.ts';
import { matcher } from '../../../src/domain/query/match.ts';
import { shapeOf } from '../../../src/domain/query/path-shape.ts';
import { isNarrower, placeTerms, splitForServer } from '../../../src/domain/query/push-down.ts';
import { EMPTY_QUERY, type FieldTerm, type Query } from '../../../src/domain/query/query.ts';
import { parseQuery, printQuery } from '../../../src/domain/query/query-text.ts';
import { maskUrlSecrets } from '../../../src/text/mask.ts';
import { fc } from '../../support/properties.ts';
import { recordWith } from '../../support/rows.ts';
import { zoneOf } from '../../support/state.ts';
import { canonicalQuery, NOW, RUNS } from '../query-cases.ts';

function parsed(text: string): Query {
  const result = parseQuery(text, 'logs', NOW);
  assert.ok(result.ok, text);
  return result.query;
}

function asked(line: string): string | undefined {
  const { server, local } = splitForServer(parsed(line), zoneOf('4711', 'shop'));
  if (server.urlContains !== undefined) assert.ok(local.length > 0, `${line} is decided here`);
  return server.urlContains;
}

/** Pieces of URLs: words and what shapes fold, escapes, secrets, and what is odd about masks, patterns and cases. */
const PIECES = [
  '/',
  '/login',
  '/Shop/sale',
  '/a',
  '/reports/8123/export',
  '/2026/11/23/',
  '/img-800x600.jpg',
  '/de305d54-75b4-431b-adb2-eb6b9e546014',
  '/deadbeef01',
  '/one-two-three-four-five',
  '/x1y2z3w4',
  '/v2',
  '?',
  '?q=1',
  '&q=ask',
  '?token=s3cr3t',
  '&sig=AbC',
  '/bcdn_token=abc&expires=9/',
  '?items[]=5',
  ']',
  '[',
  'masked',
  '[masked]',
  '%20',
  '%2F%c3%a9',
  '%E4%B8%AD',
  '*',
  'é',
  '中',
  ' ',
  '+',
  'http://evil.example/',
  '://',
  '@',
  'mail@host.example',
  '<n>',
  '…',
  '%3Ftoken%3Dabc',
] as const;

const path = fc
  .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 5 })
  .map((pieces) => `/${pieces.join('')}`.replace(/^\/\//, '/'));

/** A row as the server has it, and as the program does. */
const row = fc
  .record({ host: fc.constantFrom('www.example.com', 'CDN.example.com'), path })
  .map(({ host, path }) => {
    const url = `https://${host}${path}`;
    return {
      text: host + path,
      record: recordWith({ host, path: maskUrlSecrets(path), url: maskUrlSecrets(url) }),
    };
  });

const FIELDS = ['path', 'page', 'shape', 'host', 'url'] as const;

/** A value of a field of some row, or a part of one, as it is or with runs of it left out. */
function valueFrom(
  { path, host, url }: LogRecord,
  field: string,
  from: number,
  to: number,
  op: string,
): string {
  const whole =
    { path, page: path.split('?')[0] || path, shape: shapeOf(path), host, url: url.slice(8) }[field] ?? '';
  const [start, end] = [Math.min(from, to) % (whole.length + 1), Math.max(from, to) % (whole.length + 1)];
  if (op === 'regex')
    return `/${RegExp.escape(whole.slice(0, start))}.*(?:${RegExp.escape(whole.slice(end))}|${RegExp.escape(whole.slice(end, end + 9))})/i`;
  if (op === 'contains') return whole.slice(Math.min(start, end), Math.max(start, end));
  return op === 'eq' ? whole : `${whole.slice(0, start)}*${whole.slice(Math.max(start, end))}`;
}

test('the server sends every row that the terms match, whatever it keeps back', () => {
  const seen = { matched: 0, narrowed: 0, hidden: 0 };
  const term = fc.record({
    field: fc.constantFrom(...FIELDS),
    op: fc.constantFrom<FieldTerm['op']>('eq', 'contains', 'wildcard', 'regex'),
    of: fc.array(fc.tuple(fc.nat(7), fc.nat(90), fc.nat(90)), { minLength: 1, maxLength: 3 }),
    negated: fc.boolean(),
    isLarge: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 8, maxLength: 8 }),
      fc.array(term, { minLength: 1, maxLength: 3 }),
      (rows, made) => {
        const terms = made.map(({ field, op, of, negated, isLarge }): FieldTerm => {
          const values = of.map(([at, from, to]) =>
            valueFrom((rows[at] as (typeof rows)[0]).record, field, from, to, op),
          );
          return {
            kind: 'field',
            field,
            op,
            values: isLarge && op !== 'regex' ? values.map((value) => value.toUpperCase()) : values,
            negated,
          };
        });
        const query = canonicalQuery('logs', { ...EMPTY_QUERY, terms });
        const { urlContains } = splitForServer(query, zoneOf('4711', 'shop')).server;
        const matches = matcher(query.terms);
        if (urlContains !== undefined) seen.narrowed++;
        for (const { text, record } of rows) {
          const isSent = text.toLowerCase().includes((urlContains ?? '').toLowerCase());
          if (!isSent) seen.hidden++;
          if (!matches(record)) continue;
          seen.matched++;
          assert.ok(isSent, `${printQuery(query)} matches ${record.url}, and ${urlContains} is asked for`);
        }
      },
    ),
    { numRuns: RUNS * 5 },
  );
  for (const [what, times] of Object.entries(seen)) assert.ok(times > RUNS / 2, `${what} ${times}`);
});

test('of a value the longest text is asked for that surely stands in the URL', () => {
  for (const [line, part] of [
    ['page:/login', '/login'],
    ['path:/login*', '/login'],
    ['path:*/wp-*/xmlrpc.php*', '/xmlrpc.php'],
    ['path~"Add To"', 'Add To'],
    ['shape:/reports/<n>/export', '/reports/'],
    ['shape~<uuid>', undefined],
    ['shape:/shop/item<n>*', '/shop/item'],
    ['host:www.example.com', 'www.example.com'],
    ['url:https://www.example.com/login', 'www.example.com/login'],
    ['url:http*://www.example.com/*', 'www.example.com/'],
    ['path:/caf%C3%A9', '/caf%C3%A9'],
    ['path:/café/menu', '/menu'],
    [`path:/${'a'.repeat(400)}`, `/${'a'.repeat(255)}`],
  ] as const)
    assert.equal(asked(line), part, line);
});

test('nothing is asked for that would save nothing, or leave out a row', () => {
  for (const line of [
    'page:/',
    'path:/a',
    'path:*',
    '-page:/login',
    'page:/login,""',
    'path:/login,/cart',
    'path:"  "',
    'page:é',
  ])
    assert.equal(asked(line), undefined, line);
});

test('of several values only what is in all of them is asked for', () => {
  assert.equal(asked('page:/shop/cart,/SHOP/sale'), '/shop/');
  assert.equal(asked('path:/shop/cart*,*/cart'), '/cart');
});

test('a user agent and a referer are asked for by a text in them, where not the whole term is', () => {
  const of = (line: string) => splitForServer(parsed(line), zoneOf('4711', 'shop')).server;
  assert.deepEqual(of('ua:curl/8.4.0'), { userAgentContains: 'curl/8.4.0' });
  assert.deepEqual(of('ua:*Chrome/1*,*Chrome/2*'), { userAgentContains: 'Chrome/' });
  assert.deepEqual(of(`ua~${'a'.repeat(300)}`), { userAgentContains: 'a'.repeat(256) });
  assert.deepEqual(of('referer:https://a.example/*'), { refererContains: 'https://a.example/' });
  assert.deepEqual(of('ua~bot,crawl path~a,b'), {});
});

test('a secret is no part of a request, nor is its mask', () => {
  assert.equal(asked('path:/video?token=[masked]&part=1'), '/video?token=');
  assert.equal(asked('path:/v?token=s3cr3t-and-long&a=1'), '/v?token=');
  for (const line of ['path~mask', 'path~masked', 'path:*[mas*', 'url~ked]'])
    assert.equal(asked(line), undefined, line);
  assert.equal(asked('path~/shop][['), '/shop][');
  assert.deepEqual(splitForServer(parsed('url~items[]=5'), zoneOf('4711', 'shop')), {
    server: { urlContains: 'items[]=5' },
    local: [],
  });
});

test('rows that were read of a page answer for less of it, and for nothing else', () => {
  const filterOf = (line: string) => splitForServer(parsed(line), zoneOf('4711', 'shop')).server;
  const held = filterOf('page:/shop/cart');
  for (const line of [
    'page:/shop/cart status:5xx',
    'path:/shop/cart*',
    'page:/shop/cart/pay',
    'url~/SHOP/CART',
  ])
    assert.ok(isNarrower(filterOf(line), held), line);
  for (const line of ['', 'page:/shop', 'status:5xx', 'page:/shop/cart,/shop/sale', '-page:/shop/cart'])
    assert.ok(!isNarrower(filterOf(line), held), line);
});

test('a page comes before a host, and else what was asked first', () => {
  assert.equal(asked('host:www.example.com page:/login'), '/login');
  assert.equal(asked('page:/login path~next=/cart'), '/login');
  const placed = placeTerms(parsed('page:/login url~next').terms, zoneOf('4711', 'shop'));
  assert.deepEqual(
    placed.map(({ runs }) => runs),
    ['narrowed', 'local'],
  );
});
