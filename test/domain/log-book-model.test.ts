import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LogBook } from '../../src/domain/logs/log-book.ts';
import type { BookItem } from '../../src/domain/logs/order/log-gaps.ts';
import { NO_CAUSES } from '../../src/domain/origin-cause.ts';
import { fieldIds, logField } from '../../src/domain/query/fields.ts';
import type { Term } from '../../src/domain/query/query.ts';
import type { Gap } from '../../src/domain/tail/coverage.ts';
import { fc } from '../support/properties.ts';
import { LogModel } from './log-model.ts';
import { anyRecord, RUNS } from './log-rows.ts';

/** Fields that are parts of others, whichever there are. */
const DERIVED = fieldIds('logs').filter((id) => logField(id)?.derive);

const anyTerm: fc.Arbitrary<Term> = fc.oneof(
  fc.record({
    kind: fc.constant('text' as const),
    value: fc.constantFrom('login', 'LOGIN', '00000001', 'ä', 'example', 'https://a', 'broken', 'zzz'),
    negated: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('field' as const),
    ...{ op: fc.constant('eq' as const), negated: fc.boolean() },
    field: fc.constant('status'),
    values: fc.subarray(['404', '5xx', '2xx'], { minLength: 1 }),
  }),
  fc.record({
    kind: fc.constant('field' as const),
    op: fc.constantFrom('eq' as const, 'contains' as const, 'wildcard' as const),
    negated: fc.boolean(),
    field: fc.constantFrom('url', 'path', 'ua', 'host', 'id', 'ip', ...DERIVED),
    values: fc.subarray(
      ['/login*', 'a.example', 'item', '', '192.0.2.7', '*1', 'abcdef0123456789abcdef0123456789'],
      {
        minLength: 1,
        maxLength: 2,
      },
    ),
  }),
  fc.record({
    kind: fc.constant('field' as const),
    ...{ op: fc.constant('regex' as const), negated: fc.boolean() },
    field: fc.constantFrom('url', 'path', 'ua', 'host', 'id', 'ip', ...DERIVED),
    values: fc.subarray(['/LOGIN|item\\/[17]/i', '/^[^a]*[0-9]{3}/', '/^[0a]b?c?.*ef$/', '/example.*tem/'], {
      minLength: 1,
    }),
  }),
  fc.record({
    kind: fc.constant('field' as const),
    ...{ op: fc.constant('eq' as const), negated: fc.boolean() },
    field: fc.constantFrom('bytes'),
    values: fc.subarray(['>1000', '0', '17..2000'], { minLength: 1 }),
  }),
);

const anyGap: fc.Arbitrary<Gap> = fc.record({
  id: fc.uuid(),
  from: fc.integer({ min: -2, max: 42 }).map((t) => t * 250),
  to: fc.constant(20_000),
  reason: fc.constant('offline' as const),
  rows: fc.constant(null),
});

const anyStep = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('append' as const),
      rows: fc.array(fc.record({ record: anyRecord, late: fc.boolean() }), { maxLength: 12 }),
    }),
  },
  fc.record({ do: fc.constant('filter' as const), terms: fc.array(anyTerm, { maxLength: 2 }) }),
  fc.record({ do: fc.constantFrom('freeze' as const, 'thaw' as const) }),
  fc.record({ do: fc.constant('gaps' as const), gaps: fc.array(anyGap, { maxLength: 3 }) }),
  fc.record({
    do: fc.constant('search' as const),
    needle: fc.constantFrom('login', 'HTTP', 'ffff', '.example/'),
  }),
);
type Step = typeof anyStep extends fc.Arbitrary<infer S> ? S : never;

function take(step: Step, book: LogBook, model: LogModel): void {
  if (step.do === 'append') for (const it of [book, model]) it.append(step.rows);
  if (step.do === 'filter') for (const it of [book, model]) it.setFilter(step.terms);
  if (step.do === 'freeze') for (const it of [book, model]) it.freeze();
  if (step.do === 'thaw') for (const it of [book, model]) it.thaw();
  if (step.do === 'gaps') for (const it of [book, model]) it.setGaps(step.gaps);
  if (step.do === 'search') book.countMatches(step.needle, 0);
}

function seen(book: LogBook, item: BookItem | null): unknown {
  if (item === null || item.kind === 'gap') return item;
  return { record: book.record(item.id), late: book.isLate(item.id) };
}

function assertSame(book: LogBook, model: LogModel): void {
  const items = model.items;
  assert.equal(book.size, model.rows.length);
  assert.equal(book.evicted, model.evicted);
  assert.equal(book.hidden, model.rows.length - model.matching.length);
  assert.equal(book.backlog, model.matching.length - model.view.length);
  const newest = model.view.at(-1);
  const shown = newest === undefined ? 0 : model.matching.indexOf(newest) + 1;
  assert.equal(book.newer, model.matching.length - shown);
  assert.equal(book.length, items.length);
  items.forEach((item, i) => {
    const actual = book.at(i) as BookItem;
    const expected = item.kind === 'gap' ? item : { record: item.row.record, late: item.row.late };
    assert.deepEqual(seen(book, actual), expected);
    assert.equal(book.indexOf(actual), i);
  });
  assert.equal(book.at(items.length), null);
}

