import { type Clock, systemClock } from '../time/clock.ts';
import { type AccountOptions, openAccount } from './account/account.ts';
import { createLimiter, type Limit, LOGGING_LIMIT } from './logs/limiter.ts';
import { SearchBook } from './shield/search.ts';
import { incidentSchedule, NO_INCIDENTS } from './traffic/incidents.ts';
import type { SliceOptions } from './traffic/slice-maker.ts';
import { createTraffic } from './traffic/traffic.ts';
import type { World } from './world.ts';

export type PlatformOptions = Partial<AccountOptions> &
  SliceOptions & {
    /** The server's own; the machine's when absent. */
    clock?: Clock;
    /** What incidents are planted around, Unix ms; the start when absent. */
    epoch?: number;
    incidents?: boolean;
    limit?: Limit;
  };

/** What one server is made of; everything that outlives a request. `now`: whole Unix ms. */
export type Platform = { world: World; now: () => number };

const DEMO_RATE = 40;

/** Everything behind the doors; limits are counted by the clock's `monotonic`. */
export function openPlatform(o: PlatformOptions): Platform {
  const seed = o.seed ?? 1;
  const clock = o.clock ?? systemClock;
  const now = () => Math.floor(clock.now());
  const epoch = o.epoch ?? Math.floor(now() / 60_000) * 60_000;
  const account = openAccount({ ...o, seed, rate: o.rate ?? DEMO_RATE });
  const schedule = o.incidents === false ? NO_INCIDENTS : incidentSchedule(seed, epoch, account.zones);
  return {
    world: {
      account,
      traffic: createTraffic({ ...o, schedule }),
      calm: createTraffic({ ...o, schedule: NO_INCIDENTS }),
      epoch,
      schedule,
      searches: new SearchBook(),
      limiter: createLimiter(o.limit ?? LOGGING_LIMIT, () => clock.monotonic()),
    },
    now,
  };
}
