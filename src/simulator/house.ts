import { type Clock, systemClock } from '../time/clock.ts';
import { openAccount } from './account.ts';
import type { HostKind, World } from './call.ts';
import { type FaultPlan, followPlan, type Hit, isUnconditional } from './fault-plan.ts';
import { type IncidentTruth, incidentSchedule, incidentTruths, NO_INCIDENTS } from './incident-schedule.ts';
import { createLimiter, type Limit, LOGGING_LIMIT } from './limits.ts';
import { createRouter, type Router } from './router.ts';
import { SearchBook } from './search-book.ts';
import { createStats, type SimRequest, type SimStats, type StatsBook } from './stats.ts';
import type { StoragePatch, StorageZone } from './storage-population.ts';
import { applyStoragePatch } from './storage-zones.ts';
import type { Lateness, Surge, Work } from './stretch.ts';
import { createTraffic } from './traffic.ts';
import { type TruthRow, truthRows } from './truth.ts';
import type { SimZone } from './zones.ts';

export type HouseOptions = {
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
  /** Ms before every answer. */
  latency?: number;
  limit?: Limit;
  faults?: FaultPlan;
  /** Called when an answer is chosen, and for requests that get none. */
  onRequest?: (request: SimRequest) => void;
};

/** How requests come in: the house says when it is open to them. */
export type Doors = {
  setOpen: (host: HostKind, isOpen: boolean) => Promise<void>;
  /** The origin that redirects lead to. */
  elsewhere: () => Promise<string>;
};

/** What one server is made of; everything that outlives a request. */
export type House = {
  world: World;
  router: Router;
  stats: StatsBook;
  /** Waits pass by it, and limits are counted by its `monotonic`. */
  clock: Clock;
  /** Whole Unix ms. */
  now: () => number;
  hits: (host: HostKind, method: string, path: string) => Hit[];
  stopListening: (host: HostKind, ms: number | undefined) => void;
  elsewhere: () => Promise<string>;
  latency: number;
  /** One for each request under way; all end with the server. */
  underway: Set<AbortController>;
  onRequest: ((request: SimRequest) => void) | undefined;
};

/** What is known of the account behind the API, and what may be done to it. */
export type Simulated = {
  accessKey: string;
  token: string;
  epoch: number;
  zones: readonly SimZone[];
  /** Every secret that the account has besides those that begin with `canary-`. */
  secrets: readonly string[];
  stats(): SimStats;
  /** What its answers cost so far. */
  work(): Work;
  incidents(now?: number): IncidentTruth[];
  truth(pullZoneId: string | number, from: number, to: number): TruthRow[];
  setFaults(plan: FaultPlan): Promise<void>;
  setListening(host: HostKind, isOpen: boolean): Promise<void>;
  /** Changes a storage zone behind the client's back. */
  changeStorageZone(id: number, patch: StoragePatch): void;
  storageZone(id: number): StorageZone | null;
};

const DEMO_RATE = 40;
export const HOSTS: readonly HostKind[] = ['main', 'logging'];

/** Everything behind the doors. `leave` hangs up on whoever is being answered. */
export function openHouse(
  o: HouseOptions,
  doors: Doors,
): { house: House; simulated: Simulated; leave: () => void } {
  const seed = o.seed ?? 1;
  const clock = o.clock ?? systemClock;
  const now = () => Math.floor(clock.now());
  const epoch = o.epoch ?? Math.floor(now() / 60_000) * 60_000;
  const limit = o.limit ?? LOGGING_LIMIT;
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
  const stats = createStats(limit.window);
  const underway = new Set<AbortController>();
  const reopenings = new Set<() => void>();
  let plan: (host: HostKind, method: string, path: string) => Hit[] = followPlan([]);

  const stopListening = (host: HostKind, ms: number | undefined): void => {
    void doors.setOpen(host, false);
    if (ms === undefined) return;
    const cancel = clock.after(ms, () => {
      reopenings.delete(cancel);
      void doors.setOpen(host, true);
    });
    reopenings.add(cancel);
  };
  const house: House = {
    world: { account, traffic, searches: new SearchBook() },
    router: createRouter(createLimiter(limit), () => clock.monotonic()),
    stats,
    clock,
    now,
    hits: (host, method, path) => plan(host, method, path),
    stopListening,
    elsewhere: doors.elsewhere,
    latency: o.latency ?? 0,
    underway,
    onRequest: o.onRequest,
  };
  const simulated: Simulated = {
    accessKey: account.accessKey,
    token: account.token,
    epoch,
    zones: account.zones,
    secrets: [account.accessKey, account.token, ...account.keys.flatMap((key) => key.Key ?? [])],
    stats: stats.snapshot,
    work: () => ({ ...traffic.work }),
    incidents: (at) => incidentTruths(schedule, at ?? now()),
    truth: (id, from, to) => {
      const zone = account.zoneById.get(String(id));
      return zone === undefined ? [] : truthRows(traffic, zone, from, to);
    },
    setFaults: async (faults) => {
      plan = followPlan(faults);
      for (const cancel of reopenings) cancel();
      reopenings.clear();
      await Promise.all(HOSTS.map((host) => doors.setOpen(host, true)));
      for (const rule of faults) {
        const refusal = [rule.fault].flat().find((fault) => fault.kind === 'refuse');
        if (refusal === undefined || !isUnconditional(rule)) continue;
        for (const host of HOSTS) if ((rule.match?.host ?? host) === host) stopListening(host, refusal.ms);
      }
    },
    setListening: doors.setOpen,
    changeStorageZone: (id, patch) => {
      const zone = account.storage.find((z) => z.read.Id === id);
      if (zone !== undefined) applyStoragePatch(zone, patch, now());
    },
    storageZone: (id) => account.storage.find((z) => z.read.Id === id) ?? null,
  };
  const leave = () => {
    for (const request of underway) request.abort();
    for (const cancel of reopenings) cancel();
  };
  return { house, simulated, leave };
}
