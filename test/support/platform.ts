import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { ClientOptions } from '../../src/api/client.ts';
import { type Dispatchers, TIMEOUTS } from '../../src/api/http/connections.ts';
import { createTransport } from '../../src/api/http/transport.ts';
import { HOSTS, type HostKind } from '../../src/simulator/http/answers.ts';
import type { Arrival } from '../../src/simulator/server.ts';
import { Secret } from '../../src/text/secret.ts';
import { sharedScenario } from './simulator/shared-scenario.ts';
import { type Simulated, type SimulatedOptions, simulate } from './simulator/simulated.ts';
import { clockWith, VirtualClock } from './virtual-clock.ts';

export type PlatformOptions = Omit<SimulatedOptions, 'clock'>;

/** The simulated API without a socket, in time that passes when it is told to. */
export type Platform = Simulated & {
  clock: VirtualClock;
  baseUrl: string;
  loggingUrl: string;
  originErrorsUrl: string;
  storageUrl: string;
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
  originErrors: 'https://origin-errors.simulator.test',
  storage: 'https://storage.simulator.test',
} as const satisfies Record<HostKind, string>;

/** Turns of the event loop in which nothing was left to do; React takes some to commit. */
const QUIET_TURNS = 4;
/** Looks without anything to do until work counts as stuck. */
const MOST_IDLE = 100_000;

/** A Thursday noon. */
export const OPENED = Date.UTC(2026, 10, 19, 12);

export function openPlatform(o: PlatformOptions & { clock?: VirtualClock } = {}): Platform {
  const clock = o.clock ?? new VirtualClock({ real: OPENED });
  const isOpen: Record<HostKind, boolean> = { main: true, logging: true, originErrors: true, storage: true };
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
  /** Requests that are under way. */
  const underway = new Set<AbortController>();
  const { simulated, replyTo } = simulate(
    { ...o, clock: serverClock },
    {
      async setOpen(host, isIt) {
        isOpen[host] = isIt;
        if (!isIt) for (const request of underway) request.abort();
      },
      elsewhere: async () => 'https://elsewhere.simulator.test',
    },
    sharedScenario({ ...o, clock: serverClock }),
  );
  void simulated.setFaults(o.faults ?? []);

  async function request(url: URL, { method = 'GET', headers, body, signal }: Asked): Promise<Response> {
    const host = HOSTS.find((each) => URLS[each] === url.origin) ?? 'main';
    if (!isOpen[host]) throw thrown('ECONNREFUSED');
    const ending = new AbortController();
    const line = new Line(() => underway.delete(ending));
    const hangUp = () => ending.abort(signal.reason);
    underway.add(ending);
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
    const reply = await replyTo(arrival, signal).finally(() => {
      busy -= 1;
    });
    const req = { socket: line } as unknown as IncomingMessage;
    // A body without an end needs a reader that holds it up.
    const res = null as unknown as ServerResponse;
    if (typeof reply === 'function') return reply({ req, res, signal });
    const { status, headers, body } = reply;
    line.give(status, headers, Buffer.isBuffer(body) ? body : produced(body));
  }

  /** Lines of a long answer are made as they are read. */
  async function* produced(lines: AsyncIterable<string>): AsyncIterable<string> {
    const source = lines[Symbol.asyncIterator]();
    for (;;) {
      busy += 1;
      const next = await source.next().finally(() => {
        busy -= 1;
      });
      if (next.done === true) return;
      yield next.value;
    }
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
    originErrorsUrl: URLS.originErrors,
    storageUrl: URLS.storage,
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
    originErrorsUrl: URLS.originErrors,
    storageUrl: URLS.storage,
    rest,
    async ended(work) {
      let isOver = false;
      const end = () => {
        isOver = true;
      };
      void work.then(end, end);
      for (let idle = 0; idle < MOST_IDLE; idle += 1) {
        await rest();
        if (isOver) return work;
        // Where no timer is left, gzip may still be unpacked, which nobody can ask about.
        if (clock.next()) idle = 0;
      }
      throw new Error('nothing is left that could end it');
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
  #body: Readable | null = null;
  readonly #came: Buffer[] = [];
  /** How the body ends once all that came was read: with an error, or as it should. */
  #end: { error: Error | null } | null = null;
  #next = Promise.withResolvers<void>();
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
    this.#finish(error as Error);
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
    const lacks = this.#missing > 0 ? thrown('UND_ERR_SOCKET') : null;
    const isOpen = this.#missing === Infinity;
    this.#finish(isOpen ? Object.assign(new Error(), { name: 'HTTPParserError' }) : lacks);
  }

  resetAndDestroy(): void {
    if (this.#body === null) this.fail(thrown('ECONNRESET'));
    else this.#finish(thrown('ECONNRESET'));
  }

  #begin(bytes: Buffer): void {
    this.#head += bytes.toString('latin1');
    const at = this.#head.indexOf('\r\n\r\n');
    if (at < 0) return;
    const [status = '', ...lines] = this.#head.slice(0, at).split('\r\n');
    const headers = Object.fromEntries(lines.map((line) => line.split(/: (.*)/, 2) as [string, string]));
    // Whoever sends chunks here leaves the last one out.
    this.#missing = 'transfer-encoding' in headers ? Infinity : Number(headers['content-length'] ?? 0);
    this.#body = Readable.from(this.#bytes(), { objectMode: false });
    this.#answer(Number(status.split(' ')[1]), headers, this.#body);
    this.#take(Buffer.from(this.#head.slice(at + 4), 'latin1'));
  }

  #take(bytes: Buffer): void {
    this.#missing -= bytes.length;
    if (bytes.length === 0) return;
    this.#came.push(this.#missing === Infinity ? chunkOf(bytes) : bytes);
    this.#next.resolve();
  }

  #finish(error: Error | null): void {
    this.#end = { error };
    this.#next.resolve();
  }

  async *#bytes(): AsyncIterable<Buffer> {
    for (;;) {
      yield* this.#came.splice(0);
      if (this.#end?.error) throw this.#end.error;
      if (this.#end !== null) return;
      await this.#next.promise;
      this.#next = Promise.withResolvers();
    }
  }

  #answer(statusCode: number, headers: Record<string, string>, body: Readable): void {
    body.once('close', this.#ended);
    this.#settle.resolve({ statusCode, headers: lowerCase(headers), body } as unknown as Response);
  }
}

/** What is in a chunk of a body; it comes in one piece. */
function chunkOf(bytes: Buffer): Buffer {
  const from = bytes.indexOf('\r\n') + 2;
  return bytes.subarray(from, from + Number.parseInt(bytes.toString('latin1', 0, from), 16));
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
