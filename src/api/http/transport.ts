import type { Credentials } from '../../config/settings/credentials.ts';
import { isLoopback, isSafe } from '../../config/settings/settings.ts';
import { type Failure, failureOf, type Result } from '../../domain/failure.ts';
import { MASK } from '../../text/mask.ts';
import { sanitise } from '../../text/sanitise.ts';
import { Secret } from '../../text/secret.ts';
import type { Clock } from '../../time/clock.ts';
import {
  type Dispatchers,
  isProxied,
  makeDispatchers,
  type ProxySettings,
  type Timeouts,
} from './connections.ts';
import { networkFailure } from './network-failure.ts';
import {
  addressOf,
  authorisationFor,
  type HostName,
  type StorageDoor,
  scrubber,
  storageBaseOf,
} from './origin.ts';
import { type Answer, DETAIL_LENGTH } from './response.ts';
import { isSuccess, type OpenAnswer, readWhole } from './response-body.ts';

/** One HTTP request without credentials: the transport adds them last. */
export type HttpRequest = {
  host: HostName;
  method: 'GET' | 'POST';
  /** Below the base URL: starts with `/`, has the query, holds no secret. */
  path: string;
  /** Sent as JSON; only the transport reveals a `Secret` in it. */
  body?: Readonly<Record<string, unknown>>;
  /** For the host `storage`, where each storage zone has a server and a password. */
  door?: StorageDoor;
  /** The bytes of a file are wanted as they are. */
  isFile?: boolean;
};

type TransportOptions = {
  baseUrl: string;
  loggingUrl: string;
  /** null = that host is not to be asked. */
  originErrorsUrl: string | null;
  /** The same. */
  storageUrl: string | null;
  credentials: Credentials;
  allowWrites: boolean;
  proxy: ProxySettings | null;
  timeouts: Timeouts;
  clock: Clock;
  /** Carries the requests; undici when absent. */
  dispatchers?: () => Promise<Dispatchers>;
};

export type Transport = {
  /** Why a request may not be sent; null when it may. Sends nothing. */
  objection(request: HttpRequest): Failure | null;
  /** Sends once, and waits for the whole answer. */
  send(request: HttpRequest, signal?: AbortSignal): Promise<Result<Answer>>;
  /** Sends once and hands over the body as a stream, still compressed; no total time limit. */
  open(request: HttpRequest, signal?: AbortSignal): Promise<Result<OpenAnswer>>;
  /** Opens the connection to a host that will be asked soon. */
  connectAhead(host: HostName): void;
  hostOf(request: Pick<HttpRequest, 'host' | 'door'>): string;
  scrub(text: string): string;
  close(): Promise<void>;
};

/** The POST that changes nothing; any other is a write. */
const READING_POST = /^\/shield\/event-logs\/\d+\/search$/;

