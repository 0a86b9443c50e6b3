import type { TimeRange } from '../tail/coverage.ts';
import { type Places, type Population, placesWithin } from './sampled-rows.ts';

/** A moment that lies between two that were read, Unix ms; `after` null: nothing was read before it. */
export type Between = { after: number | null; before: number };

/**
 * A stretch of rows in which one share holds, among rows in which another does. `first`, `last`: the places of its rows. `begin`,
 * `end`: the moments between which it began and ended, Unix ms; `after` null: no row before it was read, `end` null: it is on at the
 * last row.
 */
export type Stretch = RowSegment & { share: number; begin: Between; end: Between | null };

/** `score`: how much likelier the rows are with it than without, in nats. */
export type RowSegment = { first: number; last: number; hits: number; score: number };

/** What the share of a stretch is told from, and how many neighbouring rows, which are alike, count as one. */
type Against = { usual: number; alike: number };

/** What failed may be logged later than what went well, and pauses: so long without it at the end of a window, or it goes on, ms. */
export const OVER_AFTER = 90_000;

/** Bounds that are so much less likely than the likeliest are not told: a factor of 20. */
export const DOUBT = 3;

/** What comes in bursts may be missing at the start of a sample: so much less likely it began before it, where that was not read. */
const DOUBT_OF_START = 6;

/** Rounds in which the share of the stretch is estimated from the stretch. */
const ROUNDS = 3;

/**
 * So much against a stretch that goes on ends it, in nats, where it lasts for longer than a pause of what comes and goes: one of
 * another hour is another one.
 */
const APART = 8;
export const PAUSE = 8 * 60_000;

/** What pauses and is not seen for so long, ms, is another one: between the first samples of an hour lie fifteen minutes. */
const LOST = 20 * 60_000;

const [LEAST, MOST] = [1e-4, 1 - 1e-4];

/**
 * The stretch of rows that is best told by a share of its own, above the usual one: the segment with the largest sum of
 * log-likelihood ratios (Kadane). `expected`: a first guess of its share; `apart`: so long without it, ms, it is another one. Null: no
 * row counts.
 */
export function segmentOf(
  times: Float64Array,
  hits: Places,
  { usual: was, alike, expected, apart }: Against & { expected: number; apart: number },
): RowSegment | null {
  const usual = bounded(was);
  let share = bounded(Math.max(expected, usual * 1.5));
  let found: RowSegment | null = null;
  for (let round = 0; round < ROUNDS; round++) {
    found = largestSegment(times, hits, weightsOf(usual, share, alike), apart);
    if (found === null) return null;
    const own = bounded(segmentShare(found));
    if (own <= usual || Math.abs(own - share) < share * 0.02) break;
    share = own;
  }
  return found;
}

export function segmentShare({ first, last, hits }: RowSegment): number {
  return hits / (last - first + 1);
}

type Weights = { hit: number; other: number };

function weightsOf(usual: number, share: number, alike: number): Weights {
  return { hit: Math.log(share / usual) / alike, other: Math.log((1 - share) / (1 - usual)) / alike };
}

/** All rows between two that count are alike, so that these alone are looked at. */
function largestSegment(
  times: Float64Array,
  hits: Places,
  { hit, other }: Weights,
  apart: number,
): RowSegment | null {
  let best: RowSegment | null = null;
  let [first, own, score, next] = [0, 0, 0, 0];
  let [peak, peakAt] = [0, 0];
  for (const at of hits) {
    score += other * (at - next);
    const isOver = score < peak - APART && (times[at] as number) - (times[peakAt] as number) > apart;
    if (score <= 0 || isOver) [first, own, score, peak] = [at, 0, 0, 0];
    score += hit;
    own++;
    next = at + 1;
    if (score > peak) [peak, peakAt] = [score, at];
    if (score > (best?.score ?? 0)) best = { first, last: at, hits: own, score };
  }
  return best;
}

/** Rows by whether each counts. */
export type Marked = Pick<Population, 'times' | 'starts' | 'length'> & { isHit: (place: number) => boolean };

/**
 * Where a segment of rows of the window began among all of them, and the moments between which that was, and between which it ended.
 * `begunAt`: its first row; `pause`: how long it stops at least before it begins again, ms.
 */
export function stretchOf(
  rows: Marked,
  segment: RowSegment,
  against: Against & { pause: number | null },
): { begunAt: number; stretch: Stretch } {
  const share = segmentShare(segment);
  const weights = weightsOf(bounded(against.usual), bounded(share), against.alike);
  const sudden = extendedBack(rows, segment, weights, against.pause);
  const rise = against.pause === null ? riseBefore(rows, sudden, { ...against, share }) : null;
  const begunAt = rise?.begunAt ?? sudden;
  const begin = beginOf(rows, rise?.weights ?? weights, begunAt, segment.last);
  return { begunAt, stretch: { ...segment, share, begin, end: endOf(rows, weights, segment) } };
}

/** What rises slowly is there with so much of its share above the usual before it stands out, where so much in nats tells that. */
const RISE = { part: 0.25, told: 6 } as const;

