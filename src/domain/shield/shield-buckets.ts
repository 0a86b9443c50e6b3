import type { TimeRange } from '../tail/coverage.ts';
import { type Steps, stepsFrom } from '../timeline/steps.ts';
import type { ShieldGroup, ShieldSearchRequest } from './shield.ts';

/** Steps of time that one search counts: the most that the server gives. */
export const MOST_BUCKETS = 500;

/**
 * At most `most` steps that a server cuts a range into exactly, each of the same whole number of ms, because nobody
 * documents its rounding. Lengths that people count in where one fills the range, else those that leave least of its
 * end out: some ms.
 */
export function bucketSteps(range: TimeRange, most: number): Steps {
  const from = Math.floor(range.from);
  const span = Math.max(1, Math.floor(range.to) - from);
  const allowed = Math.max(1, Math.min(most, MOST_BUCKETS, span));
  const steps = stepsFrom({ from, to: from + span }, allowed);
  if (steps.step * steps.count === span) return steps;
  const least = Math.ceil(allowed / 2);
  const counts = Array.from({ length: allowed - least + 1 }, (_, i) => allowed - i);
  const count = counts.reduce((best, each) => (span % each < span % best ? each : best));
  return { from, step: Math.floor(span / count), count };
}

/** Steps of time of each group in a list: as many as its bar has cells. */
export const SPARKS = 8;

/** The parts of a group's events in its steps, 0…1 of the largest; null where they do not add up to it. */
export function sparkLevels({
  count,
  sparkline = [],
}: Pick<ShieldGroup, 'count' | 'sparkline'>): number[] | null {
  const most = sparkline.reduce((max, each) => Math.max(max, each), 0);
  const isWhole = sparkline.reduce((sum, each) => sum + each, 0) === count;
  return most === 0 || !isWhole ? null : sparkline.map((each) => each / most);
}

/** Of the steps of a count those that begin at a time or later; the last one stays. */
export function stepsSince({ from, step, count }: Steps, time: number): Steps {
  const gone = Math.max(0, Math.min(count - 1, Math.ceil((time - from) / step)));
  return { from: from + gone * step, step, count: count - gone };
}

/** A search without its oldest times. One that counts over time loses whole steps: the others stay as they are. */
export function searchSince(search: ShieldSearchRequest, from: number): ShieldSearchRequest {
  const { buckets, sparks, ...plain } = search;
  if (buckets === undefined)
    return sparks === undefined || from > search.from ? { ...plain, from } : { ...search, from };
  const steps = { from: search.from, step: (search.to - search.from) / buckets, count: buckets };
  const kept = stepsSince(steps, from);
  return { ...search, from: kept.from, buckets: kept.count };
}
