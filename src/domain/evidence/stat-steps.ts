import type { TimeRange } from '../tail/coverage.ts';
import { SERIES } from '../timeline/series.ts';
import { type Steps, stepAt } from '../timeline/steps.ts';
import { STAT_STEPS, STATISTICS_LATE, type StatPoint, type StatStep } from './statistics.ts';

/** Statistics as the columns of a timeline: the requests of each step by the parts of `SERIES.status`. */
type SteppedStatistics = {
  steps: Steps;
  counts: readonly (readonly number[])[];
  /** The steps that are told and are over for so long that nothing is added, oldest first. */
  read: readonly TimeRange[];
};

/**
 * What was told of a time that begins where a step does. What is neither 3xx, 4xx nor 5xx counts as 2xx where all of these are told,
 * and else as other. `now`: Unix ms.
 */
export function statisticsByStatus(
  points: readonly StatPoint[],
  { range, step, now }: { range: TimeRange; step: StatStep; now: number },
): SteppedStatistics {
  const { length } = STAT_STEPS[step];
  const steps = {
    from: range.from,
    step: length,
    count: Math.max(1, Math.ceil((range.to - range.from) / length)),
  };
  const byStep = new Map(points.map((point) => [Math.floor((point.at - range.from) / length), point]));
  const none = SERIES.status.map(() => 0);
  const read: TimeRange[] = [];
  const counts = Array.from({ length: steps.count }, (_, at) => {
    const point = byStep.get(at);
    if (!point || point.requests === null) return none;
    const times = stepAt(steps, at);
    if (times.to + STATISTICS_LATE <= now) read.push(times);
    return partsOf(point, point.requests);
  });
  return { steps, counts, read };
}

/** In the order of `SERIES.status`. */
function partsOf({ serverErrors, clientErrors, redirects }: StatPoint, requests: number): number[] {
  const told = [serverErrors, clientErrors, redirects].map((count) => count ?? 0);
  const rest = Math.max(0, requests - told.reduce((sum, count) => sum + count, 0));
  const isWhole = serverErrors !== null && clientErrors !== null && redirects !== null;
  return [...told, isWhole ? rest : 0, isWhole ? 0 : rest];
}
