import type { Credentials } from '../config/settings/credentials.ts';
import type { ChangePage } from '../domain/evidence/change.ts';
import type { OriginErrorDay, StatHour } from '../domain/evidence/origin-error.ts';
import { failureOf, type Result } from '../domain/failure.ts';
import { idSegment } from '../domain/handover/wire-request.ts';
import type { CountRequest, LogHistory } from '../domain/logs/log-history.ts';
import { newestOf } from '../domain/logs/log-rows.ts';
import type { QuotaSnapshot, RequestEvent } from '../domain/request-event.ts';
import type { ShieldAnswer, ShieldDayPage, ShieldSearchRequest, WafRule } from '../domain/shield/shield.ts';
import type { PartStore } from '../domain/storage/log-parts.ts';
import type { StorageZone, StorageZonePatch } from '../domain/storage/storage.ts';
import {
  type LocalTime,
  observed,
  type ServerTime,
  type TimedAnswer,
  toldNow,
  UNKNOWN_SERVER_TIME,
} from '../domain/tail/server-time.ts';
import { CLOCK_DOUBT } from '../domain/tail/tail-pace.ts';
import type { Page } from '../domain/zone.ts';
import type { ListItem, ListName } from '../lists/account-lists.ts';
import { type Clock, systemClock } from '../time/clock.ts';
import { listCall, type PageRequest, storageZoneCall, updateStorageZoneCall } from './account-calls.ts';
import { type Call, type CallOptions, createCaller } from './caller.ts';
import { changesCall, originErrorsCall, type StatisticsRequest, statisticsCall } from './evidence-calls.ts';
import { type ProxySettings, TIMEOUTS, type Timeouts } from './http/connections.ts';
import type { HostName } from './http/origin.ts';
import { type Answer, serverNowOf } from './http/response.ts';
import { createTransport, type Transport } from './http/transport.ts';
import { type LogSlice, type LogSliceRequest, logsCall } from './log-calls.ts';
import { isDayWithoutData, type LogDayRequest, type LogLines, logDayCall, v1Lines } from './log-calls-v1.ts';
import { hostLane, logLane, type Permit, type Quota } from './quota/quota.ts';
import {
  shieldDayCall,
  shieldMappingCall,
  shieldSearchCall,
  shieldZoneCall,
  wafRulesCall,
} from './shield-calls.ts';
import {
  fileBytes,
  fileCall,
  filesCall,
  logArchiveCall,
  partStoreCall,
  type StoredLogClient,
} from './stored-log-calls.ts';

export type { CallOptions } from './caller.ts';
export type { LogSlice, LogSliceRequest } from './log-calls.ts';
export type { LogBatch, LogDayRequest, LogLines } from './log-calls-v1.ts';

type ShieldPair = { shieldZoneId: string; pullZoneId: string };

/** No function throws because of a server or a network. Identical calls share one read-only value. */
export type Client = StoredLogClient & {
  list<N extends ListName>(name: N, r: PageRequest, c?: CallOptions): Promise<Result<Page<ListItem<N>>>>;
  shieldMapping(c?: CallOptions): Promise<Result<ShieldPair[]>>;
  /** The id of its Shield zone; null = the pull zone has none. */
  shieldZoneOfPullZone(pullZoneId: string, c?: CallOptions): Promise<Result<string | null>>;
  wafRules(shieldZoneId: string, c?: CallOptions): Promise<Result<WafRule[]>>;
  shieldSearch(shieldZoneId: string, r: ShieldSearchRequest, c?: CallOptions): Promise<Result<ShieldAnswer>>;
  /** `day`: `YYYY-MM-DD` in UTC; `token`: null for the first page, then `next` of the page before. */
  shieldDay(
    shieldZoneId: string,
    day: string,
    token: string | null,
    c?: CallOptions,
  ): Promise<Result<ShieldDayPage>>;
  storageZone(id: string, c?: CallOptions): Promise<Result<StorageZone>>;
  /** Waits until `count` requests to the main host may follow each other at once. */
  takeTurns(count: number, signal: AbortSignal): Promise<Result<readonly Permit[]>>;
  /** Sent once, never again; where `mayHaveArrived(failure)`, only a read can tell what it did. */
  updateStorageZone(id: string, patch: StorageZonePatch, c?: CallOptions): Promise<Result<null>>;
  logs(r: LogSliceRequest, c?: CallOptions): Promise<Result<LogSlice>>;
  /** A store's counts of rows that the platform no longer keeps; absent without a store. */
  count?(r: CountRequest, c?: CallOptions): ReturnType<LogHistory['count']>;
  /** Lines as they come; `retries` and the quota apply to the start only. */
  logsV1(r: LogDayRequest, c?: CallOptions): Promise<Result<LogLines>>;
  /** Why a zone's origin failed on a UTC day (`YYYY-MM-DD`): the whole day, by one request to a host of its own. */
  originErrors(pullZoneId: string, day: string, c?: CallOptions): Promise<Result<OriginErrorDay>>;
  /**
   * The account's changes on a UTC day, newest first; `token`: null for the first page, then `next` of the page
   * before.
   */
  changes(day: string, token: string | null, c?: CallOptions): Promise<Result<ChangePage>>;
  statistics(r: StatisticsRequest, c?: CallOptions): Promise<Result<readonly StatHour[]>>;
  /** Opens the connection to the logging API before it is known which logs are wanted; sends nothing. */
  connectToLogs(): void;
  /** The time on a server by its answers so far. */
  serverTime(host: HostName): ServerTime;
  /** The budget of one zone's logs. */
  logQuota(pullZoneId: string): QuotaSnapshot;
  /** The budget of all requests to the main host. */
  mainQuota(): QuotaSnapshot;
};

