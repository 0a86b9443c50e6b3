import { dayClock, timeOfDay } from '../text/units.ts';
import type { Look } from './theme.ts';

/** Blank cells between two times, at least. */
const BETWEEN_TIMES = 4;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Lengths of time between two labels, ms. */
const LABEL_STEPS = [
  ...[1, 5, 10, 15, 30].map((n) => n * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE),
  ...[1, 2, 3, 6, 12].map((n) => n * HOUR),
  ...[1, 2, 7, 14, 28].map((n) => n * DAY),
];

/** How far apart labels are, at so many ms a cell: by a length that people count in, with blank between them. */
export function labelStep(perCell: number, look: Look): number {
  const fits = (every: number) => every / perCell >= timeLabel(0, every, look).length + BETWEEN_TIMES;
  return LABEL_STEPS.find(fits) ?? 365 * DAY;
}

/** A time as exact as times so far apart need it; days by their date. */
export function timeLabel(time: number, every: number, look: Look): string {
  if (every >= DAY) return dayClock(time, look.zone).slice(0, 5);
  return timeOfDay(time, look).slice(0, every < MINUTE ? 8 : 5);
}
