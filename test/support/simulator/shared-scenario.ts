import { openScenario, type PlatformOptions, type Scenario } from '../../../src/simulator/server.ts';

/** Each holds the rows of its last reads, some tens of megabytes. */
const MOST_KEPT = 3;

const kept = new Map<string, Scenario>();

/** What happened under these options is made once for all platforms of a process that have the same: most of their time goes there. */
export function sharedScenario({ clock, ...o }: PlatformOptions): Scenario {
  const { seed, rate, zones, incidents, lateness, surges, isSteady, epoch = clock?.now() } = o;
  const key = JSON.stringify([seed, rate, zones, incidents, lateness, surges, isSteady, epoch]);
  const scenario = kept.get(key) ?? openScenario({ ...o, clock });
  kept.delete(key);
  kept.set(key, scenario);
  const [oldest = key] = kept.keys();
  if (kept.size > MOST_KEPT) kept.delete(oldest);
  return scenario;
}
