import { type Clock, systemClock } from '../time/clock.ts';
import { openAccount } from './account.ts';
import type { World } from './call.ts';
import { incidentSchedule, NO_INCIDENTS, type Schedule } from './incident-schedule.ts';
import { createLimiter, type Limit, LOGGING_LIMIT } from './limits.ts';
import { createRouter, type Router } from './router.ts';
import { SearchBook } from './search-book.ts';
import type { Lateness, Surge } from './slice-maker.ts';
import { createTraffic } from './traffic.ts';

export type PlatformOptions = {
  seed?: number;
  /** Mean ordinary rows per second of the busiest zone. */
  rate?: number;
  /** Number of pull zones; the first 18 are always the same. */
  zones?: number;
  /** Number of API keys. */
  keys?: number;
  accessKey?: string;
  /** The server's own; the machine's when absent. */
  clock?: Clock;
  /** What incidents are planted around, Unix ms; the start when absent. */
  epoch?: number;
  incidents?: boolean;
  /** Exactly `rate` rows a second, for measurements. */
  isSteady?: boolean;
  lateness?: Lateness;
  surges?: readonly Surge[];
  limit?: Limit;
};

/** What one server is made of; everything that outlives a request. */
export type Platform = {
  world: World;
  router: Router;
  schedule: Schedule;
  epoch: number;
  /** Whole Unix ms. */
  now: () => number;
};

const DEMO_RATE = 40;

/** Everything behind the doors; limits are counted by the clock's `monotonic`. */
export function openPlatform(o: PlatformOptions): Platform {
  const seed = o.seed ?? 1;
  const clock = o.clock ?? systemClock;
  const now = () => Math.floor(clock.now());
  const epoch = o.epoch ?? Math.floor(now() / 60_000) * 60_000;
  const account = openAccount({
    seed,
    rate: o.rate ?? DEMO_RATE,
    ...(o.zones === undefined ? {} : { zones: o.zones }),
    ...(o.keys === undefined ? {} : { keys: o.keys }),
    ...(o.accessKey === undefined ? {} : { accessKey: o.accessKey }),
  });
  const schedule = o.incidents === false ? NO_INCIDENTS : incidentSchedule(seed, epoch, account.zones);
  const traffic = createTraffic({
    seed,
    schedule,
    isSteady: o.isSteady ?? false,
    surges: o.surges ?? [],
    ...(o.lateness === undefined ? {} : { lateness: o.lateness }),
  });
  return {
    world: { account, traffic, searches: new SearchBook() },
    router: createRouter(createLimiter(o.limit ?? LOGGING_LIMIT), () => clock.monotonic()),
    schedule,
    epoch,
    now,
  };
}
