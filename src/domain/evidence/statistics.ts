/** The figures of a zone, or of the account, in one hour or day. Null = not told. */
export type StatPoint = {
  /** When it begins, Unix ms UTC. */
  at: number;
  requests: number | null;
  /** 0…1 */
  hitRatio: number | null;
  bytes: number | null;
  originBytes: number | null;
  /** ms */
  originResponse: number | null;
  redirects: number | null;
  clientErrors: number | null;
  serverErrors: number | null;
};

export type StatName = Exclude<keyof StatPoint, 'at'>;

/** The platform's statistics: oldest first, at most one point an hour or a day. `unread`: points whose time or value is none. */
export type Statistics = { points: readonly StatPoint[]; unread: number };

export type StatStep = 'hour' | 'day';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** How long the platform keeps each, and how late it may be, ms. */
export const STAT_STEPS = {
  hour: { length: HOUR, kept: 30 * DAY },
  day: { length: DAY, kept: 365 * DAY },
} as const satisfies Record<StatStep, { length: number; kept: number }>;

export const STATISTICS_LATE = HOUR;

export const NO_POINT = {
  requests: null,
  hitRatio: null,
  bytes: null,
  originBytes: null,
  originResponse: null,
  redirects: null,
  clientErrors: null,
  serverErrors: null,
} as const satisfies Record<StatName, null>;

/** A usual value: the middle one, and of how many days it is. */
export type Usual = { value: number; days: number };

/** Fewer days say nothing about what is usual. */
export const LEAST_DAYS = 3;

/** What a figure is at the same hour of other days; of days, on the same weekday of other weeks. Null where too few are known. */
export function usualAt(
  points: readonly StatPoint[],
  at: number,
  name: StatName,
  step: StatStep,
): Usual | null {
  const cycle = step === 'hour' ? DAY : 7 * DAY;
  const values = points
    .filter((point) => point.at !== at && (point.at - at) % cycle === 0)
    .flatMap((point) => point[name] ?? []);
  if (values.length < LEAST_DAYS) return null;
  return { value: middleOf(values), days: values.length };
}

/** The middle of some values, one at least. */
export function middleOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >>> 1;
  const upper = sorted[half] as number;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[half - 1] as number)) / 2;
}
