import { type HealthReading, nextReading, withAnswer } from '../../domain/health/health-plan.ts';
import { NO_HEALTH, recentFigures, type ZoneHealth } from '../../domain/health/zone-health.ts';
import type { PullZone } from '../../domain/zone.ts';
import { readHealth } from '../../effects/health.ts';
import { serverClock } from '../../effects/server-clock.ts';
import type { Clock } from '../../time/clock.ts';
import type { Printer } from '../printer.ts';

type Asker = Pick<Printer, 'client' | 'clock'>;

/** Zones that are read at once; one that takes longer than its patience, ms, no longer counts among them. */
const ZONES_AT_ONCE = 16;
const PATIENCE = 2_000;

/** The longest that a search may take, ms: all of them wait for one quota. A zone's log is asked no more after its time, ms. */
const SEARCH_TIME = 15_000;
const LOG_TIME = 12_000;

/** The newest rows, and a sample of each part of the hour before. */
const MOST_READINGS = 6;

/**
 * The health of zones from one reading each, in their order; ends early, with what was read, when the signal fires. With at
 * `most` so many requests the newest rows of every zone come first, and then the past of those with the most errors.
 */
export async function readAccount(
  o: Asker,
  zones: readonly PullZone[],
  signal: AbortSignal,
  { seen = () => {}, most = null }: { seen?: () => void; most?: number | null } = {},
): Promise<ZoneHealth[]> {
  const read = new Map<PullZone, ZoneHealth>();
  const readThese = (these: readonly PullZone[], readings: number) =>
    eachAtOnce(o.clock, these, signal, async (zone) => {
      const before = read.get(zone) ?? null;
      read.set(zone, await readZone(o, zone, signal, { before: before ?? NO_HEALTH, readings }));
      if (before === null) seen();
    });
  if (most === null) await readThese(zones, MOST_READINGS);
  else {
    await readThese(zones.slice(0, most), 1);
    const left = Math.max(0, most - zones.length);
    const worst = [...read.keys()].toSorted((a, b) => errorsOf(read.get(b)) - errorsOf(read.get(a)));
    await readThese(worst.slice(0, Math.floor(left / MOST_READINGS)), MOST_READINGS - 1);
  }
  return zones.map((zone) => read.get(zone) ?? NO_HEALTH);
}

/** One zone: what its log tells, and then what Shield blocked, whose searches all share one quota. */
async function readZone(
  o: Asker,
  zone: PullZone,
  signal: AbortSignal,
  { before, readings }: { before: ZoneHealth; readings: number },
): Promise<ZoneHealth> {
  const now = serverClock(o, 'logging');
  const startedAt = o.clock.now();
  let health = before;
  const read = async (reading: HealthReading, longest?: number): Promise<void> => {
    const answer = await readHealth(o, zone, reading, signal, longest);
    if (!signal.aborted) health = withAnswer(health, reading, answer, now());
  };
  const due = (hasShield: boolean) =>
    signal.aborted ? null : nextReading(health, { now: now(), every: Number.POSITIVE_INFINITY, hasShield });
  for (let n = 0; n < readings && o.clock.now() - startedAt < LOG_TIME; n++) {
    const reading = due(false);
    if (reading === null) break;
    await read(reading);
  }
  const search = zone.shieldZoneId && readings > 1 ? due(true) : null;
  if (search?.kind === 'blocked') await read(search, SEARCH_TIME);
  return health;
}

function errorsOf(health: ZoneHealth | undefined): number {
  return (health && recentFigures(health)?.errorRatio) ?? 0;
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
