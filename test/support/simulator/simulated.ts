import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { SimZone } from '../../../src/simulator/account/account-zones.ts';
import {
  applyStoragePatch,
  type StoragePatch,
  type StoredZone,
} from '../../../src/simulator/account/storage-zones.ts';
import { HOSTS, type HostKind } from '../../../src/simulator/http/answers.ts';
import { routeOf } from '../../../src/simulator/http/router.ts';
import {
  type Arrival,
  answerTo,
  type Line,
  openPlatform,
  type PlatformOptions,
  type Scenario,
  type Sent,
  sentOf,
} from '../../../src/simulator/server.ts';
import { SearchBook } from '../../../src/simulator/shield/search.ts';
import type { DrawCounts } from '../../../src/simulator/traffic/slice-maker.ts';
import { LOGGING_LIMIT } from '../../../src/simulator/world.ts';
import { systemClock } from '../../../src/time/clock.ts';
import { type FaultPlan, followPlan, type Hit, isUnconditional } from './fault-plan.ts';
import type { FaultContext, FaultRow } from './fault-row.ts';
import { faultRow, WIDE_PREFIX } from './faults.ts';
import { createStats, type SimRequest, type SimStats, type StatsBook } from './stats.ts';
import { type IncidentTruth, incidentTruths, type TruthRow, truthRows } from './truth.ts';

export type SimulatedOptions = PlatformOptions & {
  faults?: FaultPlan;
  /** Called when an answer is chosen, and for requests that get none. */
  onRequest?: (request: SimRequest) => void;
};

/** What a request gets: an answer, or something that takes its connection over. */
export type Reply = Sent | ((line: Line) => Promise<void> | void);

/** How requests come in. */
export type Doors = {
  setOpen: (host: HostKind, isOpen: boolean) => Promise<void>;
  /** The origin that redirects lead to. */
  elsewhere: () => Promise<string>;
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
  work(): DrawCounts;
  incidents(now?: number): IncidentTruth[];
  truth(pullZoneId: string | number, from: number, to: number): TruthRow[];
  setFaults(plan: FaultPlan): Promise<void>;
  setListening(host: HostKind, isOpen: boolean): Promise<void>;
  /** Changes a storage zone behind the client's back. */
  changeStorageZone(id: number, patch: StoragePatch): void;
  storageZone(id: number): StoredZone | null;
};

