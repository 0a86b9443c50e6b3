import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogRecord } from '../../src/domain/log.ts';
import { partOf } from '../../src/domain/questions/inquiry.ts';

const RANGE = { from: 0, to: 100 };
const rowsAt = (...times: number[]) => times.map((timestamp) => ({ timestamp, raw: null }) as LogRecord);
const timesOf = (rows: readonly LogRecord[]) => rows.map(({ timestamp }) => timestamp);

test('a row at the end of a slice is counted in the next one alone', () => {
  assert.deepEqual(timesOf(partOf(RANGE, rowsAt(10, 99, 100), false).records), [10, 99]);
});

test('an answer in order that holds more covers the time before its last row', () => {
  const { covered, left, records } = partOf(RANGE, rowsAt(10, 20, 20), true);
  assert.deepEqual([timesOf(records), covered, left], [[10], { from: 0, to: 20 }, { from: 20, to: 100 }]);
});

test('an answer in no order that holds more covers nothing', () => {
  const { covered, left, records } = partOf(RANGE, rowsAt(70, 20, 90), true);
  assert.deepEqual([timesOf(records), covered, left], [[], null, RANGE]);
});