const story = fc.record({
  capacity: fc.integer({ min: 1, max: 60 }),
  steps: fc.array(anyStep, { maxLength: 25 }),
});

test('a book shows what a sorted array would, whatever happens to it in whatever order', () => {
  fc.assert(
    fc.property(story, ({ capacity, steps }) => {
      const [book, model] = [new LogBook({ capacity }), new LogModel(capacity)];
      for (const step of steps) {
        const before = book.version;
        take(step, book, model);
        if (step.do === 'gaps') assert.ok(book.version > before);
        assertSame(book, model);
      }
    }),
    { numRuns: RUNS },
  );
});

test('search finds the rows that free text would match, from any place in either direction', () => {
  fc.assert(
    fc.property(
      story,
      fc.constantFrom('login', 'ffff', '00000', 'example/', 'É', 'item/1'),
      ({ capacity, steps }, needle) => {
        const [book, model] = [new LogBook({ capacity }), new LogModel(capacity)];
        book.countMatches(needle, 0);
        for (const step of steps) take(step, book, model);
        const found = model.found(needle);
        for (let i = -1; i <= book.length; i++) {
          assert.equal(book.search(needle, i, 1), found.find((at) => at >= i) ?? null);
          assert.equal(book.search(needle, i, -1), found.findLast((at) => at <= i) ?? null);
          assert.deepEqual(book.countMatches(needle, i), {
            index: found.filter((at) => at <= i).length,
            total: found.length,
          });
        }
      },
    ),
    { numRuns: RUNS },
  );
});

test('groups are those of the rows in the view, the largest first', () => {
  const fields = fc.constantFrom(
    ['cache'],
    ['ip', 'status'],
    ['url'],
    ['host', 'path', 'ua'],
    ['id'],
    ['asn', 'url'],
    [...DERIVED],
    ['page', 'url'],
    [],
  );
  fc.assert(
    fc.property(story, fields, fc.integer({ min: 1, max: 5 }), ({ capacity, steps }, by, limit) => {
      const [book, model] = [new LogBook({ capacity }), new LogModel(capacity)];
      for (const step of steps) take(step, book, model);
      const all = book.groupBy(by, 1_000);
      const expected = model.groups(by);
      const sorted = (groups: readonly unknown[]) => groups.map((group) => JSON.stringify(group)).sort();
      assert.deepEqual(sorted(all.groups), sorted(expected));
      assert.equal(all.total, expected.length);
      assert.equal(all.rows, model.view.length);
      assert.deepEqual(
        all.groups.map((group) => group.count),
        all.groups.map((group) => group.count).sort((a, b) => b - a),
      );
      assert.deepEqual(book.groupBy(by, limit).groups, all.groups.slice(0, limit));
    }),
    { numRuns: RUNS },
  );
});

test('values of a field are those of the kept rows, with their numbers of rows', () => {
  const fields = fc.constantFrom(
    'cache',
    'status',
    'ip',
    'ua',
    'host',
    'path',
    'url',
    'id',
    'bytes',
    'asn',
    ...DERIVED,
  );
  fc.assert(
    fc.property(story, fields, fc.integer({ min: 1, max: 5 }), ({ capacity, steps }, field, limit) => {
      const [book, model] = [new LogBook({ capacity }), new LogModel(capacity)];
      for (const step of steps) take(step, book, model);
      const all = book.distinct(field, 1_000);
      const expected = new Map<string, number>();
      for (const { record } of model.rows) {
        const value = logField(field)?.get(record, NO_CAUSES)?.toString() ?? '';
        if (value !== '') expected.set(value, (expected.get(value) ?? 0) + 1);
      }
      assert.deepEqual(new Map(all.map(({ value, count }) => [value, count])), expected);
      assert.deepEqual(
        all.map(({ count }) => count),
        all.map(({ count }) => count).sort((a, b) => b - a),
      );
      assert.deepEqual(book.distinct(field, limit), all.slice(0, limit));
    }),
    { numRuns: RUNS },
  );
});

test('traffic of any range is exact after late rows, eviction and a change of filter', () => {
  const range = fc.tuple(fc.integer({ min: -1_000, max: 11_000 }), fc.integer({ min: 0, max: 12_000 }));
  fc.assert(
    fc.property(
      story,
      range,
      fc.integer({ min: 1, max: 7 }),
      ({ capacity, steps }, [from, length], buckets) => {
        const [book, model] = [new LogBook({ capacity }), new LogModel(capacity)];
        for (const step of steps) {
          take(step, book, model);
          const whole = { from, to: from + length * buckets };
          const { total, buckets: cut } = book.stats(whole, buckets);
          assert.deepEqual(total, model.traffic(whole));
          for (const { from, to, ...traffic } of cut) assert.deepEqual(traffic, model.traffic({ from, to }));
          assert.equal(cut.length, buckets);
        }
      },
    ),
    { numRuns: RUNS },
  );
});
