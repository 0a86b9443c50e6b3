import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogRecord } from '../../src/domain/log.ts';
import { LogBook } from '../../src/domain/logs/log-book.ts';
import type { Term } from '../../src/domain/query/query.ts';
import { type LogSeriesId, partOfCache, partOfStatus, SERIES } from '../../src/domain/timeline/series.ts';
import { type Steps, stepAt } from '../../src/domain/timeline/steps.ts';
import { fc } from '../support/properties.ts';
import { LogModel, type ModelRow } from './log-model.ts';
import { anyRecord, RUNS, row } from './log-rows.ts';
import { codedOf, fill, someRows } from './many-rows.ts';

/** Rows in each step by the plainest count. */
function counted(rows: readonly ModelRow[], steps: Steps, series: LogSeriesId): number[][] {
  return Array.from({ length: steps.count }, (_, at) => {
    const { from, to } = stepAt(steps, at);
    const parts = SERIES[series].map(() => 0);
    for (const { record } of rows) {
      const time = Number.isNaN(record.timestamp) ? 0 : record.timestamp;
      if (time < from || time >= to) continue;
      const part = series === 'status' ? partOfStatus(record.statusCode) : partOfCache(record.cacheStatus);
      parts[part] = (parts[part] as number) + 1;
    }
    return parts;
  });
}

const status = (value: string): Term => ({
  kind: 'field',
  op: 'eq',
  negated: false,
  field: 'status',
  values: [value],
});
const anySeries = fc.constantFrom('status' as const, 'cache' as const);
/** Some that go on from others: what was counted of them is known. */
const anySteps = fc.record({
  from: fc.integer({ min: -2, max: 20 }).map((at) => at * 500),
  step: fc.constantFrom(250, 500, 1000, 20_000),
  count: fc.integer({ min: 1, max: 25 }),
});
const anyStep = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('append' as const),
      rows: fc.array(fc.record({ record: anyRecord, late: fc.boolean() }), { maxLength: 12 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('coded' as const),
      first: fc.integer({ min: 0, max: 900 }),
      count: fc.integer({ min: 1, max: 40 }),
    }),
  },
  fc.record({
    do: fc.constant('filter' as const),
    terms: fc.array(fc.constantFrom('404', '5xx', '2xx').map(status), { maxLength: 1 }),
  }),
  fc.record({ do: fc.constantFrom('freeze' as const, 'thaw' as const) }),
);
type Step = typeof anyStep extends fc.Arbitrary<infer S> ? S : never;

function take(step: Step, book: LogBook, model: LogModel): void {
  if (step.do === 'append') for (const it of [book, model]) it.append(step.rows);
  if (step.do === 'filter') for (const it of [book, model]) it.setFilter(step.terms);
  if (step.do === 'freeze') for (const it of [book, model]) it.freeze();
  if (step.do === 'thaw') for (const it of [book, model]) it.thaw();
  if (step.do !== 'coded') return;
  const records = someRows(step.first, step.count, 3);
  model.append(records.map((record) => ({ record, late: false })));
  book.append([{ coded: codedOf(records), late: null }]);
}

test('the timeline of a book is what a plain count of its view gives, whatever happens to it in whatever order', () => {
  const story = fc.array(fc.record({ step: anyStep, steps: anySteps, series: anySeries }), { maxLength: 25 });
  fc.assert(
    fc.property(story, fc.integer({ min: 1, max: 60 }), fc.boolean(), (told, capacity, isSteady) => {
      const [book, model] = [new LogBook({ capacity }), new LogModel(capacity)];
      const first = told[0];
      for (const { step, ...asked } of told) {
        take(step, book, model);
        // The same steps again and again, as on screen, or others each time.
        const { steps, series } = isSteady && first ? first : asked;
        assert.deepEqual(book.timeline.of(steps, series), counted(model.view, steps, series));
      }
    }),
    { numRuns: 5 * RUNS },
  );
});

