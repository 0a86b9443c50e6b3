import { MINUTE } from '../../text/units.ts';
import { isServerError } from '../logs/sums/traffic.ts';
import type { TimeRange } from '../tail/coverage.ts';
import type { OriginError } from './origin-error.ts';

/** Errors in a run, from the first to the last, Unix ms. `of`: the errors of all codes in that time. */
type CauseRun = { from: number; to: number; count: number; of: number };

/** The count of one code in a time, and its newest run. `isOf5xx`: a row answered 5xx can have it. */
type CauseCount = { code: string; count: number; run: CauseRun; isOf5xx: boolean };

/** The codes within a time, the most frequent first. */
export type OriginTally = { total: number; causes: readonly CauseCount[] };

/** Minutes without an error within a run. */
const PAUSE = 3;
/** The share of its fullest minute that a minute needs to belong to a run: a few errors a day are no beginning. */
const SHARE = 0.1;

/** A run is a beginning with so many errors, this factor over the time before it, which was covered for so long, ms. */
const BEGINS = { errors: 5, factor: 3, before: 6 * MINUTE } as const;

export function originTally(errors: readonly OriginError[], { from, to }: TimeRange): OriginTally {
  const within = errors.filter(({ timestamp, raw }) => raw === null && timestamp >= from && timestamp < to);
  const causes = [...Map.groupBy(within, ({ code }) => code)].map(([code, own]) => ({
    code,
    count: own.length,
    run: runsOf(own, within).at(-1) as CauseRun,
    isOf5xx: own.some(({ status }) => status === null || isServerError(status)),
  }));
  return {
    total: within.length,
    causes: causes.sort((a, b) => b.count - a.count || a.run.from - b.run.from),
  };
}

/** When the newest run of each code began: not of strays, and not at an edge of the reported time. Unix ms. */
export function originBeginnings(
  errors: readonly OriginError[],
  range: TimeRange,
): { at: number; code: string }[] {
  const { causes } = originTally(errors, range);
  return causes.flatMap(({ code, run }) => {
    const before = errors.filter(
      (error) =>
        error.raw === null &&
        error.code === code &&
        error.timestamp >= range.from &&
        error.timestamp < run.from,
    );
    const time = run.from - range.from;
    const usual = before.length / Math.max(1, time);
    const isRisen = run.count / Math.max(MINUTE, run.to - run.from) >= BEGINS.factor * usual;
    if (run.count < BEGINS.errors || time < BEGINS.before || !isRisen) return [];
    const times = errors
      .filter(
        (error) =>
          error.raw === null &&
          error.code === code &&
          error.timestamp >= run.from &&
          error.timestamp <= run.to,
      )
      .map(({ timestamp }) => timestamp)
      .toSorted((a, b) => a - b);
    return [{ at: withoutStrays(times), code }];
  });
}

/** The first time of a run that others follow as closely as usual: a stray error before it belongs to none. */
function withoutStrays(times: readonly number[]): number {
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const usual = (last - first) / Math.max(1, times.length - 1);
  const at = times.findIndex(
    (time, n) => (times[n + 1] ?? time) - time <= Math.max(STRAY.apart, STRAY.factor * usual),
  );
  return times[at] ?? first;
}

/** A pause behind an error this much longer than usual makes it a stray, at least this long, ms. */
const STRAY = { factor: 10, apart: 20_000 } as const;

/** Every run of errors, whatever their codes, oldest first. */
export function originRuns(errors: readonly OriginError[]): CauseRun[] {
  const timed = errors.filter(({ raw }) => raw === null);
  return timed.length === 0 ? [] : runsOf(timed, timed);
}

/** The runs of some errors among all, oldest first: one at least. */
function runsOf(errors: readonly OriginError[], all: readonly OriginError[]): CauseRun[] {
  const byMinute = Map.groupBy(errors, ({ timestamp }) => Math.floor(timestamp / MINUTE));
  const most = Math.max(...[...byMinute.values()].map(({ length }) => length));
  const runs: OriginError[][] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const [minute, own] of [...byMinute].sort(([a], [b]) => a - b)) {
    if (own.length <= most * SHARE) continue;
    if (minute - last > PAUSE) runs.push([]);
    runs.at(-1)?.push(...own);
    last = minute;
  }
  return runs.map((run) => {
    const times = run.map(({ timestamp }) => timestamp).sort((a, b) => a - b);
    const [from, to] = [times[0] ?? 0, times.at(-1) ?? 0];
    const of = all.filter(({ timestamp }) => timestamp >= from && timestamp <= to).length;
    return { from, to, count: run.length, of };
  });
}
