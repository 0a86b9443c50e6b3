import type { Between } from '../anomalies/zone-anomalies.ts';

/** Rows in the order of time, which of them count, and behind which of them time lies that was not read. */
export type Marked = {
  times: readonly number[];
  isHit: (at: number) => boolean;
  isAfterGap: (at: number) => boolean;
};

/**
 * A stretch of rows in which one share holds, among rows in which another does. `first`, `last`: its rows. `begin`, `end`: the
 * moments between which it began and ended, Unix ms; `after` null: no row before it was read, `end` null: it is on at the last row.
 */
export type Stretch = {
  first: number;
  last: number;
  rows: number;
  hits: number;
  share: number;
  /** How much likelier the rows are with it than without, in nats. */
  score: number;
  begin: Between;
  end: Between | null;
};

/** Bounds that are so much less likely than the likeliest are not told: a factor of 20. */
const DOUBT = 3;

/** What comes in bursts may be missing at the start of a sample: so much less likely it began before it, where that was not read. */
const DOUBT_OF_START = 10;

/** Where a stretch begins neighbours tell more than whether there is one: no more of them count as one. */
const ALIKE_AT_BOUNDS = 2;

/** Rounds in which the share of the stretch is estimated from the stretch. */
const ROUNDS = 3;

const [LEAST, MOST] = [1e-4, 1 - 1e-4];

/**
 * The stretch of rows that is best told by a share of its own, above the usual one: the segment with the largest sum of
 * log-likelihood ratios (Kadane). `alike`: neighbouring rows are alike, so that so many count as one. `expected`: a first guess of
 * its share. Null: no row counts.
 */
export function stretchOf(
  { times, isHit, isAfterGap }: Marked,
  o: { usual: number; expected: number; alike: number },
): Stretch | null {
  const usual = bounded(o.usual);
  let share = bounded(Math.max(o.expected, usual * 1.5));
  let found: { first: number; last: number; hits: number; score: number } | null = null;
  for (let round = 0; round < ROUNDS; round++) {
    const weights = weightsOf(usual, share, o.alike);
    found = largestSegment(times.length, isHit, weights);
    if (found === null) return null;
    const own = bounded(found.hits / (found.last - found.first + 1));
    if (own <= usual || Math.abs(own - share) < share * 0.02) break;
    share = own;
  }
  if (found === null) return null;
  const weights = weightsOf(usual, share, Math.min(o.alike, ALIKE_AT_BOUNDS));
  const { first, last, hits, score } = found;
  const rows = last - first + 1;
  const bounds = { times, isHit, isAfterGap, weights };
  return {
    ...{ first, last, rows, hits, share: hits / rows, score },
    begin: beginOf(bounds, first, last),
    end: endOf(bounds, first, last),
  };
}

type Weights = { hit: number; other: number };

function weightsOf(usual: number, share: number, alike: number): Weights {
  return { hit: Math.log(share / usual) / alike, other: Math.log((1 - share) / (1 - usual)) / alike };
}

function largestSegment(length: number, isHit: (at: number) => boolean, { hit, other }: Weights) {
  let best: { first: number; last: number; hits: number; score: number } | null = null;
  let [first, hits, score] = [0, 0, 0];
  for (let at = 0; at < length; at++) {
    if (score <= 0) [first, hits, score] = [at, 0, 0];
    const isOne = isHit(at);
    score += isOne ? hit : other;
    if (isOne) hits++;
    if (isOne && score > (best?.score ?? 0)) best = { first, last: at, hits, score };
  }
  return best;
}

type Bounds = Marked & { weights: Weights };

/** The rows that may have been the first: from the last row before the earliest of them to the latest. */
function beginOf({ times, isHit, isAfterGap, weights }: Bounds, first: number, last: number): Between {
  let [early, late] = [first, first];
  let lost = 0;
  for (let at = first - 1; at >= 0 && lost >= -DOUBT_OF_START; at--) {
    if (isAfterGap(at + 1)) early = at + 1;
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
function endOf({ times, isHit, weights }: Bounds, first: number, last: number): Between | null {
  let lost = 0;
  let late = last;
  for (let at = last + 1; at < times.length; at++) {
    lost += isHit(at) ? weights.hit : weights.other;
    if (lost < -DOUBT) break;
    late = at;
  }
  if (late === times.length - 1) return null;
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

/**
 * So much against a stretch that goes on before it ends it, in nats, unless that is a pause of what comes and goes: one of an earlier
 * hour is another one.
 */
const APART = 8;
const PAUSE = 8 * 60_000;

/**
 * Where a stretch of the last rows began among all of them. `offset`: the number of the row that is its rows' number 0. `first`: the
 * first of its rows among all.
 */
export function extendedBack(
  all: Marked,
  { first, last, share }: Stretch,
  o: { offset: number; usual: number; alike: number },
): { first: number; begin: Between } {
  const weights = weightsOf(bounded(o.usual), bounded(share), Math.min(o.alike, ALIKE_AT_BOUNDS));
  let [begin, sum, most] = [o.offset + first, 0, 0];
  for (let at = begin - 1; at >= 0; at--) {
    sum += all.isHit(at) ? weights.hit : weights.other;
    if (sum > most) [begin, most] = [at, sum];
    const time = (all.times[begin] as number) - (all.times[at] as number);
    if (sum < most - APART && time > PAUSE) break;
  }
  return { first: begin, begin: beginOf({ ...all, weights }, begin, o.offset + last) };
}
