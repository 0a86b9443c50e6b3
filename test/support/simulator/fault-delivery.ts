import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { createGzip } from 'node:zlib';
import type { Clock } from '../../../src/time/clock.ts';

/** A finished answer on its way out, and everything a fault may do to it. */
export type Delivery = {
  clock: Clock;
  req: IncomingMessage;
  res: ServerResponse;
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  /** Ends with the server or with the connection. */
  signal: AbortSignal;
};

/** Status line and headers; `framing` is `content-length: n`, chunked, or null (until close). The connection is not used again. */
export function head(d: Delivery, framing: string | null): string {
  const lines = Object.entries(d.headers)
    .filter(([name]) => !['content-length', 'transfer-encoding', 'connection'].includes(name.toLowerCase()))
    .map(([name, value]) => `${name}: ${value}`);
  lines.push('connection: close', ...(framing === null ? [] : [framing]));
  return `HTTP/1.1 ${d.status} ${STATUS_CODES[d.status] ?? ''}\r\n${lines.join('\r\n')}\r\n\r\n`;
}

/** Says nothing until the client or the server gives up. */
export async function hang(d: Pick<Delivery, 'signal'>): Promise<void> {
  if (!d.signal.aborted) await once(d.signal, 'abort');
}

/** Sends `bytes`, one every `ms`. */
export async function drip(d: Delivery, bytes: Buffer, ms: number): Promise<void> {
  const socket = socketOf(d);
  for (const byte of bytes) {
    if (d.signal.aborted || socket.destroyed) return;
    socket.write(Buffer.of(byte));
    await d.clock.sleep(ms, d.signal);
  }
}

/** Sends text and keeps the connection as it is. */
export function raw(d: Delivery, ...parts: (string | Buffer)[]): void {
  const socket = socketOf(d);
  for (const part of parts) socket.write(part);
}

/** Ends the connection politely after what was sent. */
export function finish(d: Delivery): void {
  socketOf(d).end();
}

/** RST instead of FIN. */
export function reset(d: Pick<Delivery, 'req'>): void {
  d.req.socket.resetAndDestroy();
}

/** Half of a body, at least a byte less than all of it. */
export function half(body: Buffer): Buffer {
  return body.subarray(0, Math.floor(body.length / 2));
}

export function chunk(body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n')]);
}

/** A JSON text that opens and then goes on for `bytes` of spaces, as fast as the client takes it. */
export async function flood(d: Delivery, bytes: number, isGzipped: boolean): Promise<void> {
  const headers = isGzipped ? { ...d.headers, 'content-encoding': 'gzip' } : d.headers;
  delete headers['content-length'];
  d.res.writeHead(d.status, headers);
  const out = isGzipped ? createGzip({ level: 9 }) : d.res;
  if (isGzipped) (out as ReturnType<typeof createGzip>).pipe(d.res);
  const stop = () => out.destroy();
  d.signal.addEventListener('abort', stop, { once: true });
  const block = Buffer.alloc(262_144, 0x20);
  out.write('{"data":[');
  for (let sent = 0; sent < bytes && !d.signal.aborted; sent += block.length) {
    if (!out.write(block)) await once(out, 'drain', { signal: d.signal }).catch(() => undefined);
  }
  if (!d.signal.aborted) out.end(']}');
}

function socketOf(d: Delivery): Socket {
  return d.req.socket;
}
