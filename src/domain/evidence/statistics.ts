import { DAY, HOUR } from '../../text/units.ts';

/** What is told of an hour or a day. `hitRatio` is 0…1, `originResponse` in ms. */
const STAT_NAMES = [
  'requests',
  'hitRatio',
  'redirects',
  'clientErrors',
  'serverErrors',
  'originResponse',
  'bytes',
  'originBytes',
] as const;

export type StatName = (typeof STAT_NAMES)[number];

/** The figures of a zone, or of the account, in one hour or day, which begins `at` this time (Unix ms UTC). Null = not told. */
export type StatPoint = { at: number } & Record<StatName, number | null>;

export const NO_POINT = Object.fromEntries(STAT_NAMES.map((name) => [name, null])) as Record<StatName, null>;

/** The platform's statistics: oldest first, at most one point an hour or a day. `unread`: points whose time or value is none. */
export type Statistics = { points: readonly StatPoint[]; unread: number };

export type StatStep = 'hour' | 'day';

/** How long the platform keeps each, and after how long its time is usual again: a day, and of whole days a week; ms. */
export const STAT_STEPS = {
  hour: { length: HOUR, kept: 30 * DAY, cycle: DAY },
  day: { length: DAY, kept: 365 * DAY, cycle: 7 * DAY },
} as const satisfies Record<StatStep, { length: number; kept: number; cycle: number }>;

/** How late it may be, ms. */
export const STATISTICS_LATE = HOUR;

/** A usual value: the middle one, and of how many days it is. */
type Usual = { value: number; days: number };

/** Fewer days say nothing about what is usual. */
const LEAST_DAYS = 3;

/** What a figure is at the same hour of other days; of days, on the same weekday of other weeks. Null where too few are known. */
export function usualAt(
  points: readonly StatPoint[],
  at: number,
  name: StatName,
  step: StatStep,
): Usual | null {
  const { cycle } = STAT_STEPS[step];
  const values = points
    .filter((point) => point.at !== at && (point.at - at) % cycle === 0)
    .flatMap((point) => point[name] ?? []);
  if (values.length < LEAST_DAYS) return null;
  return { value: middleOf(values), days: values.length };
}

/** The middle of some values, one at least. */
function middleOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >>> 1;
  const upper = sorted[half] as number;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[half - 1] as number)) / 2;
}
