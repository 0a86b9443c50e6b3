import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogRecord } from '../../src/domain/log.ts';
import { createRowCounter } from '../../src/domain/logs/counted/count-rows.ts';
import { isCut, joinedCounts } from '../../src/domain/logs/counted/join-counts.ts';
import { QueryStrings } from '../../src/domain/logs/counted/query-strings.ts';
import { type Counting, type Counts, partOfCounts } from '../../src/domain/logs/counts.ts';
import { termOfAny } from '../../src/domain/query/query.ts';
import { countsOf } from '../support/counts.ts';
import { fc } from '../support/properties.ts';
import { recordOf } from '../support/state.ts';
import { anyRecord, RUNS, row } from './log-rows.ts';

const ALL = { from: 0, to: 1e15 };
const HALVES = [
  { from: 0, to: 4_000 },
  { from: 4_000, to: ALL.to },
];
const FIELDS = ['host', 'page', 'status', 'shape', 'net', 'botNamed', 'loginPath'];
const COUNTINGS: Counting[] = [
  { kind: 'values', fields: FIELDS, most: 2, sums: true },
  { kind: 'values', fields: ['host'], most: 9, sums: false, only: new Map([['host', ['a', 'b.example']]]) },
  { kind: 'times', times: HALVES },
  { kind: 'groups', by: ['status', 'cache'], most: 100 },
  { kind: 'groups', by: [], most: 1 },
  { kind: 'queryStrings', most: 100 },
  { kind: 'parameters', pages: ['/', '/a'] },
];

/** Which of equal values or groups comes first is nobody's promise. */
function sorted(counts: Counts): unknown {
  const text = (list: readonly unknown[]) => list.map((each) => JSON.stringify(each)).sort();
  switch (counts.kind) {
    case 'values':
      return [...counts.fields].map(([id, { values, distinct, blank }]) => [
        ...[id, counts.rows, distinct, blank, values.map(({ count }) => count)],
      ]);
    case 'times':
      return text(counts.times);
    case 'groups':
      return [counts.total, counts.rows, text(counts.groups)];
    case 'several':
      return counts.parts.map((part) => (part.kind === 'none' ? part : sorted(part)));
    default:
      return counts;
  }
}

test('rows counted as they come, in any order and in any turns, are counted as the plainest way counts them', () => {
  const terms = [termOfAny('status', ['2xx', '5xx'])];
  fc.assert(
    fc.property(fc.array(anyRecord), fc.nat(), (records, n) => {
      const at = n % (records.length + 1);
      const other = { of: COUNTINGS[0], terms: [] };
      const all = { kind: 'several', parts: [...COUNTINGS.map((of) => ({ of })), other] } as Counting;
      const asked = { terms, anonymisation: 'none', of: all } as const;
      const counter = createRowCounter(asked);
      for (const record of records.slice(at)) counter.add(record);
      // What was told is of the rows so far, and does not change as more come.
      const part = counter.counts();
      const then = JSON.stringify(sorted(part));
      for (const record of records.slice(0, at)) counter.add(record);
      assert.equal(JSON.stringify(sorted(part)), then);
      assert.deepEqual(sorted(counter.counts()), sorted(countsOf(records, [ALL], asked)));
    }),
    { numRuns: RUNS },
  );
});

test('two lots of rows together are what all of them are', () => {
  const parts = [
    { of: { kind: 'values', fields: FIELDS, most: 1_000, sums: true } },
    { of: { kind: 'times', times: HALVES } },
    { of: { kind: 'groups', by: ['status', 'cache'], most: 100 } },
    { of: { kind: 'groups', by: [], most: 1 } },
  ] as const;
  const asked = { terms: [], anonymisation: 'none', of: { kind: 'several', parts } } as const;
  fc.assert(
    fc.property(fc.array(anyRecord), fc.nat(), (records, n) => {
      const at = n % (records.length + 1);
      const lots = [records.slice(0, at), records.slice(at)].map((rows) => {
        const counter = createRowCounter(asked);
        for (const record of rows) counter.add(record);
        return counter.counts();
      });
      const joined = joinedCounts(lots);
      assert.ok(joined);
      assert.deepEqual(sorted(joined), sorted(countsOf(records, [ALL], asked)));
    }),
    { numRuns: RUNS },
  );
  assert.equal(joinedCounts([]), null);
});

