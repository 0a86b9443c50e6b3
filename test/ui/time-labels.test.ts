import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labelStep, timeLabel, timesToTell } from '../../src/across/timeline/painting/time-labels.ts';
import { createLook } from '../../src/paint/theme.ts';
import { fc, runs } from '../support/properties.ts';
import { inTimeZone } from '../support/time-zone.ts';

const UTC = createLook('default', false, true);
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

test('labels have blank between them, however much time there is in a cell', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.01, max: 30 * DAY, noNaN: true }),
      fc.integer({ min: 0, max: 2e12 }),
      (perCell, from) => {
        const every = labelStep(perCell, UTC);
        const [one = 0, other = 0] = timesToTell({ from, to: from + 3 * every }, every, UTC);
        assert.ok((other - one) / perCell >= timeLabel(one, every, UTC).length + 4);
      },
    ),
    { numRuns: runs(200) },
  );
});

test('a label is as exact as its distance to the next asks for', () => {
  const noon = Date.UTC(2026, 10, 20, 12);
  const at = (every: number) => timeLabel(noon, every, UTC);
  assert.deepEqual(
    [at(1000), at(60_000), at(HOUR), at(DAY), at(365 * DAY)],
    ['12:00:00', '12:00', '12:00', '11-20', '2026-11-20'],
  );
});
