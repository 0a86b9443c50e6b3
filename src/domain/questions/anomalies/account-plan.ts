import { count, counted, duration, MINUTE } from '../../../text/units.ts';
import { canBeRead, type PullZone } from '../../zone.ts';

/** The lengths of time that several zones are sampled over. */
export const ACCOUNT_SPANS = [
  { title: '3 hours', span: 180 * MINUTE },
  { title: '1 day', span: 1440 * MINUTE },
] as const;

/** A sample stands for no less, ms: what lasts five minutes is met by one at least. */
const STEP_LEAST = 4 * MINUTE;

/** Requests of one plan, however many zones there are; the clock's steps may add one for each zone. */
const REQUESTS_MOST = 1_200;

/** Samples of a zone: fewer do not tell what is usual, so more zones than these leave room for are not asked. */
const SAMPLES_LEAST = 20;

/** Requests a second that the quota of one zone allows all sessions of a user together, and that are asked of all zones. */
const PACE = { zone: 2.6, all: 30 } as const;

/** `zones`: those that are asked, in the order given; `left`: how many are not; `silent`: of how many no log can be read. */
export type AccountPlan = {
  zones: readonly PullZone[];
  left: number;
  silent: number;
  span: number;
  step: number;
};

/**
 * How to sample zones over a time, by as many requests as one plan may cost; the first zones come first. `unlisted`: zones
 * that are known by their number alone.
 */
export function accountPlan(all: readonly PullZone[], span: number, unlisted = 0): AccountPlan {
  const logging = all.filter(canBeRead);
  const zones = logging.slice(0, Math.floor(REQUESTS_MOST / SAMPLES_LEAST));
  const samples = Math.floor(REQUESTS_MOST / Math.max(1, zones.length));
  const step = Math.max(STEP_LEAST, Math.ceil(span / samples / MINUTE) * MINUTE);
  const left = logging.length - zones.length + unlisted;
  return { zones, left, silent: all.length - logging.length, span, step };
}

/** `45 of each of 18 zones, about 27s`: how the price is made up, whom it leaves out, and how long the quota makes it take. */
export function planWords({ zones, left }: AccountPlan, requests: number): string {
  const each = Math.ceil(requests / Math.max(1, zones.length));
  const ms = Math.ceil(Math.max(each / PACE.zone, requests / PACE.all)) * 1000;
  const asked =
    left > 0
      ? `the first ${count(zones.length)} of ${count(zones.length + left)}`
      : counted(zones.length, 'zone');
  return `${count(each)} of each, ${asked}, about ${duration(ms)}`;
}