test('of more values than are told apart the others are in the number of rows alone, and that is said', () => {
  const of = { kind: 'values', fields: ['path'], most: 1_000, sums: false } as const;
  const counter = createRowCounter({ terms: [], anonymisation: 'none', of });
  for (let n = 0; n < 1_500; n++) counter.add(recordOf(n, { path: `/${n % 1_200}` }));
  const counts = counter.counts();
  assert.ok(counts.kind === 'values');
  const field = counts.fields.get('path') ?? assert.fail();
  assert.deepEqual([counts.rows, field.values.length, field.distinct], [1_500, 1_000, null]);
  assert.ok(isCut(field));
  // A value that one lot does not know whole is known of none.
  const more = createRowCounter({ terms: [], anonymisation: 'none', of });
  for (const path of ['/1', '/1', '/1100']) more.add(recordOf(1, { path }));
  const joined = partOfCounts(joinedCounts([counts, more.counts()]) ?? assert.fail(), 'values');
  const values = new Map(joined?.fields.get('path')?.values.map(({ value, count }) => [value, count]));
  assert.deepEqual([values.get('/1'), values.get('/1100'), joined?.rows], [4, undefined, 1_503]);
  assert.equal(joined?.fields.get('path')?.distinct, null);
});

test('a part that one lot gave up is known of neither, and a field that one has no column for is in none', () => {
  const values = (ids: readonly string[]): Counts => ({
    kind: 'values',
    rows: 1,
    fields: new Map(ids.map((id) => [id, { values: [], distinct: 0, blank: 0 }])),
  });
  const joined = joinedCounts([
    { kind: 'several', parts: [values(['a', 'b']), { kind: 'none', why: 'too much' }] as never },
    {
      kind: 'several',
      parts: [values(['a']), { kind: 'queryStrings', pages: [], total: 0, unlisted: 0 }] as never,
    },
  ]);
  assert.ok(joined?.kind === 'several');
  assert.deepEqual([...(partOfCounts(joined, 'values')?.fields.keys() ?? [])], ['a']);
  assert.deepEqual(joined.parts[1], { kind: 'none', why: 'too much' });
});

test('query strings are counted exactly up to the bound, and then as at least so many', () => {
  const strings = new QueryStrings(2);
  for (let i = 0; i < 20_050; i++) strings.add(`/a?id=${i}&page=${i % 3}`);
  for (const path of ['/a', '/b?x=1', '/b?x=1', '/c?x=1', '/c']) strings.add(path);
  const { pages, total, unlisted } = strings.counts(9);
  assert.deepEqual(pages, [
    { page: '/a', requests: 20_051, distinct: 20_000, mostDistinct: 20_050 },
    { page: '/b', requests: 2, distinct: 1 },
  ]);
  // The third page has no name; one row of it has a query string.
  assert.deepEqual([total, unlisted, strings.counts(1).unlisted], [2, 1, 1]);
  assert.deepEqual(
    strings.parameters('/a').map(({ name }) => name),
    ['id', 'page'],
  );
  const huge = new QueryStrings(1);
  for (let i = 0; i < 9; i++) huge.add(`/c?${i}${'x'.repeat(1_000_000)}`);
  assert.deepEqual(huge.counts(1).pages, [{ page: '/c', requests: 9, distinct: 7, mostDistinct: 9 }]);
});

test('of two lots there are at least as many query strings as one has, and at most those of both', () => {
  const lotOf = (records: readonly LogRecord[], most: number) => {
    const of = { kind: 'queryStrings', most } as const;
    return countsOf(records, [ALL], { terms: [], anonymisation: 'none', of });
  };
  const rows = (page: string, n: number) =>
    Array.from({ length: n }, (_, at) => row({ path: `${page}?q=${at}` }));
  const joined = joinedCounts([
    lotOf([...rows('/a', 5), ...rows('/b', 3)], 1),
    lotOf([...rows('/a', 2), ...rows('/b', 4)], 9),
  ]);
  assert.ok(joined?.kind === 'queryStrings');
  assert.deepEqual(joined.pages, [
    { page: '/a', requests: 7, distinct: 5, mostDistinct: 7 },
    // The list that leaves it out has one of five first.
    { page: '/b', requests: 4, distinct: 4, mostDistinct: 9 },
  ]);
  assert.equal(joined.unlisted, 5);
});
