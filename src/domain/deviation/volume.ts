import { DAY, HOUR, MINUTE } from '../../text/units.ts';
import type { TimeRange } from '../tail/coverage.ts';
import { type Part, type Population, placesWhere } from './sampled-rows.ts';
import { type Between, DOUBT, OVER_AFTER } from './stretch.ts';
import { areEven, BURST, median, quartiles, rateOf, ratesOf, timeRead, visitsOf } from './usual.ts';

/** Far fewer requests than at this time of other days, from one moment to another: what is `left` of the `usual`, 0…1 and requests a second. */
export type Fall = TimeRange & {
  left: number;
  usual: number;
  since: Between;
  /** Null: it goes on. */
  until: Between | null;
};

/**
 * So little is left of what so many samples tell is usual, for so long, where so many requests were due, of so many visits: no chance
 * of the hour. What is no worse than `grave` is told where its beginning was seen and it goes on: a dip may be that of bursts.
 */
const FALLEN = { least: 0.55, grave: 0.25, times: 2, due: 200, visits: 20, length: MINUTE } as const;

/** Times of other days so near to this one are compared with it, and in no longer a window is all of one time of day, ms. */
const SAME_TIME = 2 * HOUR + 1;

/** Rows of the last half minute are still coming, ms. */
const COMING = 30_000;

/**
 * The time of the window in which clearly fewer requests came than at this time of other days, or where a window has more than one time
 * of day than in the hour before; null: there is none.
 */
export function fallOf(known: Population, range: TimeRange): Fall | null {
  const all = placesWhere(known, () => true);
  const visit = visitsOf(known, all).rows;
  if (range.to - range.from <= SAME_TIME) return fallBelow(known, range, partsOfDays(known, range), visit);
  for (let from = range.from + HOUR; from < range.to; from += HOUR) {
    const before = known.parts.filter((part) => part.from >= from - HOUR && part.readTo <= from);
    if (!areEven(ratesOf(before))) continue;
    const fall = fallBelow(known, { from, to: range.to }, before, visit);
    if (fall !== null && fall.from < from + HOUR) return fall;
  }
  return null;
}

/** `beside`: the samples that tell what is usual; `visit`: so many rows count as one. */
function fallBelow(known: Population, range: TimeRange, beside: readonly Part[], visit: number): Fall | null {
  const usual = ratesOf(beside);
  if (usual.length < FALLEN.times) return null;
  const [least] = quartiles(usual);
  const settled = range.to - COMING;
  const { fall: found, score } = largestFall(
    momentsOf(known, { from: range.from, to: settled }),
    least,
    visit,
  );
  if (found === null || found.left > FALLEN.least) return null;
  const pauses = beside.map((part) =>
    largestFall(momentsOf(known, { from: part.from, to: part.readTo }), least, visit),
  );
  if (pauses.some((pause) => score < BURST * pause.score)) return null;
  const fall = {
    ...found,
    until: (found.until?.after ?? range.to) > range.to - OVER_AFTER ? null : found.until,
  };
  const dueIn = (time: TimeRange) => (least * timeRead(known, time)) / 1000;
  const isEnough = (time: TimeRange) => dueIn(time) >= Math.max(FALLEN.due, FALLEN.visits * visit);
  if (!isEnough(fall) || fall.to - fall.from < FALLEN.length) return null;
  const isOutside = ({ from, readTo }: Part) =>
    from >= range.from && (readTo <= fall.from || (fall.until !== null && from >= fall.to));
  const isEven = areEven([...usual, ...ratesOf(known.parts.filter(isOutside))]);
  if (fall.left <= FALLEN.grave) return isEven || timeRead(known, fall) >= MINUTE ? fall : null;
  const { after } = fall.since;
  const wasWell = after !== null && isEnough({ from: after - HOUR, to: after });
  return wasWell && isEven && fall.until === null ? fall : null;
}

/** A rate so far outside of what other times of this time of day had is told, so many times the most of them, or the least. */
const FAR = { more: 1.5, less: 0.67 } as const;

