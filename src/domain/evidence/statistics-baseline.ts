import type { TimeRange } from '../tail/coverage.ts';
import {
  middleOf,
  STAT_NAMES,
  STAT_STEPS,
  STATISTICS_LATE,
  type StatName,
  type StatPoint,
  type StatStep,
} from './statistics.ts';

/** The same hours of other days: the middle of them, the lowest and the highest, and of how many days they are. */
type Others = { median: number; lowest: number; highest: number; days: number };

/** A figure of some hours beside that of the same hours of other days. Null = not told. */
export type StatLine = {
  name: StatName;
  value: number | null;
  others: Others | null;
  /** The value by the median; null where there is none. */
  factor: number | null;
};

/** The hours that were asked about, oldest first, Unix ms. Those that are told and over are compared, and no other. */
export type ChosenSteps = {
  told: readonly number[];
  notTold: readonly number[];
  notOver: readonly number[];
  /** Of those told: what may still grow, since the platform counts late. */
  late: readonly number[];
};

/** The hours, or days, that begin within a time; of a shorter one that it lies in. `now`: Unix ms. */
export function chosenSteps(
  points: readonly StatPoint[],
  range: TimeRange,
  step: StatStep,
  now: number,
): ChosenSteps {
  const { length } = STAT_STEPS[step];
  // Days of a platform in another zone begin at another hour.
  const offset = (points[0]?.at ?? 0) % length;
  const aligned = (time: number) => Math.floor((time - offset) / length) * length + offset;
  const first = aligned(range.from + length - 1);
  const count = Math.max(1, Math.ceil((range.to - first) / length));
  const from = first < range.to ? first : aligned(range.from);
  const all = Array.from({ length: count }, (_, n) => from + n * length);
  const known = new Set(points.map(({ at }) => at));
  const over = all.filter((at) => at + length <= now);
  const told = over.filter((at) => known.has(at));
  return {
    told,
    notTold: over.filter((at) => !known.has(at)),
    notOver: all.filter((at) => at + length > now),
    late: told.filter((at) => !isWhole(at, step, now)),
  };
}

/** Each figure of some steps taken together, beside those of the same steps of other days: never of these themselves. */
export function againstOthers(
  points: readonly StatPoint[],
  steps: readonly number[],
  step: StatStep,
  now: number,
): StatLine[] {
  const byTime = new Map(points.map((point) => [point.at, point]));
  const together = (times: readonly number[], name: StatName) =>
    sumOf(
      times.map((at) => byTime.get(at)),
      name,
    );
  const others = shiftsOf(points, steps, step)
    .map((shift) => steps.map((at) => at + shift))
    .filter((times) => times.every((at) => isWhole(at, step, now)));
  return STAT_NAMES.map((name) => {
    const value = together(steps, name);
    const values = others.flatMap((times) => together(times, name) ?? []);
    const median = values.length === 0 ? null : middleOf(values);
    return {
      name,
      value,
      others:
        median === null
          ? null
          : { median, lowest: Math.min(...values), highest: Math.max(...values), days: values.length },
      factor: value === null || !median ? null : value / median,
    };
  });
}

/** Means; the others are counts. */
const MEANS: ReadonlySet<StatName> = new Set(['hitRatio', 'originResponse']);

/** Whether nothing is added to a step any more. */
export function isWhole(at: number, step: StatStep, now: number): boolean {
  return at + STAT_STEPS[step].length + STATISTICS_LATE <= now;
}

/** How far the other days lie from these steps, ms: so that no two of them, nor these, have a step in common. */
function shiftsOf(points: readonly StatPoint[], steps: readonly number[], step: StatStep): number[] {
  const [first, last] = [steps[0], steps.at(-1)];
  const [oldest, newest] = [points[0]?.at, points.at(-1)?.at];
  if (first === undefined || last === undefined || oldest === undefined || newest === undefined) return [];
  const span = last + STAT_STEPS[step].length - first;
  const cycle = Math.ceil(span / STAT_STEPS[step].cycle) * STAT_STEPS[step].cycle;
  const [before, after] = [Math.floor((first - oldest) / cycle), Math.floor((newest - last) / cycle)];
  const count = before + after + 1;
  return Array.from({ length: Math.max(0, count) }, (_, n) => (n - before) * cycle).filter(
    (shift) => shift !== 0,
  );
}

/** A figure of several steps: counts added up, means weighed by their requests. Null where one of them is not told. */
function sumOf(points: readonly (StatPoint | undefined)[], name: StatName): number | null {
  let [sum, weight] = [0, 0];
  for (const point of points) {
    const value = point?.[name] ?? null;
    if (point === undefined || value === null) return null;
    const own = MEANS.has(name) ? (points.length === 1 ? 1 : (point.requests ?? 0)) : 1;
    sum += value * own;
    weight += own;
  }
  if (!MEANS.has(name)) return points.length === 0 ? null : sum;
  return weight === 0 ? null : sum / weight;
}
