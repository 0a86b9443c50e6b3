import type { IncomingMessage, ServerResponse } from 'node:http';
import { openAccount } from './account.ts';
import type { HostKind } from './call.ts';
import { exchange, type House } from './exchange.ts';
import { type FaultPlan, followPlan, type Hit, isUnconditional } from './fault-plan.ts';
import { type IncidentTruth, incidentSchedule, incidentTruths, NO_INCIDENTS } from './incident-schedule.ts';
import { createLimiter, type Limit, LOGGING_LIMIT } from './limits.ts';
import { type Listener, openListener } from './listener.ts';
import { createRouter } from './router.ts';
import { SearchBook } from './search-book.ts';
import { createStats, type SimRequest, type SimStats } from './stats.ts';
import type { StoragePatch, StorageZone } from './storage-population.ts';
import { applyStoragePatch } from './storage-zones.ts';
import type { Lateness, Surge, Work } from './stretch.ts';
import { createTraffic } from './traffic.ts';
import { type TruthRow, truthRows } from './truth.ts';
import type { SimZone } from './zones.ts';

export type SimulatorOptions = {
  /** Port of the main host, 0 = any free one. */
  port?: number;
  loggingPort?: number;
  seed?: number;
  /** Mean ordinary rows per second of the busiest zone. */
  rate?: number;
  /** Number of pull zones; the first 18 are always the same. */
  zones?: number;
  /** Number of API keys. */
  keys?: number;
  accessKey?: string;
  /** The server's time, Unix ms; also that of its limits when given. */
  clock?: () => number;
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

export type Simulator = {
  baseUrl: string;
  loggingUrl: string;
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
  close(): Promise<void>;
};

export const DEMO_RATE = 40;
const HOSTS: readonly HostKind[] = ['main', 'logging'];

/** Starts the platform's API on loopback, each host on a port of its own. */
export async function startSimulator(o: SimulatorOptions = {}): Promise<Simulator> {
  const seed = o.seed ?? 1;
  const now = o.clock ?? Date.now;
  const ticks = o.clock ?? (() => performance.now());
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
  const timers = new Set<NodeJS.Timeout>();
  const stray = strayServer((req) => stats.strayed(req.headers));
  let plan: (host: HostKind, method: string, path: string) => Hit[] = followPlan([]);
  const listeners = {} as Record<HostKind, Listener>;

  const stopListening = (host: HostKind, ms: number | undefined): void => {
    void listeners[host].setOpen(false);
    if (ms === undefined) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      void listeners[host].setOpen(true);
    }, ms);
    timers.add(timer);
  };
  const house: House = {
    world: { account, traffic, searches: new SearchBook() },
    router: createRouter(createLimiter(limit), ticks),
    stats,
    now,
    ticks,
    hits: (host, method, path) => plan(host, method, path),
    stopListening,
    elsewhere: stray.url,
    latency: o.latency ?? 0,
    underway,
    onRequest: o.onRequest,
  };
  const handlerOf = (host: HostKind) => (req: IncomingMessage, res: ServerResponse) => {
    exchange(house, host, req, res).catch(() => req.socket.destroy());
  };
  listeners.main = await openListener(o.port ?? 0, handlerOf('main'));
  listeners.logging = await openListener(o.loggingPort ?? 0, handlerOf('logging')).catch(async (error) => {
    await listeners.main.setOpen(false);
    throw error;
  });

  const simulator: Simulator = {
    baseUrl: listeners.main.url(),
    loggingUrl: listeners.logging.url(),
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
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
      await Promise.all(HOSTS.map((host) => listeners[host].setOpen(true)));
      for (const rule of faults) {
        const refusal = [rule.fault].flat().find((fault) => fault.kind === 'refuse');
        if (refusal === undefined || !isUnconditional(rule)) continue;
        for (const host of HOSTS) if ((rule.match?.host ?? host) === host) stopListening(host, refusal.ms);
      }
    },
    setListening: (host, isOpen) => listeners[host].setOpen(isOpen),
    changeStorageZone: (id, patch) => {
      const zone = account.storage.find((z) => z.read.Id === id);
      if (zone !== undefined) applyStoragePatch(zone, patch, now());
    },
    storageZone: (id) => account.storage.find((z) => z.read.Id === id) ?? null,
    close: async () => {
      for (const request of underway) request.abort();
      for (const timer of timers) clearTimeout(timer);
      await Promise.all([...HOSTS.map((host) => listeners[host].setOpen(false)), stray.close()]);
    },
  };
  await simulator.setFaults(o.faults ?? []);
  return simulator;
}

/** The origin that redirects lead to; opened when the first one is sent. */
function strayServer(arrived: (req: IncomingMessage) => void): {
  url: () => Promise<string>;
  close: () => Promise<void>;
} {
  let opening: Promise<Listener> | null = null;
  return {
    url: async () => {
      opening ??= openListener(0, (req, res) => {
        arrived(req);
        res.end('{"data":[],"Items":[]}');
      });
      return (await opening).url();
    },
    close: async () => (await opening)?.setOpen(false),
  };
}
