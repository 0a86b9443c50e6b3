import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Platform } from '../platform.ts';
import type { HostKind, ServedAnswer } from './answers.ts';
import { routedAnswer, routeOf } from './router.ts';

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
