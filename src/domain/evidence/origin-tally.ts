import { MINUTE } from '../../text/units.ts';
import { isServerError } from '../logs/sums/traffic.ts';
import type { TimeRange } from '../tail/coverage.ts';
import type { OriginError } from './origin-error.ts';

/** Errors in a row, from the first to the last of them, Unix ms. `of`: how many of all codes there are in that time. */
type CauseRun = { from: number; to: number; count: number; of: number };

/** How often one code is told within a time, and the newest run of it. `isOf5xx`: a row answered 5xx can have it. */
type CauseCount = { code: string; count: number; run: CauseRun; isOf5xx: boolean };

/** The codes within a time, the most frequent first. */
export type OriginTally = { total: number; causes: readonly CauseCount[] };

/** Minutes without an error that a run may have. */
const PAUSE = 3;
/** Of its fullest minute so much is needed in a minute for it to belong to a run: a few errors a day are no beginning. */
const SHARE = 0.1;

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
