import { MINUTE } from '../../text/units.ts';
import type { Failure } from '../failure.ts';
import { ratioOf } from '../logs/sums/traffic.ts';
import { requestRate } from '../logs/sums/traffic-read.ts';
import type { TimeRange } from '../tail/coverage.ts';
import { type HealthBin, type HealthSums, summed } from './read-traffic.ts';

/** What Shield blocked in a time, Unix ms; null: it refused to say. */
type BlockedCount = TimeRange & { blocked: number | null };

/** What was read of a zone for its health. Times are Unix ms, of the server. */
export type ZoneHealth = {
  /** What was read of the last hour, oldest first. */
  bins: readonly HealthBin[];
  /** Blocked by Shield, in the last minutes and in the hour before those; null: not read. */
  blocked: BlockedCount | null;
  blockedBefore: BlockedCount | null;
  /** Why the last reading of rows failed; null: it did not. */
  failure: Failure | null;
  /** Answers had rows of other times or zones: some of this one's may be missing. */
  hasStrays: boolean;
  /** When rows were last asked for and answered, or refused. */
  readAt: number;
};

export const NO_HEALTH: ZoneHealth = {
  bins: [],
  blocked: null,
  blockedBefore: null,
  failure: null,
  hasStrays: false,
  readAt: Number.NEGATIVE_INFINITY,
};

/** The figures cover the newest rows: as many minutes as bring enough of them, one to five. */
const ENOUGH_ROWS = 400;
export const RECENT = 5 * MINUTE;

/** How far back the past must reach before anything is compared with it. */
const PAST_LEAST = 10 * MINUTE;

/** The figures of a time's rows. A ratio of no rows is null. */
export type HealthFigures = TimeRange & {
  rows: number;
  /** The time that was read, ms: less than between `from` and `to` where only samples were. */
  covered: number;
  requestsPerSecond: number | null;
  hitRatio: number | null;
  errorRatio: number | null;
  clientErrorRatio: number | null;
  sums: HealthSums;
};

/** The newest figures of a zone; null: nothing was read. */
export function recentFigures({ bins }: ZoneHealth): HealthFigures | null {
  const last = bins.at(-1);
  if (last === undefined) return null;
  const taken: HealthBin[] = [];
  let rows = 0;
  for (const bin of bins.toReversed()) {
    const age = last.to - bin.from;
    if (age > RECENT || (age > MINUTE && rows >= ENOUGH_ROWS)) break;
    taken.unshift(bin);
    rows += bin.rows;
  }
  return figuresOf(taken);
}

/** What was read of the hour before the recent minutes; null: too little to know what is usual. */
export function pastFigures({ bins }: ZoneHealth): HealthFigures | null {
  return figuresOf(pastBins(bins));
}

/**
 * None until something older than the minutes before the recent ones is known: what goes wrong now may have begun in
 * these.
 */
export function pastBins(bins: readonly HealthBin[]): readonly HealthBin[] {
  const newest = bins.at(-1)?.to ?? 0;
  const past = bins.filter(({ to }) => to <= newest - RECENT);
  return (past[0]?.from ?? newest) <= newest - PAST_LEAST ? past : [];
}

function figuresOf(bins: readonly HealthBin[]): HealthFigures | null {
  const [first, last] = [bins[0], bins.at(-1)];
  if (first === undefined || last === undefined) return null;
  const { covered, ...sums } = summed(bins);
  return {
    from: first.from,
    to: last.to,
    rows: sums.rows,
    covered,
    requestsPerSecond: requestRate(sums.rows, covered),
    hitRatio: ratioOf(sums.edge, sums.edge + sums.origin),
    errorRatio: ratioOf(sums.serverErrors, sums.rows),
    clientErrorRatio: ratioOf(sums.clientErrors, sums.rows),
    sums,
  };
}

/** Blocked per minute of the time that was read; null: not read. */
export function blockedPerMinute(count: BlockedCount | null): number | null {
  return count === null || count.blocked === null
    ? null
    : ratioOf(count.blocked * MINUTE, count.to - count.from);
}

/** Requests a second in each of `cells` equal parts of the hour up to the newest row read; null: nothing of it was read. */
export function requestCurve({ bins }: ZoneHealth, cells: number): (number | null)[] {
  const end = bins.at(-1)?.to;
  if (end === undefined) return new Array<null>(cells).fill(null);
  const step = (60 * MINUTE) / cells;
  return Array.from({ length: cells }, (_, at) => {
    const to = end - (cells - 1 - at) * step;
    const { rows, covered } = summed(bins.filter((bin) => bin.to > to - step && bin.to <= to));
    return requestRate(rows, covered);
  });
}
