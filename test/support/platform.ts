import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { ClientOptions } from '../../src/api/client.ts';
import { type Dispatchers, TIMEOUTS } from '../../src/api/dispatchers.ts';
import { createTransport } from '../../src/api/transport.ts';
import type { HostKind } from '../../src/simulator/call.ts';
import { type Arrival, replyTo } from '../../src/simulator/exchange.ts';
import { type HouseOptions, openHouse, type Simulated } from '../../src/simulator/house.ts';
import { Secret } from '../../src/text/secret.ts';
import { clockWith, VirtualClock } from './virtual-clock.ts';

export type PlatformOptions = Omit<HouseOptions, 'clock'>;

/** The simulated API without a socket, in time that passes when it is told to. */
export type Platform = Simulated & {
  clock: VirtualClock;
  baseUrl: string;
  loggingUrl: string;
  /** What goes over the transport of a client, so that its requests come here: all but undici is the program's own. */
  over: NonNullable<ClientOptions['over']>;
  /** Until nothing is being answered, read or written, and no timer is due. */
  rest(): Promise<void>;
  /** Lets time pass until the work is done. */
  ended<T>(work: Promise<T>): Promise<T>;
};

type Asked = { method?: string; headers: Record<string, string>; body: string | null; signal: AbortSignal };
type Response = Awaited<ReturnType<Dispatchers['request']>>;

const URLS = {
  main: 'https://api.simulator.test',
  logging: 'https://logging.simulator.test',
} as const satisfies Record<HostKind, string>;

/** Turns of the event loop in which nothing was left to do; React takes some to commit. */
const QUIET_TURNS = 4;

/** A Thursday noon. */
export const OPENED = Date.UTC(2026, 10, 19, 12);

export function openPlatform(o: PlatformOptions & { clock?: VirtualClock } = {}): Platform {
  const clock = o.clock ?? new VirtualClock({ real: OPENED });
  const isOpen: Record<HostKind, boolean> = { main: true, logging: true };
  /** Requests that are being answered now; one that waits for time, or for ever, is none. */
  let busy = 0;
  // While the server waits, nothing happens before time has passed.
  const serverClock = clockWith(clock, {
    async sleep(ms, signal) {
      busy -= 1;
      await clock.sleep(ms, signal);
      busy += 1;
    },
  });
  const { house, simulated } = openHouse(
    { ...o, clock: serverClock },
    {
      async setOpen(host, isIt) {
        isOpen[host] = isIt;
        if (!isIt) for (const request of house.underway) request.abort();
      },
      elsewhere: async () => 'https://elsewhere.simulator.test',
    },
  );
  void simulated.setFaults(o.faults ?? []);

  async function request(url: URL, { method = 'GET', headers, body, signal }: Asked): Promise<Response> {
    const host = url.origin === URLS.logging ? 'logging' : 'main';
    if (!isOpen[host]) throw thrown('ECONNREFUSED');
    const ending = new AbortController();
    const line = new Line(() => house.underway.delete(ending));
    const hangUp = () => ending.abort(signal.reason);
    house.underway.add(ending);
    signal.addEventListener('abort', hangUp, { once: true });
    ending.signal.addEventListener('abort', () =>
      line.fail(signal.aborted ? signal.reason : thrown('ECONNRESET')),
    );
    const stopWaiting = clock.after(TIMEOUTS.headers, () => line.fail(thrown('UND_ERR_HEADERS_TIMEOUT')));
    const path = url.pathname + url.search;
    const arrival = { host, method, path, headers, body: async () => Buffer.from(body ?? '') } as const;
    void answer(line, ending.signal, arrival).catch((error) => line.fail(error));
    return line.response.finally(stopWaiting);
  }

  async function answer(line: Line, signal: AbortSignal, arrival: Arrival): Promise<void> {
    busy += 1;
    const reply = await replyTo(house, arrival, signal).finally(() => {
      busy -= 1;
    });
    const req = { socket: line } as unknown as IncomingMessage;
    if ('seize' in reply) return reply.seize({ req, signal });
    const { status, headers, body, send } = reply;
    if (send === null || !Buffer.isBuffer(body)) return line.give(status, headers, body);
    // A body without an end needs a reader that holds it up.
    const res = null as unknown as ServerResponse;
    await send({ clock: serverClock, req, res, status, headers, body, signal });
  }

  async function rest(): Promise<void> {
    for (let quiet = 0; quiet < QUIET_TURNS; quiet += 1) {
      await turn();
      if (clock.next(clock.real) || busy > 0 || isWaitingForFiles()) quiet = 0;
    }
  }

  const dispatchers = {
    request: request as unknown as Dispatchers['request'],
    direct: null as unknown as Dispatchers['direct'],
    proxy: null as unknown as Dispatchers['proxy'],
    begin: () => {},
    destroy: async () => {},
  };
  const transport = createTransport({
    baseUrl: URLS.main,
    loggingUrl: URLS.logging,
    credentials: { accessKey: new Secret(simulated.accessKey), token: null },
    allowWrites: true,
    proxy: null,
    timeouts: TIMEOUTS,
    clock,
    dispatchers: async () => dispatchers,
  });
  return {
    ...simulated,
    clock,
    baseUrl: URLS.main,
    loggingUrl: URLS.logging,
    rest,
    async ended(work) {
      let isOver = false;
      const end = () => {
        isOver = true;
      };
      void work.then(end, end);
      for (;;) {
        await rest();
        if (isOver) return work;
        if (!clock.next()) throw new Error('nothing is left that could end it');
      }
    },
    // Whether a request may be sent is decided as ever, over the addresses and the permissions of the client.
    over: (wire) => ({ ...transport, objection: wire.objection }),
  };
}

