import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Answer, Call, HostKind } from './call.ts';
import type { Delivery } from './fault-delivery.ts';
import type { Hit } from './fault-plan.ts';
import type { FaultContext, FaultRow } from './fault-row.ts';
import { faultRow } from './faults.ts';
import type { House } from './house.ts';
import type { SimRequest } from './stats.ts';

/** Longest request body that is read, bytes. */
const MOST_BODY = 1_048_576;

/** A request as it arrived, over whatever line. */
export type Arrival = {
  host: HostKind;
  method: string;
  /** With query string. */
  path: string;
  headers: IncomingHttpHeaders;
  body: () => Promise<Buffer>;
};

/** What a request gets: an answer, which a fault may send in its own way, or a fault that takes the connection over. */
export type Reply =
  | { seize: (d: Pick<Delivery, 'req' | 'signal'>) => Promise<void> | void }
  | {
      status: number;
      headers: Record<string, string>;
      body: Buffer | AsyncIterable<string>;
      send: ((d: Delivery) => Promise<void> | void) | null;
    };

/** Takes one request from its head to the last byte of its answer. */
export async function exchange(
  house: House,
  host: HostKind,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const { url: path = '/', method = 'GET', headers: asked } = req;
  const { signal } = watch(house, res);
  const reply = await replyTo(
    house,
    { host, method, path, headers: asked, body: () => readBody(req) },
    signal,
  );
  if ('seize' in reply) return reply.seize({ req, signal });
  const { status, headers, body, send } = reply;
  res.sendDate = false;
  if (!Buffer.isBuffer(body)) return stream(req, res, status, headers, body, signal);
  if (send !== null) return send({ clock: house.clock, req, res, status, headers, body, signal });
  res.writeHead(status, status === 204 ? headers : { ...headers, 'content-length': String(body.length) });
  res.end(body);
}

/** Decides what a request gets; throws when the signal fires meanwhile. */
export async function replyTo(house: House, arrival: Arrival, signal: AbortSignal): Promise<Reply> {
  const { host, method, path } = arrival;
  const url = new URL(path, 'http://simulator.invalid');
  const route = house.router.match(host, method, url.pathname);
  const request: SimRequest = {
    number: house.stats.count() + 1,
    at: house.now(),
    host,
    method,
    path,
    endpoint: route?.id ?? null,
    pullZoneId: host === 'logging' ? (pullZoneOf(url.pathname) ?? null) : null,
    status: null,
  };
  house.stats.arrived(request, arrival.headers, house.clock.monotonic());

  const hits = house.hits(host, method, path).map((hit) => ({ ...hit, row: faultRow(hit.fault) }));
  const context = (hit: Hit): FaultContext => ({
    host,
    path,
    number: hit.number,
    now: house.now(),
    elsewhere: house.elsewhere,
  });
  const each = <K extends keyof FaultRow>(stage: K) =>
    hits.flatMap((hit) =>
      hit.row[stage] === undefined ? [] : [{ hit, act: hit.row[stage] as NonNullable<FaultRow[K]> }],
    );

  const wait = house.latency + each('wait').reduce((sum, { hit, act }) => sum + act(hit.fault), 0);
  if (wait > 0) await house.clock.sleep(wait, signal);
  signal.throwIfAborted();
  for (const { hit } of each('stopsListening')) house.stopListening(host, hit.fault.ms ?? 1_000);
  const [seizure] = each('seize');
  if (seizure !== undefined) {
    house.onRequest?.(request);
    return { seize: (d) => seizure.act(d, seizure.hit.fault) };
  }

  const body = await arrival.body();
  const now = house.now() + each('shift').reduce((sum, { hit, act }) => sum + act(hit.fault), 0);
  const scene: Call['scene'] = {
    hides: [],
    coarse: 1,
    limitCap: Number.POSITIVE_INFINITY,
    alsoChanges: null,
    pagesAlways: false,
    dayOrder: 'desc',
    absentStatus: 202,
  };
  for (const { hit, act } of each('scene')) act(scene, hit.fault, context(hit));
  const [instead] = each('instead');
  const answer: Answer =
    instead !== undefined
      ? await instead.act(instead.hit.fault, context(instead.hit))
      : route === null
        ? { status: 404, type: null, body: null }
        : await house.router.answer(
            route.id,
            { host, method, url, params: route.params, headers: arrival.headers, body, now, scene },
            house.world,
          );
  house.stats.answered(answer.status);
  house.onRequest?.({ ...request, status: answer.status });

  const date = each('date').reduce<number | null>((t, { hit, act }) => addDate(t, act(hit.fault)), now);
  const headers: Record<string, string> = {
    ...(answer.type === null ? {} : { 'content-type': answer.type }),
    ...(date === null ? {} : { date: new Date(date).toUTCString() }),
    ...answer.headers,
    ...Object.assign({}, ...each('headers').map(({ hit, act }) => act(hit.fault))),
  };
  const { status } = answer;
  const changes = [...each('value'), ...each('body'), ...each('send')];
  const isStream = answer.body !== null && typeof answer.body !== 'string' && !Buffer.isBuffer(answer.body);
  if (isStream && changes.length === 0)
    return { status, headers, body: answer.body as AsyncIterable<string>, send: null };

  let bytes = await whole(answer.body);
  for (const { hit, act } of each('value'))
    bytes = reshape(bytes, (value) => act(value, hit.fault, context(hit)));
  for (const { hit, act } of each('body')) bytes = act(bytes, hit.fault);
  const [send] = each('send');
  return {
    status,
    headers,
    body: bytes,
    send: send === undefined ? null : (d) => send.act(d, send.hit.fault),
  };
}

/** Ends when the answer is out, when the client hangs up, or with the server. */
function watch(house: House, res: ServerResponse): AbortController {
  const ending = new AbortController();
  house.underway.add(ending);
  res.once('close', () => {
    house.underway.delete(ending);
    ending.abort();
  });
  return ending;
}

/** Day logs are long: line by line, gzipped for those who take it. */
async function stream(
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  headers: Record<string, string>,
  lines: AsyncIterable<string>,
  signal: AbortSignal,
): Promise<void> {
  const takesGzip = /\bgzip\b/.test(String(req.headers['accept-encoding'] ?? ''));
  res.writeHead(status, takesGzip ? { ...headers, 'content-encoding': 'gzip' } : headers);
  const source = Readable.from(lines, { objectMode: false });
  if (takesGzip) await pipeline(source, createGzip({ level: 1 }), res, { signal });
  else await pipeline(source, res, { signal });
}

async function whole(body: Answer['body']): Promise<Buffer> {
  if (body === null) return Buffer.alloc(0);
  if (typeof body === 'string') return Buffer.from(body);
  return Buffer.isBuffer(body) ? body : buffer(Readable.from(body, { objectMode: false }));
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

/** Leaves alone what is no JSON. */
function reshape(bytes: Buffer, change: (value: unknown) => unknown): Buffer {
  try {
    return Buffer.from(JSON.stringify(change(JSON.parse(bytes.toString('utf8')))));
  } catch {
    return bytes;
  }
}

function addDate(t: number | null, shift: number | null): number | null {
  return t === null || shift === null ? null : t + shift;
}

function pullZoneOf(path: string): string | undefined {
  return /^\/v2\/pullzones\/(\d+)\//.exec(path)?.[1] ?? /\/(\d+)\.log$/.exec(path)?.[1];
}
