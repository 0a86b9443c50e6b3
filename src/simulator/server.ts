import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Clock, systemClock } from '../time/clock.ts';
import { type AccountOptions, openAccount } from './account/account.ts';
import { accountZones, type SimZone } from './account/account-zones.ts';
import type { HostKind, ServedAnswer } from './http/answers.ts';
import { routedAnswer, routeOf } from './http/router.ts';
import { SearchBook } from './shield/search.ts';
import { incidentSchedule, NO_INCIDENTS } from './traffic/incidents.ts';
import type { SliceOptions } from './traffic/slice-maker.ts';
import { createTraffic } from './traffic/traffic-source.ts';
import { createLimiter, type Limit, LOGGING_LIMIT, type World } from './world.ts';

/** Longer than clients keep a connection, so that the server never closes one about to be used. */
const KEEP_ALIVE = 75_000;

/** Starts the platform's API on loopback, each host on a port of its own. `port`: of the main host, 0 = any free one. */
export async function startSimulator({ port = 0, ...o }: PlatformOptions & { port?: number }) {
  const platform = openPlatform(o);
  const handle = (host: HostKind) => async (line: Line) =>
    send(await answerTo(platform, arrivalOf(host, line.req)), line);
  const main = await listen(port, handle('main'));
  const logging = await listen(0, handle('logging'));
  const originErrors = await listen(0, handle('originErrors'));
  const storage = await listen(0, handle('storage'));
  return {
    baseUrl: servedUrl(main),
    loggingUrl: servedUrl(logging),
    originErrorsUrl: servedUrl(originErrors),
    storageUrl: servedUrl(storage),
    accessKey: platform.world.account.accessKey,
    close: async () => {
      await Promise.all([main, logging, originErrors, storage].map(stop));
    },
  };
}

export function listen(port: number, handle: (line: Line) => Promise<void> | void): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer(
      { keepAliveTimeout: KEEP_ALIVE, requestTimeout: 0, headersTimeout: 0 },
      async (req, res) => {
        const ending = new AbortController();
        res.once('close', () => ending.abort());
        try {
          await handle({ req, res, signal: ending.signal });
        } catch {
          req.socket.destroy();
        }
      },
    );
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

export function servedUrl(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Closes all connections. */
export function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** The longest request body read, bytes. */
const MOST_BODY = 1_048_576;

/** A request as it arrived, over any connection. */
export type Arrival = {
  host: HostKind;
  method: string;
  /** With query string. */
  path: string;
  headers: IncomingHttpHeaders;
  body: () => Promise<Buffer>;
};

export type Sent = { status: number; headers: Record<string, string>; body: Buffer | AsyncIterable<string> };

/** The connection of a request; the signal fires when the client hangs up or the server ends. */
export type Line = { req: IncomingMessage; res: ServerResponse; signal: AbortSignal };

export function arrivalOf(host: HostKind, req: IncomingMessage): Arrival {
  const { url: path = '/', method = 'GET', headers } = req;
  return { host, method, path, headers, body: () => readBody(req) };
}

/** Answers a request as the platform does. */
export async function answerTo(
  { world, ...platform }: Platform,
  { host, method, path, headers, ...arrival }: Arrival,
): Promise<Sent> {
  const url = new URL(path, 'http://simulator.invalid');
  const route = routeOf(host, method, url.pathname);
  const body = await arrival.body();
  const now = platform.now();
  if (route === null) return sentOf({ status: 404, type: null, body: null }, now);
  const { id, params } = route;
  return sentOf(await routedAnswer(id, { host, method, url, params, headers, body, now }, world), now);
}

/** An answer with the headers that every answer of the server has at `now`, its time. */
export function sentOf({ status, type, body, headers }: ServedAnswer, now: number): Sent {
  const date = new Date(now).toUTCString();
  return {
    status,
    headers: { ...(type === null ? {} : { 'content-type': type }), date, ...headers },
    body: body === null || typeof body === 'string' ? Buffer.from(body ?? '') : body,
  };
}

/** Sends an answer to its last byte. Day logs are long: line by line, gzipped for those who take it. */
export async function send({ status, headers, body }: Sent, { req, res, signal }: Line): Promise<void> {
  res.sendDate = false;
  if (Buffer.isBuffer(body)) {
    res.writeHead(status, status === 204 ? headers : { ...headers, 'content-length': String(body.length) });
    res.end(body);
    return;
  }
  const takesGzip = /\bgzip\b/.test(String(req.headers['accept-encoding'] ?? ''));
  res.writeHead(status, takesGzip ? { ...headers, 'content-encoding': 'gzip' } : headers);
  const source = Readable.from(body, { objectMode: false });
  if (takesGzip) await pipeline(source, createGzip({ level: 1 }), res, { signal });
  else await pipeline(source, res, { signal });
}

async function readBody(req: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of req as AsyncIterable<Buffer>) {
    size += part.length;
    if (size <= MOST_BODY) parts.push(part);
  }
  return Buffer.concat(parts);
}

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
