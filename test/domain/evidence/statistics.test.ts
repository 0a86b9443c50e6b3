import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statisticsByStatus } from '../../../src/domain/evidence/stat-steps.ts';
import { NO_POINT, usualAt } from '../../../src/domain/evidence/statistics.ts';

const HOUR = 3_600_000;
const T = Date.UTC(2026, 7, 20, 2);
const point = (at: number, requests: number | null) => ({ ...NO_POINT, at, requests });

test('what is usual is the middle of the same hour of other days, of three at least', () => {
  const days = [100, 120, 90, 5_000].map((requests, i) => point(T - (i + 1) * 24 * HOUR, requests));
  const others = [point(T - HOUR, 1), point(T, 999), point(T - 5 * 24 * HOUR, null)];
  assert.deepEqual(usualAt([...days, ...others], T, 'requests', 'hour'), { value: 110, days: 4 });
  assert.deepEqual(usualAt(days.slice(0, 3), T, 'requests', 'hour'), { value: 100, days: 3 });
  assert.equal(usualAt(days.slice(0, 2), T, 'requests', 'hour'), null);
  assert.equal(usualAt(days, T, 'serverErrors', 'hour'), null);
});

test('of days it is the same day of other weeks', () => {
  const days = Array.from({ length: 28 }, (_, i) => point(T - i * 24 * HOUR, i % 7 === 0 ? 10 : 20));
  assert.deepEqual(usualAt(days, T, 'requests', 'day'), { value: 10, days: 3 });
});

test('statistics are columns of a timeline: what is not told is none, and the newest hour is not all', () => {
  const full = { ...NO_POINT, requests: 100, serverErrors: 2, clientErrors: 3, redirects: 5 };
  const points = [
    { ...full, at: T },
    { ...NO_POINT, at: T + HOUR, requests: 7 },
    { ...full, at: T + 3 * HOUR, requests: 1 },
  ];
  const range = { from: T, to: T + 4 * HOUR };
  const { steps, counts, read } = statisticsByStatus(points, { range, step: 'hour', now: T + 4 * HOUR });
  assert.deepEqual(steps, { from: T, step: HOUR, count: 4 });
  assert.deepEqual(counts, [
    [2, 3, 5, 90, 0],
    [0, 0, 0, 0, 7],
    [0, 0, 0, 0, 0],
    [2, 3, 5, 0, 0],
  ]);
  assert.deepEqual(read, [
    { from: T, to: T + HOUR },
    { from: T + HOUR, to: T + 2 * HOUR },
  ]);
});
