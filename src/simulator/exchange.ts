import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Conditions, type HostKind, ORDINARY_CONDITIONS, type ServedAnswer } from './call.ts';
import type { Platform } from './platform.ts';

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

export type Sent = { status: number; headers: Record<string, string>; body: Buffer | AsyncIterable<string> };
/** The connection of a request; the signal fires when the client hangs up or the server ends. */
export type Line = { req: IncomingMessage; res: ServerResponse; signal: AbortSignal };
/** What a request gets: an answer, or something that takes its connection over. */
export type Reply = Sent | ((line: Line) => Promise<void> | void);

/** How an answer may differ from the ordinary one. */
export type Circumstances = {
  conditions?: Conditions;
  /** Ms by which the server's time is ahead. */
  shift?: number;
  /** Answers instead of the endpoint, which never sees the request. */
  instead?: (() => ServedAnswer | Promise<ServedAnswer>) | undefined;
};

/** Takes one request from its head to the last byte of its answer. */
export async function exchange(
  host: HostKind,
  { req, res, signal }: Line,
  replyTo: (arrival: Arrival, signal: AbortSignal) => Promise<Reply>,
): Promise<void> {
  const { url: path = '/', method = 'GET', headers: asked } = req;
  const reply = await replyTo({ host, method, path, headers: asked, body: () => readBody(req) }, signal);
  res.sendDate = false;
  if (typeof reply === 'function') return reply({ req, res, signal });
  const { status, headers, body } = reply;
  if (!Buffer.isBuffer(body)) return stream(req, res, status, headers, body, signal);
  res.writeHead(status, status === 204 ? headers : { ...headers, 'content-length': String(body.length) });
  res.end(body);
}

/** Answers a request as the platform does. */
export async function answerTo(
  platform: Platform,
  { host, method, path, headers, ...arrival }: Arrival,
  { conditions = ORDINARY_CONDITIONS, shift = 0, instead }: Circumstances = {},
): Promise<Sent> {
  const url = new URL(path, 'http://simulator.invalid');
  const route = platform.router.match(host, method, url.pathname);
  const body = await arrival.body();
  const now = platform.now() + shift;
  const answer: ServedAnswer =
    instead !== undefined
      ? await instead()
      : route === null
        ? { status: 404, type: null, body: null }
        : await platform.router.answer(
            route.id,
            { host, method, url, params: route.params, headers, body, now, conditions },
            platform.world,
          );
  return {
    status: answer.status,
    headers: {
      ...(answer.type === null ? {} : { 'content-type': answer.type }),
      date: new Date(now).toUTCString(),
      ...answer.headers,
    },
    body:
      answer.body === null || typeof answer.body === 'string' ? Buffer.from(answer.body ?? '') : answer.body,
  };
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

async function readBody(req: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of req as AsyncIterable<Buffer>) {
    size += part.length;
    if (size <= MOST_BODY) parts.push(part);
  }
  return Buffer.concat(parts);
}