/** The one place where requests leave the program and credentials are attached. */
export function createTransport(o: TransportOptions): Transport {
  const bases = {
    main: o.baseUrl,
    logging: o.loggingUrl,
    originErrors: o.originErrorsUrl,
    storage: o.storageUrl,
  } as const satisfies Record<HostName, string | null>;
  const baseOf = ({ host, door }: Pick<HttpRequest, 'host' | 'door'>): string | null =>
    door === undefined ? bases[host] : storageBaseOf(bases[host], door);
  const hostOf = (request: Pick<HttpRequest, 'host' | 'door'>): string => {
    const base = baseOf(request);
    return base === null ? '' : new URL(base).host;
  };
  const scrub = scrubber(o.credentials, MASK);
  const ofDoors = new WeakMap<StorageDoor, (text: string) => string>();
  /** A server of files may echo the password of its zone. */
  const scrubberOf = (door: StorageDoor): ((text: string) => string) => {
    const known = ofDoors.get(door);
    if (known !== undefined) return known;
    const own = scrubber({ accessKey: door.password, token: null }, MASK);
    const both = (text: string) => own(scrub(text));
    ofDoors.set(door, both);
    return both;
  };
  const makeAll = o.dispatchers ?? (() => makeDispatchers(o.timeouts, o.proxy));
  let dispatchers: Promise<Dispatchers> | null = null;

  /** Where a request goes and its authorising header, or why it may not be sent. */
  function destinationOf(
    request: HttpRequest,
  ): { url: URL; header: [name: string, value: string] } | Failure {
    const host = hostOf(request);
    const base = baseOf(request);
    if (base === null)
      return request.door === undefined
        ? failureOf('noOriginErrors')
        : failureOf('noStorageServer', { detail: sanitise(request.door.hostname, 'strict', DETAIL_LENGTH) });
    const url = addressOf(base, request.path);
    if (url === null) {
      return failureOf('invalidRequest', { host, detail: 'the path leads to another server' });
    }
    if (!isSafe(url)) return failureOf('insecure', { host, detail: 'plain http to a server elsewhere' });
    if (isWrite(request) && !o.allowWrites) return failureOf('readOnly', { host });
    const header = authorisationFor(request.host, o.credentials, request.door);
    return header === null ? failureOf('noKey', { host }) : { url, header };
  }

  async function start(request: HttpRequest, signal: AbortSignal): Promise<Result<OpenAnswer>> {
    const host = hostOf(request);
    const to = destinationOf(request);
    if ('kind' in to) return { ok: false, failure: to };
    const { url, header } = to;
    try {
      dispatchers ??= makeAll();
      const { request: ask, direct, proxy } = await dispatchers;
      const sentAt = o.clock.now();
      const response = await ask(url, {
        dispatcher: isLoopback(url) ? direct : proxy,
        method: request.method,
        signal,
        headers: {
          accept: request.isFile ? '*/*' : 'application/json, text/plain;q=0.9',
          // Stored files are gzipped already.
          'accept-encoding': request.isFile ? 'identity' : 'gzip',
          'user-agent': 'edgescope',
          ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
          [header[0]]: header[1],
        },
        body: request.body === undefined ? null : bodyText(request.body),
      });
      // An aborted body also reports its error as an event, which nobody else listens to.
      response.body.on('error', () => {});
      const answer: Answer = {
        host,
        status: response.statusCode,
        headers: firstValues(response.headers),
        bytes: Buffer.alloc(0),
        sentAt,
        receivedAt: o.clock.now(),
        scrub: request.door === undefined ? scrub : scrubberOf(request.door),
      };
      return { ok: true, value: { answer, body: response.body, hangUp: () => response.body.destroy() } };
    } catch (error) {
      return { ok: false, failure: networkFailure(error, url, isProxied(url, o.proxy)) };
    }
  }

  /** Gives up after the total time, or when the caller does. */
  async function inTime(
    request: HttpRequest,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<Result<Answer>>,
  ): Promise<Result<Answer>> {
    const host = hostOf(request);
    const over = new AbortController();
    const cancel = o.clock.after(o.timeouts.total, () => over.abort());
    const both = signal === undefined ? over.signal : AbortSignal.any([signal, over.signal]);
    try {
      const done = await work(both);
      return done.ok && !signal?.aborted ? done : early(done, host, signal, over.signal);
    } catch (error) {
      const base = new URL(baseOf(request) ?? o.baseUrl);
      const failure = networkFailure(error, base, isProxied(base, o.proxy));
      return early({ ok: false, failure }, host, signal, over.signal);
    } finally {
      cancel();
    }
  }

  return {
    objection(request) {
      const to = destinationOf(request);
      return 'kind' in to ? to : null;
    },
    scrub,
    hostOf,

    connectAhead(host) {
      const named = bases[host];
      const base = named === null ? null : new URL(named);
      if (base === null || !isSafe(base) || authorisationFor(host, o.credentials) === null) return;
      dispatchers ??= makeAll();
      // The request that follows reports a failure.
      void dispatchers.then(({ begin }) => begin(base)).catch(() => {});
    },

    send: (request, signal) =>
      inTime(request, signal, async (both) => {
        const opened = await start(request, both);
        return opened.ok ? await readWhole(opened.value, o.clock) : opened;
      }),

    async open(request, signal) {
      const opened = await start(request, signal ?? new AbortController().signal);
      if (!opened.ok) return early(opened, hostOf(request), signal, null);
      if (isSuccess(opened.value.answer)) return opened;
      // A failure's body is read in full, for its words.
      const cancel = o.clock.after(o.timeouts.total, opened.value.hangUp);
      const whole = await readWhole(opened.value, o.clock);
      cancel();
      return whole.ok ? { ok: true, value: { ...opened.value, answer: whole.value } } : whole;
    },

    async close() {
      const made = await dispatchers?.catch(() => null);
      await made?.destroy();
    },
  };
}

/** What is thrown after an abort says nothing; who aborted does. */
function early<T>(
  result: Result<T>,
  host: string,
  signal: AbortSignal | undefined,
  over: AbortSignal | null,
): Result<T> {
  if (signal?.aborted) return { ok: false, failure: failureOf('cancelled', { host }) };
  if (over?.aborted && !result.ok) {
    return { ok: false, failure: failureOf('timeout', { host, detail: 'not complete within 20 s' }) };
  }
  return result;
}

/** Whether a request changes something; a search is asked by POST, and is none. */
export function isWrite(request: HttpRequest): boolean {
  return request.method !== 'GET' && !READING_POST.test(request.path);
}

function bodyText(body: Readonly<Record<string, unknown>>): string {
  const revealed = Object.entries(body).map(([name, value]) => [
    name,
    value instanceof Secret ? value.reveal() : value,
  ]);
  return JSON.stringify(Object.fromEntries(revealed));
}

function firstValues(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const first = Array.isArray(value) ? value[0] : value;
    if (first !== undefined) values[name.toLowerCase()] = first;
  }
  return values;
}
