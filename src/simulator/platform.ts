import { type Clock, systemClock } from '../time/clock.ts';
import { type AccountOptions, openAccount } from './account/account.ts';
import { accountZones, type SimZone } from './account/account-zones.ts';
import { SearchBook } from './shield/search.ts';
import { incidentSchedule, NO_INCIDENTS } from './traffic/incidents.ts';
import type { SliceOptions } from './traffic/slice-maker.ts';
import { createTraffic } from './traffic/traffic-source.ts';
import type { World } from './world.ts';
import { createLimiter, type Limit, LOGGING_LIMIT } from './world.ts';

export type PlatformOptions = Partial<Omit<AccountOptions, 'zones'>> &
  SliceOptions & {
    /** Mean ordinary rows per second of the busiest zone. */
    rate?: number;
    /** Number of pull zones; the first 18 are always the same. */
    zones?: number;
    /** The server's own; the machine's when absent. */
    clock?: Clock;
    /** What incidents are planted around, Unix ms; the start when absent. */
    epoch?: number;
    incidents?: boolean;
    limit?: Limit;
  };

/** The parts of a server that outlive a request. `now`: whole Unix ms. */
export type Platform = { world: World; now: () => number };

/** What happens in the zones of an account: pure in its options, so that servers may share it. */
export type Scenario = Pick<World, 'epoch' | 'schedule' | 'traffic' | 'calm'> & { zones: readonly SimZone[] };

const DEMO_RATE = 40;
const USUAL_SEED = 1;

/** Everything behind the ports; limits count by the clock's `monotonic`. */
export function openPlatform(o: PlatformOptions, scenario: Scenario = openScenario(o)): Platform {
  const clock = o.clock ?? systemClock;
  const { zones, ...happening } = scenario;
  return {
    world: {
      ...happening,
      account: openAccount({ ...o, seed: o.seed ?? USUAL_SEED, zones }),
      searches: new SearchBook(),
      limiter: createLimiter(o.limit ?? LOGGING_LIMIT, () => clock.monotonic()),
    },
    now: () => Math.floor(clock.now()),
  };
}

export function openScenario({ clock = systemClock, ...o }: PlatformOptions): Scenario {
  const seed = o.seed ?? USUAL_SEED;
  const epoch = o.epoch ?? Math.floor(clock.now() / 60_000) * 60_000;
  const zones = accountZones(seed, o.rate ?? DEMO_RATE, o.zones);
  const schedule = o.incidents === false ? NO_INCIDENTS : incidentSchedule(seed, epoch, zones);
  return {
    epoch,
    zones,
    schedule,
    traffic: createTraffic({ ...o, schedule }),
    calm: createTraffic({ ...o, schedule: NO_INCIDENTS }),
  };
}
