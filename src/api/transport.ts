import type { Dispatcher } from 'undici';
import { type Failure, failureOf, type Result } from '../domain/failure.ts';
import { MASK } from '../domain/log.ts';
import { Secret } from '../text/secret.ts';
import type { Answer } from './answer.ts';
import { decodeBody, LARGEST_BODY, readUpTo } from './body.ts';
import type { Clock } from './clock.ts';
import { networkFailure } from './network-failure.ts';
import {
  addressOf,
  authorisationFor,
  type Credentials,
  type HostName,
  isLoopback,
  isSafe,
  scrubber,
} from './origin.ts';

/** One HTTP request, without credentials: those are added at the last moment, by the transport. */
export type WireRequest = {
  host: HostName;
  method: 'GET' | 'POST';
  /** Below the base URL, starting with `/`, with the query; holds no secret. */
  path: string;
  /** Sent as JSON; a `Secret` in it is revealed in the transport alone. */
  body?: Readonly<Record<string, unknown>>;
};

/** ms; `total` is over everything, so that a body that drips for ever ends too. */
export type Timeouts = { connect: number; headers: number; idle: number; total: number };

export const TIMEOUTS: Timeouts = { connect: 5_000, headers: 10_000, idle: 10_000, total: 20_000 };

/** Values of the proxy variables; empty where unset. */
export type ProxySettings = { httpProxy: string; httpsProxy: string; noProxy: string };

export type TransportOptions = {
  baseUrl: string;
  loggingUrl: string;
  credentials: Credentials;
  allowWrites: boolean;
  proxy: ProxySettings | null;
  timeouts: Timeouts;
  clock: Clock;
};

/** An answer whose body is still to come; `hangUp` ends it at any time. */
export type OpenAnswer = { answer: Answer; body: AsyncIterable<Uint8Array>; hangUp: () => void };

export type Transport = {
  /** Why a request may not be sent at all; null when it may. Nothing has left the machine then. */
  objection(request: WireRequest): Failure | null;
  /** Sends once, and waits for the whole answer. */
  send(request: WireRequest, signal?: AbortSignal): Promise<Result<Answer>>;
  /** Sends once, and hands over the body as it comes, still compressed; no total time limit. */
  open(request: WireRequest, signal?: AbortSignal): Promise<Result<OpenAnswer>>;
  hostOf(host: HostName): string;
  scrub(text: string): string;
  close(): Promise<void>;
};

/** POSTs that change nothing; any other is a write. */
const READING_POSTS = [/^\/shield\/event-logs\/\d+\/search$/, /^\/apikey\/exchange$/];
/** An error's message is short; a page in its place is not worth the link. */
const LARGEST_ERROR = 256 * 1024;