/** The calls that only read: whoever is handed this can change nothing. */
export type ReadingClient = Omit<Client, 'takeTurns' | 'updateStorageZone' | keyof StoredLogClient>;

export type ClientOptions = {
  baseUrl: string;
  loggingUrl: string;
  /** null or absent: origin errors are not asked for. */
  originErrorsUrl?: string | null;
  /** null or absent: stored files are not asked for. */
  storageUrl?: string | null;
  credentials: Credentials;
  allowWrites: boolean;
  quota: Quota;
  onRequest?: (event: RequestEvent) => void;
  /** Numbers the requests, where others are listed with them. Default: from 1 on. */
  nextId?: () => number;
  /** Default: none. Loopback is never proxied. */
  proxy?: ProxySettings | null;
  timeouts?: Partial<Timeouts>;
  clock?: Clock;
  random?: () => number;
  /** Scales the pauses between tries, for tests. */
  factor?: number;
  /** Wraps the transport, to count what leaves or to observe what comes. */
  over?: (transport: Transport) => Transport;
};

export function createClient(o: ClientOptions): Client & { close(): Promise<void> } {
  const clock = o.clock ?? systemClock;
  const timeouts = { ...TIMEOUTS, ...o.timeouts };
  const wire = createTransport({
    ...o,
    originErrorsUrl: o.originErrorsUrl ?? null,
    storageUrl: o.storageUrl ?? null,
    proxy: o.proxy ?? null,
    timeouts,
    clock,
  });
  const over = o.over?.(wire) ?? wire;
  const times: Record<HostName, ServerTime> = {
    main: UNKNOWN_SERVER_TIME,
    logging: UNKNOWN_SERVER_TIME,
    originErrors: UNKNOWN_SERVER_TIME,
    storage: UNKNOWN_SERVER_TIME,
  };
  const transport: Transport = {
    ...over,
    async send(request, signal) {
      const sent = await over.send(request, signal);
      if (sent.ok) hear(request.host, sent.value);
      return sent;
    },
  };
  const caller = createCaller({
    transport,
    quota: o.quota,
    clock,
    toldNow: (host) => toldNow(times[host], local()),
    random: o.random ?? Math.random,
    onRequest: o.onRequest ?? (() => {}),
    nextId: o.nextId ?? numbered(),
    factor: o.factor ?? 1,
  });
  const share = createSingleFlight();
  const closing = new AbortController();
  const main = hostLane(o.baseUrl);
  const originErrors = o.originErrorsUrl == null ? main : hostLane(o.originErrorsUrl);
  const logs = (pullZoneId: string) => logLane(o.loggingUrl, pullZoneId);
  const filesLane = (door: PartStore) => {
    const host = transport.hostOf({ host: 'storage', door });
    return host === '' ? main : hostLane(`https://${host}`);
  };

  /** Identical reads of the same urgency share one request; a POST never does. */
  function run<T>(call: Call<T> | null, c: CallOptions = {}, lane = main): Promise<Result<T>> {
    if (call === null) return Promise.resolve(malformed());
    const signal = untilClosed(c.signal);
    if (call.method !== 'GET' || c.permit !== undefined) return caller.call(call, lane, { ...c, signal });
    const key = `${call.host} ${call.path} ${c.priority ?? 'user'} ${c.retries ?? ''}`;
    return share(key, signal, (shared) => caller.call(call, lane, { ...c, signal: shared }));
  }

  /** A refusal shows the time as any other answer does. */
  function hear(host: HostName, answer: Answer): void {
    learn(host, { ...answer, date: serverNowOf(answer), newestRow: null });
  }

  function learn(host: HostName, answer: TimedAnswer): void {
    times[host] = observed(times[host], answer, local(), CLOCK_DOUBT);
  }

  function local(): LocalTime {
    return { steady: clock.now(), wall: clock.wall() };
  }

  async function logSlice(r: LogSliceRequest, c?: CallOptions): Promise<Result<LogSlice>> {
    const slice = await run(logsCall(r), c, logs(r.pullZoneId));
    if (slice.ok) {
      const { rows, sentAt, receivedAt } = slice.value;
      learn('logging', { date: null, newestRow: newestOf(rows), sentAt, receivedAt });
    }
    return slice;
  }

  function untilClosed(signal: AbortSignal | undefined): AbortSignal {
    return signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal]);
  }

  function about<T>(id: string, make: (id: string) => Call<T>, c?: CallOptions): Promise<Result<T>> {
    const segment = idSegment(id);
    return run(segment === null ? null : make(segment), c);
  }

  return {
    list: (name, r, c) => run(listCall(name, r), c),
    storageZone: (id, c) => about(id, storageZoneCall, c),
    async takeTurns(count, signal) {
      try {
        const permits = await o.quota.acquireTogether(main, count, untilClosed(signal));
        return { ok: true, value: permits };
      } catch {
        return { ok: false, failure: failureOf('cancelled') };
      }
    },

    updateStorageZone: (id, patch, c) => about(id, (known) => updateStorageZoneCall(known, patch), c),

    shieldMapping: (c) => run(shieldMappingCall(), c),
    shieldZoneOfPullZone: (id, c) => about(id, shieldZoneCall, c),
    wafRules: (id, c) => about(id, wafRulesCall, c),
    shieldSearch: (id, r, c) => run(shieldSearchCall(id, r), c),
    shieldDay: (id, day, token, c) => run(shieldDayCall(id, day, token), c),
    logs: logSlice,
    originErrors: (id, day, c) => run(originErrorsCall(id, day), c, originErrors),
    changes: (day, token, c) => run(changesCall(day, token), c),
    statistics: (r, c) => run(statisticsCall(r), c),

    logArchive: (id, c) => about(id, logArchiveCall, c),
    partStore: (id, c) => about(id, partStoreCall, c),
    storedFiles: (store, folder, c) => run(filesCall(store, folder), c, filesLane(store)),
    async storedFile(store, names, c = {}) {
      const call = fileCall(store, names);
      if (call === null) return malformed('no name of a file');
      const opened = await caller.stream(call, filesLane(store), { ...c, signal: untilClosed(c.signal) });
      return opened.ok ? { ok: true, value: fileBytes(opened.value, c.signal) } : opened;
    },

    async logsV1(r, c = {}) {
      const call = logDayCall(r);
      if (call === null) return malformed();
      const signal = untilClosed(c.signal);
      const opened = await caller.stream(call, logs(r.pullZoneId), { ...c, signal });
      if (opened.ok) return { ok: true, value: v1Lines(opened.value, r, signal) };
      return isDayWithoutData(opened.failure) ? { ok: true, value: noLines() } : opened;
    },

    serverTime: (host) => times[host],
    connectToLogs: () => transport.connectAhead('logging'),
    logQuota: (pullZoneId) => o.quota.snapshot(logs(pullZoneId)),
    mainQuota: () => o.quota.snapshot(main),

    async close() {
      closing.abort();
      await transport.close();
    },
  };
}

