import type { TimeRange } from '../../../domain/tail/coverage.ts';
import type { Look } from '../../../paint/theme.ts';
import { clockShift, DAY, dayClock, dayOf, HOUR, MINUTE, SECOND, timeOfDay } from '../../../text/units.ts';

/** Blank cells between two times, at least. */
const BETWEEN_TIMES = 4;

const YEAR = 365 * DAY;

/** Lengths of time between two labels, ms. */
const LABEL_STEPS = [
  ...[1, 5, 10, 15, 30].map((n) => n * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE),
  ...[1, 2, 3, 6, 12].map((n) => n * HOUR),
  ...[1, 2, 7, 14, 28, 56, 112].map((n) => n * DAY),
];

/** How far apart labels are, at so many ms a cell: by a length that people count in, with blank between them. */
export function labelStep(perCell: number, look: Look): number {
  const fits = (every: number) => every / perCell >= timeLabel(0, every, look).length + BETWEEN_TIMES;
  return LABEL_STEPS.find(fits) ?? Math.ceil((perCell * (10 + BETWEEN_TIMES)) / YEAR) * YEAR;
}

/** A time as exact as times so far apart need it: days by their date, and where they are years apart with its year. */
export function timeLabel(time: number, every: number, look: Look): string {
  if (every >= YEAR) return dayOf(time, look.zone);
  if (every >= DAY) return dayClock(time, look.zone).slice(0, 5);
  return timeOfDay(time, look).slice(0, every < MINUTE ? 8 : 5);
}

/** The round times of the clock in a range. Each has its own distance to UTC: a day begins at midnight before and after the clock is set. */
export function* timesToTell({ from, to }: TimeRange, every: number, { zone }: Look): Generator<number> {
  const first = Math.ceil((from + clockShift(from, zone)) / every);
  for (let at = first, time = from; time < to; at++) {
    const local = at * every;
    const near = local - clockShift(local, zone);
    time = local - clockShift(near, zone);
    if (time >= from && time < to) yield time;
  }
}