/** How many times the usual requests came in the newest half of the window; null: about as many as usual, or nobody knows. */
export function unusualVolume(known: Population, { from, to }: TimeRange): number | null {
  const usual = ratesOf(partsOfDays(known, { from, to }));
  const newest = { from: (from + to) / 2, to: to - COMING };
  const rate = rateOf(known, newest);
  if (usual.length < FALLEN.times || rate === null || to - from > SAME_TIME) return null;
  const own = known.parts.filter((part) => part.from >= newest.from && part.readTo <= newest.to);
  if (!areEven(usual) || !areEven(ratesOf(own))) return null;
  const isFar = rate > FAR.more * Math.max(...usual) || rate < FAR.less * Math.min(...usual);
  return isFar ? rate / median(usual) : null;
}

/** The samples of this time of other days. */
function partsOfDays({ parts }: Population, range: TimeRange): Part[] {
  return parts.filter((part) => isSameTime(part, range));
}

function isSameTime({ from }: Part, range: TimeRange): boolean {
  const ago = (range.from - from) % DAY;
  return range.from - from > DAY / 2 && Math.min(ago, DAY - ago) <= SAME_TIME;
}

/** A moment, Unix ms, and up to it how many rows came and how much time was read, ms. */
type Moment = { at: number; rows: number; time: number };

/** The moments at which a fall can begin or end: bounds of what was read, and before and behind each of its rows. */
function momentsOf({ parts, times }: Population, { from, to }: TimeRange): Moment[] {
  const moments: Moment[] = [];
  let [rows, time] = [0, 0];
  for (const part of parts) {
    const end = Math.min(part.readTo, to);
    if (part.from < from || end <= part.from) continue;
    moments.push({ at: part.from, rows, time });
    for (let place = part.first; place < part.end && (times[place] as number) < end; place++) {
      const at = times[place] as number;
      moments.push(
        { at, rows, time: time + at - part.from },
        { at, rows: ++rows, time: time + at - part.from },
      );
    }
    time += end - part.from;
    moments.push({ at: end, rows, time });
  }
  return moments;
}

/** What is left of the usual by a first guess, 0…1, and how often that is estimated from what was found. */
const GUESSES = [0.05, 0.5] as const;
const ROUNDS = 3;
const LEAST_LEFT = 0.01;

/** The evidence that a fall takes, in nats, where the rows of a visit count as one. */
const LEAST_SCORE = 12;

/** `least`: requests a second that are usual. */
function largestFall(
  moments: readonly Moment[],
  least: number,
  visit: number,
): { fall: Fall | null; score: number } {
  let best: { fall: Fall | null; score: number } = { fall: null, score: LEAST_SCORE };
  for (let left of GUESSES as readonly number[]) {
    for (let round = 0; round < ROUNDS && left < 1; round++) {
      const found = fallWith(moments, { least, left, visit });
      if (found === null) break;
      if (found.score > best.score) best = found;
      left = Math.max(LEAST_LEFT, found.fall.left);
    }
  }
  return best.fall === null ? { fall: null, score: 0 } : best;
}

/**
 * The fall to such a rest that is told best: the largest sum of log-likelihood ratios of a Poisson process (Kadane), its time for it and
 * its rows against it.
 */
function fallWith(
  moments: readonly Moment[],
  { least, left, visit }: { least: number; left: number; visit: number },
): { fall: Fall; score: number } | null {
  const sums = moments.map(
    ({ rows, time }) => ((time * least * (1 - left)) / 1000 + rows * Math.log(left)) / visit,
  );
  let [first, last, low, score] = [0, 0, 0, 0];
  sums.forEach((sum, n) => {
    if (sum < (sums[low] as number)) low = n;
    if (sum - (sums[low] as number) > score) [first, last, score] = [low, n, sum - (sums[low] as number)];
  });
  const [from, to] = [moments[first], moments[last]];
  if (from === undefined || to === undefined || score === 0) return null;
  const begins = sums.slice(0, last).map((sum) => sum <= (sums[first] as number) + DOUBT);
  const ends = sums.map((sum, n) => n > first && sum >= (sums[last] as number) - DOUBT);
  const momentAt = (n: number) => (moments[n] as Moment).at;
  const [begin, end] = [begins.indexOf(true), ends.lastIndexOf(true)];
  return {
    score,
    fall: {
      ...{ from: from.at, to: to.at, usual: least },
      left: (to.rows - from.rows) / (((to.time - from.time) * least) / 1000),
      since: { after: begin === 0 ? null : momentAt(begin), before: momentAt(begins.lastIndexOf(true)) },
      until:
        end === moments.length - 1 ? null : { after: momentAt(ends.indexOf(true)), before: momentAt(end) },
    },
  };
}
