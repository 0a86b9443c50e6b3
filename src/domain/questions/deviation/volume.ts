import { DAY, HOUR } from '../../../text/units.ts';
import { ratioOf } from '../../logs/sums/traffic.ts';
import { type TimeRange, timeShared } from '../../tail/coverage.ts';
import { answeredLevel, type Part, type Population } from './population.ts';
import type { Between } from './stretch.ts';

/** Requests a second of a time, over as much of it as was read; null: nothing was. */
export function rateOf(population: Population, range: TimeRange): number | null {
  const read = population.parts.map(({ from, readTo }) => ({ from, to: Math.max(from, readTo) }));
  return ratioOf(answeredLevel(population, range).rows * 1000, timeShared(range, read));
}

/** Requests a second of a sample; null: no time of it was read. */
export function rateIn({ from, readTo, first, end }: Part): number | null {
  return readTo > from ? ((end - first) * 1000) / (readTo - from) : null;
}

/** So much less than at any of so many other times of this time of day is no chance of the hour, where so many requests were due. */
const FALLEN = { share: 0.25, times: 2, due: 200 } as const;

/** Times of other days that are near enough to this one to be compared with, ms. */
const SAME_TIME = 2 * HOUR + 1;

/** Rows of the last half minute are still coming, ms. */
const COMING = 30_000;

/** Far fewer requests than at this time of other days: what is left of them, 0…1, and since when; null: as many as usual. */
export type Fall = { left: number; since: Between };

export function fallOf({ parts }: Population, range: TimeRange): Fall | null {
  const isSameTime = ({ from }: Part) => {
    const ago = (range.from - from) % DAY;
    return range.from - from > DAY / 2 && Math.min(ago, DAY - ago) <= SAME_TIME;
  };
  const usual = parts.flatMap((part) => (isSameTime(part) ? (rateIn(part) ?? []) : []));
  const settled = { from: range.from, to: range.to - COMING };
  const newest = parts.filter(({ from, readTo }) => from >= range.from && readTo <= settled.to).slice(-2);
  const time = newest.reduce((sum, { from, readTo }) => sum + readTo - from, 0);
  const rows = newest.reduce((sum, { first, end }) => sum + end - first, 0);
  const least = Math.min(...usual);
  if (usual.length < FALLEN.times || (least * time) / 1000 < FALLEN.due) return null;
  const left = (rows * 1000) / time / least;
  if (left > FALLEN.share) return null;
  const isWell = (part: Part) => (rateIn(part) ?? 0) >= least / 2;
  const last = parts.findLastIndex((part) => part.readTo > part.from && isWell(part));
  const next = parts[last + 1];
  return { left, since: { after: parts[last]?.from ?? null, before: next?.readTo ?? settled.to } };
}
