import { count, counted, duration, MINUTE } from '../../../text/units.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import { canBeRead, type PullZone } from '../../zone.ts';

/** The lengths of time that several zones are sampled over. */
export const ACCOUNT_SPANS = [
  { title: '3 hours', span: 180 * MINUTE },
  { title: '1 day', span: 1440 * MINUTE },
] as const;

/** A sample stands for no less, ms: attacks and storms that last five minutes are met by one at least. */
const STEP = 4 * MINUTE;

/** Requests of one plan, however many zones there are; the clock's steps may add one for each zone. */
const REQUESTS_MOST = 1_200;

/** Samples of a zone: fewer do not tell what is usual, so more zones than these leave room for are not asked. */
const SAMPLES_LEAST = 20;

/** Rows of a sample of one zone, and of each of several: a tenth of the requests stands out in them. */
const ROWS = { one: 400, each: 200 } as const;

/** Samples of rows that are held, where they are as full as those that are asked for. */
const HELD_SAMPLES = { least: 12, most: 720 } as const;

/** Requests a second that the quota of one zone allows all sessions of a user together, and that are asked of all zones. */
const PACE = { zone: 2.6, all: 30 } as const;

/** `zones`: those that are asked, in the order given; `left`: how many are not; `silent`: of how many no log can be read. */
export type SamplePlan = {
  zones: readonly PullZone[];
  left: number;
  silent: number;
  /** How long a sample stands for, ms, and how many rows it has at most. */
  step: number;
  rows: number;
};

/**
 * How to sample zones over a time, by as many requests as one plan may cost; the first zones come first. `unlisted`: zones
 * that are known by their number alone.
 */
export function samplePlan(all: readonly PullZone[], span: number, unlisted = 0): SamplePlan {
  const logging = all.filter(canBeRead);
  const zones = logging.slice(0, Math.floor(REQUESTS_MOST / SAMPLES_LEAST));
  const samples = Math.floor(REQUESTS_MOST / Math.max(1, zones.length));
  const step = Math.max(STEP, Math.ceil(span / samples / MINUTE) * MINUTE);
  const left = logging.length - zones.length + unlisted;
  const rows = all.length + unlisted > 1 ? ROWS.each : ROWS.one;
  return { zones, left, silent: all.length - logging.length, step, rows };
}

/** The same of so many rows that are held: that costs nothing, and samples are neither few nor many. */
export function planOfHeld(zones: readonly PullZone[], { from, to }: TimeRange, held: number): SamplePlan {
  const rows = zones.length > 1 ? ROWS.each : ROWS.one;
  const each = held / Math.max(1, zones.length);
  const samples = Math.max(HELD_SAMPLES.least, Math.min(HELD_SAMPLES.most, each / rows));
  const step = Math.max(1000, Math.min(STEP, Math.ceil((to - from) / samples / 1000) * 1000));
  return { zones, left: 0, silent: 0, step, rows };
}

/** `45 of each, 18 zones, about 27s`: how the price is made up, whom it leaves out, and how long the quota makes it take. */
export function planWords({ zones, left }: SamplePlan, requests: number): string {
  const each = Math.ceil(requests / Math.max(1, zones.length));
  const ms = Math.ceil(Math.max(each / PACE.zone, requests / PACE.all)) * 1000;
  if (zones.length === 1 && left === 0) return `about ${duration(ms)}, the newest first`;
  const asked =
    left > 0
      ? `the first ${count(zones.length)} of ${count(zones.length + left)}`
      : counted(zones.length, 'zone');
  return `${count(each)} of each, ${asked}, about ${duration(ms)}`;
}
