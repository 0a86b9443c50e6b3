import { type HealthReading, nextReading, withAnswer } from '../domain/health/health-plan.ts';
import { NO_HEALTH, type ZoneHealth } from '../domain/health/zone-health.ts';
import type { PullZone } from '../domain/zone.ts';
import { readHealth } from '../effects/health.ts';
import { serverClock } from '../effects/server-clock.ts';
import type { Clock } from '../time/clock.ts';
import type { Printer } from './printer.ts';

type Asker = Pick<Printer, 'client' | 'clock'>;

/** Zones that are read at once; one that takes longer than its patience, ms, no longer counts among them. */
const ZONES_AT_ONCE = 16;
const PATIENCE = 2_000;

/** The longest that a search may take, ms: all of them wait for one quota. A zone's log is asked no more after its time, ms. */
const SEARCH_TIME = 15_000;
const LOG_TIME = 12_000;

/** The newest rows, and a sample of each part of the hour before. */
const MOST_READINGS = 6;

/** The health of zones from one reading each, in their order; ends early, with what was read, when the signal fires. */
export async function readAccount(
  o: Asker,
  zones: readonly PullZone[],
  signal: AbortSignal,
  seen: () => void = () => {},
): Promise<ZoneHealth[]> {
  const read = new Map<PullZone, ZoneHealth>();
  await eachAtOnce(o.clock, zones, signal, async (zone) => {
    read.set(zone, await readZone(o, zone, signal));
    seen();
  });
  return zones.map((zone) => read.get(zone) ?? NO_HEALTH);
}

/** One zone: what its log tells, and then what Shield blocked, whose searches all share one quota. */
async function readZone(o: Asker, zone: PullZone, signal: AbortSignal): Promise<ZoneHealth> {
  const now = serverClock(o, 'logging');
  const startedAt = o.clock.now();
  let health = NO_HEALTH;
  const read = async (reading: HealthReading, longest?: number): Promise<void> => {
    const answer = await readHealth(o, zone, reading, signal, longest);
    if (!signal.aborted) health = withAnswer(health, reading, answer, now());
  };
  const due = (hasShield: boolean) =>
    signal.aborted ? null : nextReading(health, { now: now(), every: Number.POSITIVE_INFINITY, hasShield });
  for (let n = 0; n < MOST_READINGS && o.clock.now() - startedAt < LOG_TIME; n++) {
    const reading = due(false);
    if (reading === null) break;
    await read(reading);
  }
  const search = zone.shieldZoneId ? due(true) : null;
  if (search?.kind === 'blocked') await read(search, SEARCH_TIME);
  return health;
}

/** Works on a few items at once; those that are slow wait beside the others. */
async function eachAtOnce<T>(
  clock: Clock,
  items: readonly T[],
  signal: AbortSignal,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const all: Promise<void>[] = [];
  let busy = 0;
  let isFree = Promise.withResolvers<void>();
  for (const item of items) {
    while (busy >= ZONES_AT_ONCE && !signal.aborted) await isFree.promise;
    if (signal.aborted) break;
    busy += 1;
    const ended = new AbortController();
    const working = work(item).finally(() => ended.abort());
    all.push(working);
    void clock.sleep(PATIENCE, ended.signal).then(() => {
      busy -= 1;
      isFree.resolve();
      isFree = Promise.withResolvers();
    });
  }
  await Promise.all(all);
}
