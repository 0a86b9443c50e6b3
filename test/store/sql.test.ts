import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { LogRecord } from '../../src/domain/log.ts';
import { LOG_FIELDS, type LogField } from '../../src/domain/query/fields.ts';
import type { Term } from '../../src/domain/query/query.ts';
import { LOG_SERIES } from '../../src/domain/timeline/series.ts';
import { countingOf } from '../../src/store/history.ts';
import { KEY } from '../../src/store/sql/columns.ts';
import { ALIENS, DIALECTS, type Dialect } from '../../src/store/sql/dialect.ts';
import { type Place, schemaOf } from '../../src/store/sql/schema.ts';
import { literalCount, name, type Sql, sql, statementOf, text, whole } from '../../src/store/sql/sql.ts';
import { type Asking, groupsOf, pageOfRows, rowsFound, stepsSql } from '../../src/store/sql/statements.ts';
import { DERIVED_VERSION, recordOfStored } from '../../src/store/sql/stored-row.ts';
import { timeSums, topValuesSql } from '../../src/store/sql/tallies.ts';
import { recordOf } from '../support/state.ts';
import { storedRow } from '../support/stored.ts';

const BOTH = Object.values(DIALECTS) as Dialect[];
const STEPS = { from: 0, step: 1, count: 9 };
const MARK = 'zq7"\'`;--';

test('no value of a question is in the text of a statement, in any dialect', () => {
  const place = {
    timestamp: 1,
    id: MARK,
    pullZoneId: MARK,
    statusCode: 1,
    cacheStatus: MARK,
  };
  for (const dialect of BOTH) {
    const asking: Asking = { dialect, table: sql`requests`, derivedAsNow: true };
    for (const term of termsOf(MARK)) {
      const zones = [{ ids: [MARK], anonymisation: 'lastOctet' as const }];
      const { where } = rowsFound({ zones, range: { from: 0, to: 9 }, terms: [term] }, asking);
      for (const question of [
        pageOfRows(where, asking, { order: 'desc', after: place, limit: 5 }),
        groupsOf(where, asking, ['page', 'url', 'status'], 5)?.question ?? null,
        topValuesSql(where, asking, { fields: ['page', 'status'], most: 5, sums: true }),
        timeSums(where, asking, [
          { from: 0, to: 1 },
          { from: 1, to: 2 },
        ]),
        ...LOG_SERIES.map((series) => stepsSql(where, asking, { from: 0, step: 1, count: 9 }, series)),
      ]) {
        const statement = written(question as Sql, dialect);
        assert.ok(!statement.text.includes('zq7'), statement.text);
        assert.ok(
          statement.params.some(({ value }) => String(value).includes('zq7')),
          JSON.stringify(term),
        );
      }
    }
  }
});

test('a field that another function derived is counted by no engine', () => {
  const [dialect] = BOTH;
  assert.ok(dialect);
  const asking: Asking = { dialect, table: sql`requests`, derivedAsNow: false };
  const where = sql`1 = 1`;
  const of = { most: 5, sums: false, steps: STEPS, share: 50, least: 2 };
  assert.notEqual(topValuesSql(where, asking, { ...of, fields: ['status', 'path'] }), null);
  assert.equal(topValuesSql(where, asking, { ...of, fields: ['status', 'shape'] }), null);
  // What an expression derives is derived when it is asked for.
  assert.notEqual(topValuesSql(where, asking, { ...of, fields: ['page', 'net'] }), null);
});

test('a field without a column is left out of a count that may lack some, and no other count', () => {
  const [dialect] = BOTH;
  assert.ok(dialect);
  const asking: Asking = { dialect, table: sql`requests`, derivedAsNow: true };
  const of = { kind: 'values', fields: ['status', 'cause', 'host'], most: 5, sums: false } as const;
  assert.equal(countingOf(sql`1 = 1`, asking, of), null);
  const counting = countingOf(sql`1 = 1`, asking, { ...of, mayLack: true });
  const counts = counting?.read([]);
  assert.ok(counts?.kind === 'values');
  assert.deepEqual([...counts.fields.keys()], ['status', 'host']);
  const derivedOtherwise = { ...asking, derivedAsNow: false };
  const withShape = { ...of, fields: ['status', 'shape'], mayLack: true } as const;
  assert.equal(countingOf(sql`1 = 1`, derivedOtherwise, withShape), null);
});

test('a name that would need quotes, and a number that is not whole, make no statement', () => {
  for (const odd of ['', 'a b', 'a.b', 'a`', '1a', 'a;DROP', 'é', 'a'.repeat(64)])
    assert.throws(() => name(odd), RangeError);
  for (const odd of [-1, 1.5, Number.NaN, 2 ** 53]) assert.throws(() => literalCount(odd), RangeError);
  for (const odd of [1.5, Number.NaN, 2 ** 53]) assert.throws(() => whole(odd), RangeError);
});

test('parameters are numbered as they stand, each where its engine looks for it', () => {
  const of = sql`a = ${text('x')} AND b = ${whole(7)} AND c = ${text('x')}`;
  assert.equal(
    written(of, DIALECTS.clickhouse).text,
    'a = {p0:String} AND b = {p1:Int64} AND c = {p2:String}',
  );
  assert.equal(written(of, DIALECTS.duckdb).text, 'a = $1 AND b = $2::BIGINT AND c = $3');
});