test('the traffic of a time is the same as long as its version is, whatever happens to the book', () => {
  const story = fc.array(anyStep, { maxLength: 25 });
  let [kept, others] = [0, 0];
  fc.assert(
    fc.property(story, fc.integer({ min: 1, max: 60 }), anySteps, (told, capacity, { from, step, count }) => {
      const book = new LogBook({ capacity });
      const range = { from, to: from + step * count };
      const [seen, model] = [new Map<number, unknown>(), new LogModel(capacity)];
      for (const each of told) {
        take(each, book, model);
        const [version, { total }] = [book.versionOf(range), book.stats(range, 1)];
        if (seen.has(version)) kept++;
        else others++;
        assert.deepEqual(total, seen.get(version) ?? total);
        seen.set(version, total);
      }
    }),
    { numRuns: 5 * RUNS },
  );
  assert.ok(kept > 10 && others > 10, `${kept} times the same, ${others} times another`);
});

test('steps that move on by some keep what was counted of them', () => {
  const [book, model] = [new LogBook({ capacity: 400 }), new LogModel(400)];
  for (let n = 0; n < 60; n++) {
    const rows = someRows(n * 20, 20, n % 3).map((record) => ({ record, late: false }));
    for (const it of [book, model]) it.append(rows);
    const steps = { from: Math.floor(n / 8) * 800, step: 100, count: 60 };
    assert.deepEqual(book.timeline.of(steps, 'status'), counted(model.view, steps, 'status'));
  }
  assert.ok(book.evicted > 0);
});

test('blocks of rows that were never in order, and codes beyond a few hundred, count alike', () => {
  const book = new LogBook({ capacity: 100_000 });
  const records: LogRecord[] = Array.from({ length: 3000 }, (_, n) =>
    row({
      timestamp: (n * 7919) % 3001,
      statusCode: 100 + (n % 900),
      cacheStatus: n % 4 === 0 ? 'HIT' : 'STALE',
    }),
  );
  const rows = records.map((record) => ({ record, late: false }));
  book.append(rows);
  const steps = { from: 0, step: 500, count: 7 };
  const model = records.map((record) => ({ record, late: false, isHeld: false }));
  for (const series of ['status', 'cache', 'status'] as const)
    assert.deepEqual(book.timeline.of(steps, series), counted(model, steps, series));
});

test('rows that a filter was not asked about yet are in no count, and all are once it was', () => {
  const book = new LogBook({ capacity: 100_000, rowsAtOnce: 1000 });
  fill(book, 8000, 2);
  const steps = { from: -5000, step: 100_000, count: 1 };
  const sum = () => (book.timeline.of(steps, 'status')[0] ?? []).reduce((all, count) => all + count, 0);
  assert.equal(sum(), 8000);
  book.setFilter([status('5xx')]);
  assert.ok(book.filtering !== null);
  assert.ok(sum() < book.size / 11);
  assert.equal(sum(), book.rowsInView);
  book.settle();
  assert.equal(sum(), Math.ceil(8000 / 11));
});

test('the bulk of rows leaves a hundredth at either end alone', () => {
  const bulkOf = (times: readonly number[]) => {
    const book = new LogBook({ capacity: 10_000 });
    book.append(times.map((timestamp) => ({ record: row({ timestamp }), late: false })));
    return book.timeline.bulk;
  };
  assert.equal(bulkOf([]), null);
  assert.equal(bulkOf([1, 2]), null);
  assert.deepEqual(bulkOf([Number.NaN, 5000, 6000, 7000]), { from: 5000, to: 6000 });
  const thousand = Array.from({ length: 1000 }, (_, n) => n);
  assert.deepEqual(bulkOf(thousand), { from: 10, to: 989 });
});

test('a frozen view knows up to when its rows were there', () => {
  const book = new LogBook({ capacity: 100 });
  assert.equal(book.frozenAt, null);
  book.freeze();
  assert.equal(book.frozenAt, Number.NEGATIVE_INFINITY);
  book.thaw();
  book.append([{ record: row({ timestamp: 7000 }), late: false }]);
  book.freeze();
  book.append([{ record: row({ timestamp: 9000 }), late: false }]);
  book.freeze();
  assert.equal(book.frozenAt, 7000);
  book.thaw();
  assert.equal(book.frozenAt, null);
});
