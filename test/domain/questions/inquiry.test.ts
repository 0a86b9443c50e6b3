import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partOf } from '../../../src/domain/inquiry/inquiry.ts';
import type { LogRecord } from '../../../src/domain/log.ts';

const RANGE = { from: 0, to: 100 };
const answerOf = (times: readonly number[], hasMore: boolean) => ({
  kind: 'logs' as const,
  records: times.map((timestamp) => ({ timestamp, raw: null }) as LogRecord),
  hasMore,
});
const timesOf = (rows: readonly LogRecord[]) => rows.map(({ timestamp }) => timestamp);

test('a row at the end of a slice is counted in the next one alone', () => {
  assert.deepEqual(timesOf(partOf(RANGE, answerOf([10, 99, 100], false)).records), [10, 99]);
});

test('an answer in order that holds more covers the time before its last row', () => {
  const { covered, left, records } = partOf(RANGE, answerOf([10, 20, 20], true));
  assert.deepEqual([timesOf(records), covered, left], [[10], [{ from: 0, to: 20 }], { from: 20, to: 100 }]);
});

test('an answer in no order that holds more covers nothing', () => {
  const { covered, left, records } = partOf(RANGE, answerOf([70, 20, 90], true));
  assert.deepEqual([timesOf(records), covered, left], [[], [], RANGE]);
});

test('of a slice whose start is too old the rest alone is covered, in whatever order it comes', () => {
  const gone = { from: 0, to: 40 };
  const whole = partOf(RANGE, { ...answerOf([30, 50, 100], false), gone });
  assert.deepEqual(
    [timesOf(whole.records), whole.covered, whole.left],
    [[50], [{ from: 40, to: 100 }], null],
  );
  const unsorted = partOf(RANGE, { ...answerOf([70, 50, 90], true), gone });
  assert.deepEqual(
    [timesOf(unsorted.records), unsorted.covered, unsorted.left],
    [[], [], { from: 40, to: 100 }],
  );
});

test('of a slice that a store answers a part of, what it lacks is not covered, and what is not its own is left', () => {
  const gap = { id: 'a', from: 20, to: 30, reason: 'overload' as const, rows: null };
  const stored = { gaps: [gap], next: null, here: [], hidden: 0, read: null };
  const part = { from: 0, to: 60 };
  const { records, covered, left } = partOf(RANGE, { ...answerOf([10, 40], false), part, stored });
  assert.deepEqual(timesOf(records), [10, 40]);
  assert.deepEqual(covered, [
    { from: 0, to: 20 },
    { from: 30, to: 60 },
  ]);
  assert.deepEqual(left, { from: 60, to: 100 });
});

test('of a slice with rows that nobody asked for nothing is covered', () => {
  const strays = { outside: 2, ofOthers: 0 };
  const { records, covered, left } = partOf(RANGE, { ...answerOf([10, 40], false), strays });
  assert.deepEqual([timesOf(records), covered, left], [[10, 40], [], null]);
});
