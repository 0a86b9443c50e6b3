import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_POINT, type StatPoint } from '../../../src/domain/evidence/statistics.ts';
import { againstOthers, chosenSteps } from '../../../src/domain/evidence/statistics-baseline.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const T = Date.UTC(2026, 7, 20, 2);
const NOW = T + 5 * HOUR;

const point = (at: number, parts: Partial<StatPoint> = {}): StatPoint => ({ ...NO_POINT, at, ...parts });
const lineOf = (
  points: StatPoint[],
  steps: number[],
  name: string,
  step: 'hour' | 'day' = 'hour',
  now = NOW,
) =>
  againstOthers(
    points.toSorted((a, b) => a.at - b.at),
    steps,
    step,
    now,
  ).find((line) => line.name === name);

test('an hour is compared with the same hour of other days, and never with itself', () => {
  const days = [100, 120, 90].map((requests, i) => point(T - (i + 1) * DAY, { requests }));
  const line = lineOf(
    [...days, point(T, { requests: 9_000 }), point(T - HOUR, { requests: 1 })],
    [T],
    'requests',
  );
  assert.deepEqual(line, {
    name: 'requests',
    value: 9_000,
    others: { median: 100, lowest: 90, highest: 120, days: 3 },
    factor: 90,
  });
});

test('days after it count as well, but not one that may still grow', () => {
  const later = [
    point(T, { requests: 10 }),
    point(T + DAY, { requests: 30 }),
    point(T + 2 * DAY, { requests: 1 }),
  ];
  const at = (now: number) => lineOf(later, [T], 'requests', 'hour', now)?.others?.days;
  assert.equal(at(T + 2 * DAY + HOUR / 2), 1, 'the third is not over');
  assert.equal(at(T + 2 * DAY + HOUR + HOUR / 2), 1, 'and is told late by up to an hour');
  assert.equal(at(T + 2 * DAY + 2 * HOUR), 2);
});

test('of days it is the same day of other weeks', () => {
  const day = (n: number, requests: number) => point(Date.UTC(2026, 7, 20) - n * DAY, { requests });
  const points = [day(0, 70), day(1, 1), day(6, 2), day(7, 20), day(14, 40)];
  const line = lineOf(points, [Date.UTC(2026, 7, 20)], 'requests', 'day', NOW + 2 * DAY);
  assert.deepEqual(line?.others, { median: 30, lowest: 20, highest: 40, days: 2 });
});

test('several hours are taken together: counts added up, shares weighed; a day of which one is not told is left out', () => {
  const hours = (day: number, requests: number, hitRatio: number) => [
    point(T - day * DAY, { requests, hitRatio, serverErrors: 1 }),
    point(T + HOUR - day * DAY, { requests: 3 * requests, hitRatio: 1, serverErrors: 2 }),
  ];
  const [only = point(0)] = hours(3, 50, 0);
  const points = [...hours(0, 100, 0), ...hours(1, 10, 0.5), ...hours(2, 20, 1), only];
  const steps = [T, T + HOUR];
  assert.deepEqual(lineOf(points, steps, 'requests')?.others, {
    median: 60,
    lowest: 40,
    highest: 80,
    days: 2,
  });
  assert.equal(lineOf(points, steps, 'requests')?.value, 400);
  assert.equal(lineOf(points, steps, 'hitRatio')?.value, 0.75);
  assert.equal(lineOf(points, steps, 'serverErrors')?.factor, 1);
  assert.deepEqual(lineOf(points, steps, 'bytes'), {
    name: 'bytes',
    value: null,
    others: null,
    factor: null,
  });
});

test('more than a day is compared with as many hours of other times, that have none of it', () => {
  const points = Array.from({ length: 10 * 24 }, (_, n) => point(T - n * HOUR, { requests: 1 }));
  const steps = Array.from({ length: 30 }, (_, n) => T - (29 - n) * HOUR);
  assert.equal(lineOf(points, steps, 'requests')?.others?.days, 4);
});

test('the hours that begin in a window are chosen; what is not over or not told is no other hour', () => {
  const points = [-3, -2, -1].map((n) => point(T + n * HOUR));
  const steps = (from: number, to: number, now: number) => chosenSteps(points, { from, to }, 'hour', now);
  const half = HOUR / 2;
  assert.deepEqual(steps(T - half, T + half, T + half), { told: [], notTold: [], notOver: [T], late: [] });
  assert.deepEqual(steps(T, T + HOUR, T + HOUR + 1), { told: [], notTold: [T], notOver: [], late: [] });
  const last = T - HOUR;
  assert.deepEqual(steps(last, T, T), { told: [last], notTold: [], notOver: [], late: [last] });
  assert.deepEqual(steps(last, T, T + HOUR).late, []);
  assert.deepEqual(steps(T - 3 * HOUR, T + half, T + half).told.length, 3);
  assert.deepEqual(
    steps(last + 60_000, last + 120_000, T).told,
    [last],
    'of a shorter window: that it lies in',
  );
});