/** What stands in the place of a socket, on the server's side: bytes go in, and an answer comes out. */
class Line {
  readonly response: Promise<Response>;
  destroyed = false;
  readonly #settle = Promise.withResolvers<Response>();
  readonly #ended: () => void;
  #head = '';
  #body: PassThrough | null = null;
  #missing = 0;

  constructor(ended: () => void) {
    this.#ended = ended;
    this.response = this.#settle.promise;
    // Who asked may have gone by the time it fails.
    this.response.catch(() => {});
  }

  give(statusCode: number, headers: Record<string, string>, bytes: Buffer | AsyncIterable<string>): void {
    this.#answer(
      statusCode,
      headers,
      Readable.from(Buffer.isBuffer(bytes) ? [bytes] : bytes, { objectMode: false }),
    );
  }

  fail(error: unknown): void {
    this.destroyed = true;
    this.#settle.reject(error);
    this.#body?.destroy(error as Error);
    this.#ended();
  }

  write(data: Buffer | string, done?: () => void): void {
    const bytes = Buffer.from(data);
    if (this.#body === null) this.#begin(bytes);
    else this.#take(bytes);
    done?.();
  }

  end(): void {
    if (this.#missing === Infinity) this.fail(Object.assign(new Error(), { name: 'HTTPParserError' }));
    else if (this.#missing > 0) this.fail(thrown('UND_ERR_SOCKET'));
    else this.#body?.end();
  }

  resetAndDestroy(): void {
    this.fail(thrown('ECONNRESET'));
  }

  #begin(bytes: Buffer): void {
    this.#head += bytes.toString('latin1');
    const at = this.#head.indexOf('\r\n\r\n');
    if (at < 0) return;
    const [status = '', ...lines] = this.#head.slice(0, at).split('\r\n');
    const headers = Object.fromEntries(lines.map((line) => line.split(/: (.*)/, 2) as [string, string]));
    // Whoever sends chunks here leaves the last one out.
    this.#missing = 'transfer-encoding' in headers ? Infinity : Number(headers['content-length'] ?? 0);
    this.#body = new PassThrough();
    this.#answer(Number(status.split(' ')[1]), headers, this.#body);
    this.#take(Buffer.from(this.#head.slice(at + 4), 'latin1'));
  }

  #take(bytes: Buffer): void {
    this.#missing -= bytes.length;
    this.#body?.write(bytes);
  }

  #answer(statusCode: number, headers: Record<string, string>, body: Readable): void {
    body.once('close', this.#ended);
    this.#settle.resolve({ statusCode, headers: lowerCase(headers), body } as unknown as Response);
  }
}

function lowerCase(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** An error as undici or Node throws it. */
function thrown(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** Reads and writes of files that the system has not done yet. */
function isWaitingForFiles(): boolean {
  return process.getActiveResourcesInfo().some((what) => /^(FSReq|CloseReq)/.test(what));
}