export function createTransport(o: TransportOptions): Transport {
  const bases = { main: o.baseUrl, logging: o.loggingUrl } as const satisfies Record<HostName, string>;
  const hosts = { main: new URL(o.baseUrl).host, logging: new URL(o.loggingUrl).host };
  const scrub = scrubber(o.credentials, MASK);
  let dispatchers: Promise<Dispatchers> | null = null;

  function objection(request: WireRequest): Failure | null {
    const host = hosts[request.host];
    const url = addressOf(bases[request.host], request.path);
    if (url === null)
      return failureOf('invalidRequest', { host, detail: 'the path leads to another server' });
    if (!isSafe(url)) return failureOf('insecure', { host, detail: 'plain http to a server elsewhere' });
    if (isWrite(request) && !o.allowWrites) return failureOf('readOnly', { host });
    if (authorisationFor(request.host, o.credentials) === null) return failureOf('noKey', { host });
    return null;
  }

  async function start(request: WireRequest, signal: AbortSignal): Promise<Result<OpenAnswer>> {
    const host = hosts[request.host];
    const refused = objection(request);
    const url = addressOf(bases[request.host], request.path);
    const authorisation = authorisationFor(request.host, o.credentials);
    if (refused !== null || url === null || authorisation === null) {
      return { ok: false, failure: refused ?? failureOf('noKey', { host }) };
    }
    try {
      dispatchers ??= makeDispatchers(o.timeouts, o.proxy);
      const { request: ask, direct, proxy } = await dispatchers;
      const sentAt = o.clock.now();
      const response = await ask(url, {
        dispatcher: isLoopback(url) ? direct : proxy,
        method: request.method,
        signal,
        headers: {
          accept: 'application/json, text/plain;q=0.9',
          'accept-encoding': 'gzip',
          'user-agent': 'edgescope',
          ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
          [authorisation[0]]: authorisation[1],
        },
        body: request.body === undefined ? null : bodyText(request.body),
      });
      // An aborted body reports its error as an event too, which nobody else listens to.
      response.body.on('error', () => {});
      const answer: Answer = {
        host,
        status: response.statusCode,
        headers: firstValues(response.headers),
        bytes: Buffer.alloc(0),
        sentAt,
        receivedAt: o.clock.now(),
        scrub,
      };
      return { ok: true, value: { answer, body: response.body, hangUp: () => response.body.destroy() } };
    } catch (error) {
      return { ok: false, failure: networkFailure(error, url, isProxied(url, o.proxy)) };
    }
  }

  /** Of an answer that failed, the status alone is enough: a body that is too much or does not come is left out. */
  async function readWhole(opened: OpenAnswer): Promise<Result<Answer>> {
    const { answer, body, hangUp } = opened;
    if (isSuccess(answer)) return readBody(answer, body, hangUp, LARGEST_BODY);
    try {
      const read = await readBody(answer, body, hangUp, LARGEST_ERROR);
      return read.ok ? read : { ok: true, value: answer };
    } catch {
      return { ok: true, value: answer };
    }
  }

  async function readBody(
    answer: Answer,
    body: AsyncIterable<Uint8Array>,
    hangUp: () => void,
    cap: number,
  ): Promise<Result<Answer>> {
    const { host, status, headers } = answer;
    const announced = Number(headers['content-length'] ?? 0);
    const bytes = announced > cap ? null : await readUpTo(body, cap);
    if (bytes === null) {
      hangUp();
      return { ok: false, failure: failureOf('tooLarge', { host, status }) };
    }
    const decoded = await decodeBody(bytes, headers['content-encoding'] ?? null, cap);
    if (decoded.ok)
      return { ok: true, value: { ...answer, bytes: decoded.bytes, receivedAt: o.clock.now() } };
    const { kind, detail } = decoded.fault;
    return { ok: false, failure: failureOf(kind, { host, status, detail }) };
  }

  /** Gives up after the total time, or when the caller does. */
  async function inTime(
    request: WireRequest,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<Result<Answer>>,
  ): Promise<Result<Answer>> {
    const host = hosts[request.host];
    const base = new URL(bases[request.host]);
    const over = new AbortController();
    const timer = setTimeout(() => over.abort(), o.timeouts.total);
    const both = signal === undefined ? over.signal : AbortSignal.any([signal, over.signal]);
    try {
      const done = await work(both);
      return done.ok && !signal?.aborted ? done : early(done, host, signal, over.signal);
    } catch (error) {
      const failure = networkFailure(error, base, isProxied(base, o.proxy));
      return early({ ok: false, failure }, host, signal, over.signal);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    objection,
    scrub,
    hostOf: (host) => hosts[host],

    send: (request, signal) =>
      inTime(request, signal, async (both) => {
        const opened = await start(request, both);
        return opened.ok ? await readWhole(opened.value) : opened;
      }),

    async open(request, signal) {
      const opened = await start(request, signal ?? new AbortController().signal);
      if (!opened.ok) return early(opened, hosts[request.host], signal, null);
      if (isSuccess(opened.value.answer)) return opened;
      // A failure is as short as any other answer, and its words are wanted.
      const whole = await inTime(request, signal, () => readWhole(opened.value));
      return whole.ok ? { ok: true, value: { ...opened.value, answer: whole.value } } : whole;
    },

    async close() {
      const made = await dispatchers?.catch(() => null);
      await Promise.all([made?.direct.destroy(), made?.proxy.destroy()]);
    },
  };
}

/** What was thrown after an abort says nothing; who aborted does. */
function early<T>(
  result: Result<T>,
  host: string,
  signal: AbortSignal | undefined,
  over: AbortSignal | null,
): Result<T> {
  if (signal?.aborted) return { ok: false, failure: failureOf('cancelled', { host }) };
  if (over?.aborted && !result.ok)
    return { ok: false, failure: failureOf('timeout', { host, detail: 'not complete within 20 s' }) };
  return result;
}

function isSuccess(answer: Answer): boolean {
  return answer.status >= 200 && answer.status <= 299;
}

function isWrite(request: WireRequest): boolean {
  return request.method !== 'GET' && !READING_POSTS.some((post) => post.test(request.path));
}

function isProxied(url: URL, proxy: ProxySettings | null): boolean {
  if (proxy === null || isLoopback(url)) return false;
  return proxy.httpProxy !== '' || (url.protocol === 'https:' && proxy.httpsProxy !== '');
}

type Dispatchers = { request: typeof import('undici').request; direct: Dispatcher; proxy: Dispatcher };

/** undici takes 30 ms to load, which a start without requests must not pay for. */
async function makeDispatchers(timeouts: Timeouts, proxy: ProxySettings | null): Promise<Dispatchers> {
  const { Agent, EnvHttpProxyAgent, request } = await import('undici');
  // Said outright, a verified certificate stays demanded whatever the environment says.
  const tls = { rejectUnauthorized: true };
  const common = {
    headersTimeout: timeouts.headers,
    bodyTimeout: timeouts.idle,
    connect: { timeout: timeouts.connect, ...tls },
    allowH2: false,
    connections: 8,
  };
  const direct = new Agent(common);
  if (proxy === null || (proxy.httpProxy === '' && proxy.httpsProxy === ''))
    return { request, direct, proxy: direct };
  const viaProxy = { connectTimeout: timeouts.connect, requestTls: tls, proxyTls: tls };
  return { request, direct, proxy: new EnvHttpProxyAgent({ ...common, ...viaProxy, ...proxy }) };
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
