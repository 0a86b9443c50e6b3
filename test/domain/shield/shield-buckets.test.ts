import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ShieldSearchRequest } from '../../../src/domain/shield/shield.ts';
import {
  bucketSteps,
  MOST_BUCKETS,
  searchSince,
  stepsSince,
} from '../../../src/domain/shield/shield-buckets.ts';
import { fc, runs } from '../../support/properties.ts';

const RUNS = runs(500);
const NOON = Date.UTC(2026, 10, 20, 12);
const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];

test('a window that lengths of the clock fill is counted in these', () => {
  const stepOf = (span: number, cells: number) => bucketSteps({ from: NOON - span, to: NOON }, cells);
  assert.deepEqual(stepOf(HOUR, 110), { from: NOON - HOUR, step: MINUTE, count: 60 });
  assert.deepEqual(stepOf(HOUR, 50), { from: NOON - HOUR, step: 2 * MINUTE, count: 30 });
  assert.deepEqual(stepOf(15 * MINUTE, 110), { from: NOON - 15 * MINUTE, step: 10 * SECOND, count: 90 });
  assert.deepEqual(stepOf(24 * HOUR, 110), { from: NOON - 24 * HOUR, step: 15 * MINUTE, count: 96 });
});

test('a window of all that is kept has no whole hours, and is counted to its last second all the same', () => {
  const range = { from: NOON - 72 * HOUR + MINUTE, to: NOON };
  const { from, step, count } = bucketSteps(range, 110);
  assert.deepEqual([from, from + step * count], [range.from, range.to]);
  assert.ok(count >= 55 && count <= 110, `${count} steps`);
});

test('steps are whole ms, as many as allowed or fewer, within the window and all of it but some ms', () => {
  const spans = fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 72 * HOUR }));
  fc.assert(
    fc.property(
      spans,
      fc.integer({ min: 1, max: 900 }),
      fc.double({ min: 0, max: 0.9, noNaN: true }),
      (span, most, part) => {
        const range = { from: NOON - span + part, to: NOON + part };
        const { from, step, count } = bucketSteps(range, most);
        assert.ok(count >= 1 && count <= Math.min(most, MOST_BUCKETS));
        assert.ok(Number.isInteger(step) && step >= 1);
        assert.equal(from, Math.floor(range.from));
        const left = Math.floor(range.to) - (from + step * count);
        assert.ok(left >= 0 && left < count, `${left} ms are left out of ${span}`);
      },
    ),
    { numRuns: RUNS },
  );
});

test('of many counts of steps the one is taken that leaves least out', () => {
  // A prime number of ms, of which 97 steps leave one out.
  const span = 97 * 3000 + 1;
  const { step, count } = bucketSteps({ from: NOON, to: NOON + span }, 100);
  assert.ok(span - step * count <= 1);
});

test('what is too old by the time it is asked costs whole steps, and never the last one', () => {
  const steps = { from: NOON, step: MINUTE, count: 60 };
  const since = (ms: number) => stepsSince(steps, NOON + ms);
  assert.deepEqual(since(-5), steps);
  assert.deepEqual(since(0), steps);
  assert.deepEqual(since(1), { from: NOON + MINUTE, step: MINUTE, count: 59 });
  assert.deepEqual(since(MINUTE), { from: NOON + MINUTE, step: MINUTE, count: 59 });
  assert.deepEqual(since(2 * HOUR), { from: NOON + 59 * MINUTE, step: MINUTE, count: 1 });
});

test('a search that is begun later asks for the steps that it had', () => {
  const search: ShieldSearchRequest = {
    from: NOON,
    to: NOON + HOUR,
    query: null,
    filters: [],
    groupBy: ['action'],
    page: 0,
    pageSize: 500,
  };
  assert.deepEqual(searchSince(search, NOON + 90_000), { ...search, from: NOON + 90_000 });
  const counting = { ...search, buckets: 60 };
  assert.deepEqual(searchSince(counting, NOON + 90_000), {
    ...counting,
    from: NOON + 2 * MINUTE,
    buckets: 58,
  });
  assert.deepEqual(searchSince(counting, NOON), counting);
  // Groups keep their own beginning, and give up the steps that only decorate them.
  const decorated = { ...search, sparks: 8 };
  assert.deepEqual(searchSince(decorated, NOON + 90_000), { ...search, from: NOON + 90_000 });
  assert.deepEqual(searchSince(decorated, NOON), decorated);
});
