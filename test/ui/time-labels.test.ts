import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeLabel, timesToTell } from '../../src/across/timeline/painting/timeline-cells.ts';
import { createLook } from '../../src/paint/theme.ts';
import { inTimeZone } from '../support/time-zone.ts';

const LOCAL = createLook('default', false, false);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The labels of a range in local time, of a place. */
function labels(zone: string, from: number, to: number, every: number): string[] {
  return inTimeZone(zone, () =>
    [...timesToTell({ from, to }, every, LOCAL)].map((time) => timeLabel(time, every, LOCAL)),
  );
}

test('times stand where the clock of the place is round, also where that is half an hour off', () => {
  const noon = Date.UTC(2026, 10, 20, 12);
  assert.deepEqual(labels('Asia/Kolkata', noon, noon + 2 * HOUR, HOUR), ['18:00', '19:00']);
  assert.deepEqual(labels('Europe/Berlin', noon, noon + 2 * HOUR, HOUR), ['13:00', '14:00']);
});

test('days begin at midnight before and after the clock is set', () => {
  const autumn = Date.UTC(2026, 9, 23, 12);
  assert.deepEqual(labels('Europe/Berlin', autumn, autumn + 4 * DAY, DAY), [
    '10-24',
    '10-25',
    '10-26',
    '10-27',
  ]);
  const spring = Date.UTC(2026, 2, 27, 12);
  assert.deepEqual(labels('Europe/Berlin', spring, spring + 4 * DAY, DAY), [
    '03-28',
    '03-29',
    '03-30',
    '03-31',
  ]);
  assert.deepEqual(labels('Europe/Berlin', autumn + DAY, autumn + 3 * DAY, 12 * HOUR), [
    '00:00',
    '12:00',
    '00:00',
    '12:00',
  ]);
});