/** Numbers from 1 on. */
export function numbered(): () => number {
  let last = 0;
  return () => {
    last += 1;
    return last;
  };
}

/** What does not fit into a URL is refused before anything is sent. */
function malformed(detail = 'an id is decimal digits, a day YYYY-MM-DD'): Result<never> {
  return { ok: false, failure: failureOf('invalidRequest', { detail }) };
}

async function* noLines(): LogLines {}

type Flight = { result: Promise<Result<unknown>>; callers: number; abort: AbortController };

/**
 * Identical reads under way share one request: each caller leaves by its own signal, and the last one out cancels it.
 * They share one value, which nobody may change.
 */
function createSingleFlight(): <T>(
  key: string,
  signal: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<Result<T>>,
) => Promise<Result<T>> {
  const flights = new Map<string, Flight>();

  return async (key, signal, run) => {
    if (signal?.aborted) return { ok: false, failure: failureOf('cancelled') };
    const flight = flights.get(key) ?? takeOff(key, run);
    flight.callers += 1;
    // The key names the request, and with it the type of its result.
    return (await leaveOr(flight.result, signal, () => {
      flight.callers -= 1;
      if (flight.callers > 0) return;
      if (flights.get(key) === flight) flights.delete(key);
      flight.abort.abort();
    })) as Awaited<ReturnType<typeof run>>;
  };

  function takeOff(key: string, run: (signal: AbortSignal) => Promise<Result<unknown>>): Flight {
    const abort = new AbortController();
    const result = run(abort.signal).finally(() => {
      if (flights.get(key) === flight) flights.delete(key);
    });
    const flight: Flight = { result, callers: 0, abort };
    flights.set(key, flight);
    return flight;
  }
}

function leaveOr(
  result: Promise<Result<unknown>>,
  signal: AbortSignal | undefined,
  leave: () => void,
): Promise<Result<unknown>> {
  if (signal === undefined) return result;
  const { promise: left, resolve } = Promise.withResolvers<Result<unknown>>();
  const abort = () => {
    leave();
    resolve({ ok: false, failure: failureOf('cancelled') });
  };
  signal.addEventListener('abort', abort, { once: true });
  return Promise.race([result, left]).finally(() => signal.removeEventListener('abort', abort));
}