/** The simulator with what tests need: faults, what the server saw, and the truth behind its answers. */
export function simulate(
  o: SimulatedOptions,
  doors: Doors,
  scenario?: Scenario,
): {
  simulated: Simulated;
  stats: StatsBook;
  /** Throws when the signal fires before there is an answer. */
  replyTo: (arrival: Arrival, signal: AbortSignal) => Promise<Reply>;
  leave: () => void;
} {
  const platform = openPlatform(o, scenario);
  const clock = o.clock ?? systemClock;
  const { account, traffic } = platform.world;
  const stats = createStats((o.limit ?? LOGGING_LIMIT).window);
  const reopenings = new Set<() => void>();
  let plan = followPlan([]);

  const stopListening = (host: HostKind, ms: number | undefined): void => {
    void doors.setOpen(host, false);
    if (ms === undefined) return;
    const cancel = clock.after(ms, () => {
      reopenings.delete(cancel);
      void doors.setOpen(host, true);
    });
    reopenings.add(cancel);
  };
  const stayOpen = () => {
    for (const cancel of reopenings) cancel();
    reopenings.clear();
  };

  async function replyTo(arrival: Arrival, signal: AbortSignal): Promise<Reply> {
    const { host, method, path, headers } = arrival;
    const { pathname } = new URL(path, 'http://simulator.invalid');
    const request: SimRequest = {
      number: stats.count() + 1,
      at: platform.now(),
      host,
      method,
      path,
      endpoint: routeOf(host, method, pathname)?.id ?? null,
      pullZoneId: host === 'logging' ? (pullZoneOf(pathname) ?? null) : null,
      status: null,
    };
    stats.arrived(request, headers, clock.monotonic());

    const hits = plan(host, method, path).map((hit) => ({ ...hit, row: faultRow(hit.fault) }));
    const context = (hit: Hit): FaultContext => {
      return { host, path, number: hit.number, now: platform.now(), elsewhere: doors.elsewhere };
    };
    const each = <K extends keyof FaultRow>(stage: K) =>
      hits.flatMap((hit) =>
        hit.row[stage] === undefined ? [] : [{ hit, act: hit.row[stage] as NonNullable<FaultRow[K]> }],
      );

    const wait = each('wait').reduce((sum, { hit, act }) => sum + act(hit.fault), 0);
    if (wait > 0) await clock.sleep(wait, signal);
    signal.throwIfAborted();
    for (const { hit } of each('stopsListening')) stopListening(host, hit.fault.ms ?? 1_000);
    const [seizure] = each('seize');
    if (seizure !== undefined) {
      o.onRequest?.(request);
      return (line) => seizure.act(line, seizure.hit.fault);
    }

    const shift = each('shift').reduce((sum, { hit, act }) => sum + act(hit.fault), 0);
    const now = () => platform.now() + shift;
    const asked = new URL(path.replaceAll(WIDE_PREFIX, ''), 'http://simulator.invalid');
    for (const { hit, act } of each('ask')) act(asked, hit.fault);
    const others = each('traffic');
    const rows = others.reduce((from, { hit, act }) => act(from, hit.fault, context(hit)), traffic);
    const world =
      others.length === 0 ? platform.world : { ...platform.world, traffic: rows, searches: new SearchBook() };
    const [instead] = each('instead');
    const body = await arrival.body();
    const refusal = each('refuses').flatMap(({ hit, act }) => act(body, hit.fault) ?? [])[0];
    const other = refusal ?? (await instead?.act(instead.hit.fault, context(instead.hit)));
    const sent =
      other === undefined
        ? await answerTo(
            { ...platform, world, now },
            { ...arrival, path: asked.pathname + asked.search, body: async () => body },
          )
        : sentOf(other, now());
    const status = each('status').reduce((before, { act }) => act(before), sent.status);
    for (const { hit, act } of each('alsoChanges')) {
      const zone = account.storage.find(({ read }) => pathname.endsWith(`/${read.Id}`));
      if (zone && status === 204) applyStoragePatch(zone, act(hit.fault), now());
    }
    stats.answered(status);
    o.onRequest?.({ ...request, status });

    const spoilt: Record<string, string> = Object.assign(
      { ...sent.headers },
      ...each('headers').map(({ hit, act }) => act(hit.fault)),
    );
    for (const { hit, act } of each('date')) {
      const ms = act(hit.fault);
      if (ms === null) delete spoilt['date'];
      else spoilt['date'] = new Date(now() + ms).toUTCString();
    }
    const changes = [...each('value'), ...each('body'), ...each('send')];
    if (!Buffer.isBuffer(sent.body) && changes.length === 0) return { ...sent, status, headers: spoilt };

    let bytes = await whole(sent.body);
    for (const { hit, act } of each('value'))
      bytes = reshape(bytes, (value) => act(value, hit.fault, context(hit)));
    for (const { hit, act } of each('body')) bytes = act(bytes, hit.fault);
    const [send] = each('send');
    if (send === undefined) return { status, headers: spoilt, body: bytes };
    return (line) => send.act({ ...line, clock, status, headers: spoilt, body: bytes }, send.hit.fault);
  }

  const simulated: Simulated = {
    accessKey: account.accessKey,
    token: account.token,
    epoch: platform.world.epoch,
    zones: account.zones,
    secrets: [account.accessKey, account.token, ...account.keys.flatMap((key) => key.Key ?? [])],
    stats: stats.snapshot,
    work: () => ({ ...traffic.work }),
    incidents: (at) => incidentTruths(platform.world.schedule, at ?? platform.now()),
    truth: (id, from, to) => {
      const zone = account.zoneById.get(String(id));
      return zone === undefined ? [] : truthRows(traffic, zone, from, to);
    },
    setFaults: async (faults) => {
      plan = followPlan(faults);
      stayOpen();
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
      if (zone !== undefined) applyStoragePatch(zone, patch, platform.now());
    },
    storageZone: (id) => account.storage.find((z) => z.read.Id === id) ?? null,
  };
  return { simulated, stats, replyTo, leave: stayOpen };
}

function whole(body: Sent['body']): Buffer | Promise<Buffer> {
  return Buffer.isBuffer(body) ? body : buffer(Readable.from(body, { objectMode: false }));
}

/** Leaves alone what is no JSON. */
function reshape(bytes: Buffer, change: (value: unknown) => unknown): Buffer {
  try {
    return Buffer.from(JSON.stringify(change(JSON.parse(bytes.toString('utf8')))));
  } catch {
    return bytes;
  }
}

function pullZoneOf(path: string): string | undefined {
  return /^\/v2\/pullzones\/(\d+)\//.exec(path)?.[1] ?? /\/(\d+)\.log$/.exec(path)?.[1];
}