test('the letters whose small form has a letter of ASCII are the two that are known', () => {
  const found = new Map<string, string>();
  for (let code = 0x80; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const letter = String.fromCodePoint(code);
    const small = letter.toLowerCase();
    if (/[\0-\x7f]/.test(small)) found.set(letter, small);
  }
  assert.deepEqual(
    [...found],
    [...ALIENS].map(([alien, { small }]) => [alien, small]),
  );
});

test('fields are derived as the version says; where another value comes here, raise DERIVED_VERSION', () => {
  const paths = [
    ...['/', '/login?next=1', '/reports/8123/export', '/a/2026-11-23/b', '/v2/users/9f86d081884c7d65'],
    ...['/img/800x600/a.jpg', '/four-words-are-a-slug', '/u/someone%40example.com', '?q=1', ''],
  ];
  const addresses = ['192.0.2.7', '192.0.2.*', '10.*', '2001:db8:1:2::3', '::ffff:192.0.2.7', 'unknown', ''];
  const derived = [
    ...paths.map((path) => storedRow({ ...recordOf(0), path })),
    ...addresses.map((remoteIp) => storedRow({ ...recordOf(0), remoteIp })),
  ].map(({ shape, address, prefix, remoteIp }) => [shape, address, prefix, remoteIp]);
  const hash = createHash('sha256').update(JSON.stringify(derived)).digest('hex').slice(0, 16);
  assert.deepEqual([DERIVED_VERSION, hash], [2, '837ffe99f1200f81']);
});

test('an id and an address come back as they were logged, however they are written', () => {
  const hex = '0a1b2c3d4e5f60718293a4b5c6d7e8f9';
  const ids = [hex, hex.toUpperCase(), '0'.repeat(32), `${hex}0`, `${hex.slice(1)}g`, 'odd', 'nul\0', null];
  const addresses = [
    ...[
      '192.0.2.7',
      '192.0.2.0',
      '192.0.2.*',
      '192.0.*',
      '10.*.*.*',
      '0.0.0.0',
      '255.255.255.255',
      '010.1.2.3',
    ],
    ...[
      '2001:db8::1',
      '2001:DB8::1',
      '2001:db8:0:0:0:0:0:1',
      '2001:db8::1:0:0:1',
      '2001:0:0:1::',
      '::',
      '::1',
    ],
    ...[
      '::ffff:192.0.2.7',
      '::192.0.2.7',
      '64:ff9b::1',
      'fe80::1%eth0',
      '192.0.2.0/24',
      'unknown',
      '\x1b[31m',
      null,
    ],
  ];
  const back = (record: LogRecord) => recordOfStored(storedRow(record));
  for (const requestId of ids) assert.equal(back(recordOf(1, { requestId })).requestId, requestId);
  for (const remoteIp of addresses) assert.equal(back(recordOf(1, { remoteIp })).remoteIp, remoteIp);
  // What is told apart is no other row.
  assert.equal(new Set(ids.map((requestId) => storedRow(recordOf(1, { requestId })).id)).size, ids.length);
});

test('the tables of a cluster are one on every node and a distributed one over them; copies of a row meet on one node', () => {
  const place: Place = { dialect: 'clickhouse', database: 'edge', cluster: 'main', days: 90 };
  const texts = schemaOf(place).map((each) => written(each, DIALECTS.clickhouse).text);
  assert.ok(texts.every((each) => each.includes(' ON CLUSTER main')));
  const local = texts.find((each) => each.includes('edge.requests_local ON CLUSTER main ('));
  assert.match(local ?? '', /ReplicatedReplacingMergeTree\('[^']+', '\{replica\}', detail\)/);
  assert.match(local ?? '', /TTL toDateTime\(timestamp\) \+ INTERVAL 90 DAY/);
  assert.ok(
    texts.some((each) =>
      each.endsWith('ENGINE = Distributed(main, edge, requests_local, cityHash64(pullZoneId, id))'),
    ),
  );
  // What a shard is chosen by is a part of what makes two rows one.
  for (const each of ['pullZoneId', 'id'] as const) assert.ok(KEY.includes(each));
});

function termsOf(value: string): Term[] {
  const fields = Object.entries<LogField>(LOG_FIELDS).filter(
    ([, { compare }]) => !['status', 'amount'].includes(compare),
  );
  return [
    { kind: 'text', value, negated: false },
    ...fields.flatMap(([field, { ops }]) =>
      ops.map(
        (op): Term => ({
          kind: 'field',
          field,
          op,
          values: [op === 'wildcard' ? `${value}*` : value],
          negated: true,
        }),
      ),
    ),
  ];
}

function written(of: Sql, dialect: Dialect): ReturnType<typeof statementOf> {
  return statementOf(of, dialect.placeholder);
}

test('what origin errors tell is no condition of a store, and no group of it: why is said', () => {
  const term: Term = { kind: 'field', field: 'cause', op: 'eq', values: ['dns_lookup'], negated: false };
  for (const dialect of BOTH) {
    const asking: Asking = { dialect, table: sql`requests`, derivedAsNow: true };
    const zones = [{ ids: ['1'], anonymisation: 'none' as const }];
    const { where, here } = rowsFound({ zones, range: { from: 0, to: 1 }, terms: [term] }, asking);
    assert.deepEqual(here, [{ term, why: 'cause is not stored: origin errors tell it' }]);
    assert.equal(groupsOf(where, asking, ['cause'], 10), null);
  }
});
