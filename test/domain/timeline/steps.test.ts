import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coverOf, stepAt, stepOf, stepsFrom, stepsOf } from '../../../src/domain/timeline/steps.ts';
import { fc, runs } from '../../support/properties.ts';

const SECOND = 1000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOON = Date.UTC(2026, 10, 20, 12);

const anyRange = fc
  .record({ from: fc.integer({ min: 0, max: 2 * NOON }), length: fc.integer({ min: 1, max: 400 * DAY }) })
  .map(({ from, length }) => ({ from, to: from + length }));
const anyMost = fc.integer({ min: 20, max: 190 });

test('a range is cut into the shortest steps of the clock that there are cells for', () => {
  const lengths = (ms: number, most: number) => stepsOf({ from: NOON, to: NOON + ms }, most).step;
  assert.equal(lengths(1, 70), 1);
  assert.equal(lengths(70 * SECOND, 70), SECOND);
  assert.equal(lengths(71 * SECOND, 70), 2 * SECOND);
  assert.equal(lengths(72 * HOUR, 110), HOUR);
  assert.equal(lengths(365 * DAY, 110), 4 * DAY);
  assert.deepEqual(stepsOf({ from: NOON + 7, to: NOON + 4001 }, 5), { from: NOON, step: SECOND, count: 5 });
});

test('steps cover their range, begin on the clock and are never more than there are cells', () => {
  fc.assert(
    fc.property(anyRange, anyMost, fc.boolean(), ({ from, to }, most, isMoving) => {
      const steps = stepsOf({ from, to }, most, isMoving);
      assert.ok(steps.count >= 1 && steps.count <= most, `${steps.count} of ${most}`);
      assert.ok(steps.from <= from && stepAt(steps, steps.count - 1).to >= to);
      assert.equal(steps.from % steps.step, 0);
    }),
    { numRuns: runs(300) },
  );
});

test('a range that moves on keeps its first step for eight steps, and their length for good', () => {
  fc.assert(
    fc.property(anyRange, anyMost, fc.integer({ min: 1, max: 500 }), ({ from, to }, most, by) => {
      const before = stepsOf({ from, to }, most, true);
      const after = stepsOf({ from: from + by * 37, to: to + by * 37 }, most, true);
      assert.equal(after.step, before.step);
      assert.equal((after.from - before.from) % (8 * before.step), 0);
    }),
    { numRuns: runs(300) },
  );
});

test('steps of a window begin at its very start', () => {
  fc.assert(
    fc.property(anyRange, anyMost, (range, most) => {
      const steps = stepsFrom(range, most);
      assert.equal(steps.from, range.from);
      assert.ok(steps.count <= most && stepAt(steps, steps.count - 1).to >= range.to);
    }),
    { numRuns: runs(200) },
  );
});

test('a time lies in its step, and one outside in the nearest', () => {
  const steps = { from: 100, step: 10, count: 3 };
  assert.deepEqual(
    [99, 100, 109, 110, 129, 130, 999].map((time) => stepOf(steps, time)),
    [0, 0, 0, 1, 2, 2, 2],
  );
});

const STEPS = { from: 0, step: 10, count: 4 };
const ALL = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

test('a step is read when all of it is, in part when some is, a gap or unread when nothing is', () => {
  const cover = (o: Partial<Parameters<typeof coverOf>[1]>) =>
    coverOf(STEPS, { reads: [], gaps: [], range: ALL, end: 40, ...o }).join(' ');
  assert.equal(cover({ reads: [[{ from: 0, to: 40 }]] }), 'read read read read');
  assert.equal(cover({ reads: [[{ from: 5, to: 30 }]] }), 'part read read unread');
  assert.equal(cover({ reads: [[{ from: 0, to: 4 }, { from: 6, to: 20 }]] }), 'part read unread unread'); // biome-ignore format: one line, one case
  assert.equal(cover({ reads: [[{ from: 0, to: 12 }]], gaps: [{ from: 12, to: 25 }] }), 'read part gap unread'); // biome-ignore format: one line, one case
  assert.equal(cover({ reads: [[]] }), 'unread unread unread unread');
});

test('what is drawn of several zones is read where every one of them is', () => {
  const reads = [[{ from: 0, to: 40 }], [{ from: 10, to: 20 }]];
  assert.deepEqual(coverOf(STEPS, { reads, gaps: [], range: ALL, end: 40 }), [
    'part',
    'read',
    'part',
    'part',
  ]);
  assert.equal(coverOf(STEPS, { reads: [[], []], gaps: [], range: ALL, end: 40 })[0], 'unread');
});

test('a step that has not come is ahead, and the newest one may still grow', () => {
  const reads = [[{ from: 0, to: 25 }]];
  const at = (end: number) => coverOf(STEPS, { reads, gaps: [], range: ALL, end });
  assert.deepEqual(at(25), ['read', 'read', 'open', 'ahead']);
  assert.deepEqual(at(20), ['read', 'read', 'ahead', 'ahead']);
  // A file that is followed was read whatever the time is.
  assert.equal(coverOf(STEPS, { reads: [[ALL]], gaps: [], range: ALL, end: 25 })[2], 'open');
});

test('of a step that the window cuts only the part inside has to be read', () => {
  const range = { from: 5, to: 35 };
  const cover = coverOf(STEPS, { reads: [[range]], gaps: [], range, end: 35 });
  assert.deepEqual(cover, ['read', 'read', 'read', 'read']);
  const before = coverOf(STEPS, { reads: [[range]], gaps: [], range: { from: 10, to: 35 }, end: 35 });
  assert.equal(before[0], 'unread');
});

test('gaps of several zones that overlap add up to no less than nothing', () => {
  const gaps = [
    { from: 0, to: 40 },
    { from: 1, to: 2 },
  ];
  const cover = coverOf(STEPS, { reads: [[]], gaps, range: ALL, end: 40 });
  assert.deepEqual(cover, ['gap', 'gap', 'gap', 'gap']);
});
