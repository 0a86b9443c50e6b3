import { DAY, HOUR, MINUTE } from '../../../text/units.ts';
import type { Deviation } from '../../deviation/deviations.ts';
import type { Part, Population } from '../../deviation/sampled-rows.ts';
import { equalParts, shared, type TimeRange, without } from '../../tail/coverage.ts';

/** How long before the window other times are looked at that tell what is usual, ms: the hours before, and the same time of other days. */
const BACK = [HOUR, 4 * HOUR, 24 * HOUR, 47 * HOUR, 70 * HOUR] as const;

/** Where the newest samples begin before the end of the window, ms: what has just begun is in them, however many rows a second has. */
const NEWEST = [200_000, 80_000, 25_000] as const;

/** Samples of the window before those, and where nothing stands out between them. */
const SPREAD = { first: 4, more: 4 } as const;

/** A shorter time has a sample at its beginning alone, ms. */
const SHORTEST = 1000;

/** A beginning between moments so near is told well enough, ms. */
const NEAR_ENOUGH = 60_000;

/** What is seen so long before the window may have ended and begun again, ms: a nightly job, an attack by the hour. */
const UNSEEN = 20 * 60_000;
const LOOKED_BACK = 90 * 60_000;

/** So much further back each time, ms: devices that report on the minute are in all samples of one second of it, or in none. */
const OFF_MINUTE = 13_000;

/** Other times that tell what is usual, as far as the log is kept: `edge`, Unix ms. */
export function usualTimes({ from, to }: TimeRange, edge: number): TimeRange[] {
  return BACK.map((back, at) => back + at * OFF_MINUTE)
    .filter((back) => from - back >= edge)
    .map((back) => ({ from: from - back, to: from - back + Math.min(back, to - from) }));
}

export function firstTimes(range: TimeRange): TimeRange[] {
  const length = range.to - range.from;
  const begins = NEWEST.filter((back) => back <= length / 2).map((back) => range.to - back);
  const [first = range.to] = begins;
  const newest = begins.map((from, at) => ({ from, to: begins[at + 1] ?? range.to }));
  const even = equalParts({ from: range.from, to: first }, SPREAD.first, Math.min(SHORTEST, length));
  return [...even.map(({ from, to }, at) => ({ from: from + shiftOf(to - from, at), to })), ...newest];
}

/**
 * Where a sample begins in a long part of the window, ms: what a clock starts comes at full hours, and samples whole hours apart would all
 * meet it, or all miss it. The golden ratio spreads any number of them.
 */
function shiftOf(length: number, at: number): number {
  return length < HOUR ? 0 : Math.floor((((at + 1) * 0.618) % 1) * HOUR);
}

/** Times of which a sample tells most next: the middle of the longest unread time, or of so many of these. */
function middlesOf(parts: readonly Part[], range: TimeRange, most: number): TimeRange[] {
  return unread(parts, range)
    .toSorted((a, b) => b.to - b.from - (a.to - a.from))
    .slice(0, most)
    .map(({ from, to }) => ({ from: Math.floor((from + to) / 2), to }));
}

/** The same between the two moments of a beginning or an end; none where they are near enough, or all between them was read. */
export function narrowing(parts: readonly Part[], after: number, before: number): TimeRange[] {
  if (before - after <= NEAR_ENOUGH) return [];
  const [middle] = middlesOf(parts, { from: after, to: before }, 1);
  return middle && isLongEnough(middle) ? [middle] : [];
}

/** The middle of the longest time before the window of which nothing tells whether what is in it went on, where that is long. */
export function unseenOf(parts: readonly Part[], from: number, to: number): TimeRange[] {
  if (to - from <= UNSEEN) return [];
  const [middle] = middlesOf(parts, { from: Math.max(from, to - LOOKED_BACK), to }, 1);
  return middle && middle.to - middle.from > UNSEEN / 2 ? [middle] : [];
}

/** Where a sample of the day before begins in the time of what was seen, ms: what comes by the day may come a few minutes later. */
const INTO = 10 * 60_000;

/** The time of what began on the day before, where that is kept and not read; none of what is a failure however usual. `edge`: Unix ms. */
export function dayBefore(
  { parts, times }: Population,
  { harm, pause, stretch: { begin, last } }: Deviation,
  edge: number,
): TimeRange[] {
  const isAsEver = begin.after === null && pause === null;
  if (isAsEver || harm === 'trouble' || harm === 'surge') return [];
  const length = (times[last] as number) - begin.before;
  const day = { from: begin.before - DAY, to: begin.before - DAY + length };
  // A sample of those hours that tells what is usual may have met other seconds of the minute.
  const isRead = (part: Part) =>
    part.from < day.to && part.readTo > day.from && (part.isChosen || part.readTo - part.from >= length / 2);
  if (parts.some(isRead) || length < SHORTEST || day.from < edge) return [];
  // What comes on the minute is met in the same seconds of it.
  const into = Math.floor(Math.min(INTO, length / 2) / MINUTE) * MINUTE;
  return [{ from: Math.floor(day.from + into), to: day.to }];
}

/** Samples between those of the first round. */
export function moreOf(parts: readonly Part[], range: TimeRange): TimeRange[] {
  return middlesOf(parts, range, SPREAD.more).filter(isLongEnough);
}

export function isLongEnough({ from, to }: TimeRange): boolean {
  return to - from >= SHORTEST;
}

export function unread(parts: readonly Part[], range: TimeRange): TimeRange[] {
  return parts.reduce<TimeRange[]>(
    (left, { from, readTo }) => (readTo > from ? without(left, { from, to: readTo }) : left),
    shared(range, [range]),
  );
}