/** Where what stands out from a row on had begun to rise; null: it was not there before. */
function riseBefore(
  { times, isHit }: Marked,
  sudden: number,
  { usual, share, alike }: Against & { share: number },
): { begunAt: number; weights: Weights } | null {
  const was = bounded(usual);
  const weights = weightsOf(was, bounded(was + RISE.part * (share - was)), alike);
  let [begunAt, sum, most] = [sudden, 0, 0];
  for (let at = sudden - 1; at >= 0; at--) {
    sum += isHit(at) ? weights.hit : weights.other;
    if (sum > most) [begunAt, most] = [at, sum];
    if (sum < most - APART || (times[begunAt] as number) - (times[at] as number) > LOST) break;
  }
  return most < RISE.told ? null : { begunAt, weights };
}

/** The rows that may have been the first: from the last row before the earliest of them to the latest. */
function beginOf({ times, isHit, starts }: Marked, weights: Weights, first: number, last: number): Between {
  let [early, late] = [first, first];
  let lost = 0;
  for (let at = first - 1; at >= 0 && lost >= -DOUBT_OF_START; at--) {
    if (starts.has(at + 1)) early = at + 1;
    lost += isHit(at) ? weights.hit : weights.other;
    if (lost >= -DOUBT) early = at;
  }
  lost = 0;
  for (let at = first; at < last; at++) {
    lost += isHit(at) ? weights.hit : weights.other;
    if (lost > DOUBT) break;
    if (isHit(at + 1)) late = at + 1;
  }
  return { after: early > 0 ? (times[early - 1] as number) : null, before: times[late] as number };
}

/** The same of its last row; null: more rows would have to follow for it to be over. */
function endOf(
  { times, isHit, length }: Marked,
  weights: Weights,
  { first, last }: RowSegment,
): Between | null {
  let lost = 0;
  let late = last;
  for (let at = last + 1; at < length; at++) {
    lost += isHit(at) ? weights.hit : weights.other;
    if (lost < -DOUBT) break;
    late = at;
  }
  if (late === length - 1) return null;
  lost = 0;
  let early = last;
  for (let at = last; at > first; at--) {
    lost += isHit(at) ? weights.hit : weights.other;
    if (lost > DOUBT) break;
    if (isHit(at - 1)) early = at - 1;
  }
  return { after: times[early] as number, before: times[late + 1] as number };
}

function bounded(share: number): number {
  return Math.min(MOST, Math.max(LEAST, share));
}

function extendedBack(
  { times, isHit, starts }: Marked,
  { first }: RowSegment,
  weights: Weights,
  pause: number | null,
): number {
  let [begin, sum, most] = [first, 0, 0];
  let readTo = times[first] as number;
  for (let at = begin - 1; at >= 0; at--) {
    const time = times[at] as number;
    if (starts.has(at + 1)) readTo = time;
    sum += isHit(at) ? weights.hit : weights.other;
    // While it pauses, rows without it say nothing against it.
    if (pause !== null) sum = Math.max(sum, most - APART);
    if (sum > most) [begin, most] = [at, sum];
    const apart = (times[begin] as number) - time;
    const quiet = Math.min(times[begin] as number, readTo) - time;
    if (pause === null ? sum < most - APART && apart > PAUSE : apart > LOST || quiet >= QUIET * pause) break;
  }
  return begin;
}

/** In how many of its own pauses without it what pauses had not begun. */
const QUIET = 2;

/** The time before what pauses that has to be read without it to say that it had not begun. */
export function quietTime({ before }: Between, pause: number): TimeRange {
  return { from: before - QUIET * pause, to: before };
}

/**
 * So many of its rows were due in a run of others, and of so many rows before and behind it half as many as usual are its own: it
 * paused. Where rows come by visits, it takes as many of these.
 */
const PAUSED = { due: 25, rows: 60, share: 0.5 } as const;

/** How long nothing came between two stretches of one matter, ms; null: too few rows of it were `due`, so that it rose, or fell. */
export function pauseBetween(first: Stretch, last: Stretch, due: number): number | null {
  return due < PAUSED.due ? null : last.begin.before - (first.end?.after ?? last.begin.before);
}

/**
 * How long rows of a segment stop coming before they begin again, ms: the longest of the pauses that were read whole, else the
 * shortest time that one lies in. Null: they never stop.
 */
export function pauseOf(
  { times, starts }: Pick<Marked, 'times' | 'starts'>,
  hits: Places,
  segment: RowSegment,
  visit: number,
): number | null {
  const share = segmentShare(segment);
  const [due, rows] = [PAUSED.due * visit, PAUSED.rows * visit];
  const isFrequent = (from: number, to: number) =>
    placesWithin(hits, from, to).length >= rows * share * PAUSED.share;
  const gaps = [...starts];
  let from = segment.first;
  let [longest, shortest] = [0, Number.POSITIVE_INFINITY];
  for (const at of placesWithin(hits, segment.first, segment.last + 1)) {
    const isDue = (at - from) * share >= due;
    // A stray within a pause does not end it.
    if (isDue && !isFrequent(at, at + rows)) continue;
    if (isDue && from - segment.first >= rows && isFrequent(from - rows, from)) {
      const time = (times[at] as number) - (times[from - 1] as number);
      if (gaps.every((start) => start < from || start > at)) longest = Math.max(longest, time);
      else shortest = Math.min(shortest, time);
    }
    from = at + 1;
  }
  if (longest > 0) return longest;
  return shortest === Number.POSITIVE_INFINITY ? null : shortest;
}
