import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { type Client, type ClientOptions, createClient } from '../../src/api/client.ts';
import { createQuota } from '../../src/api/quota/quota.ts';
import { Secret } from '../../src/text/secret.ts';

/** Stands for the account's key in every test; must never come out anywhere but in a request header. */
export const CANARY = 'canary-5d3c7a90-0f1e-4b2d-9c8a-key';

export type TinyServer = { url: string; requests: Asked[]; server: Server; close(): Promise<void> };
export type Asked = { method: string; path: string; headers: IncomingMessage['headers']; body: string };

/** A server on loopback that remembers what it was asked. */
export async function tinyServer(
  listener: (request: Asked, response: ServerResponse) => void,
): Promise<TinyServer> {
  const requests: Asked[] = [];
  const handle: RequestListener = (request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const asked = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body };
      requests.push(asked);
      listener(asked, response);
    });
  };
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return { url, requests, server, close };
}

export function json(
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** A client of one server for both hosts, whose pauses are short. */
export function clientOf(
  url: string,
  options: Partial<ClientOptions> = {},
): Client & { close(): Promise<void> } {
  return createClient({
    baseUrl: url,
    loggingUrl: url,
    originErrorsUrl: url,
    storageUrl: url,
    credentials: { accessKey: new Secret(CANARY), token: null },
    allowWrites: false,
    quota: createQuota({ factor: 0.05 }),
    factor: 0.01,
    ...options,
  });
}

/** Asks one server once, and tidies up whatever happens. */
export async function asking<T>(
  listener: (request: Asked, response: ServerResponse) => void,
  ask: (client: Client, server: TinyServer) => Promise<T>,
  options: Partial<ClientOptions> = {},
): Promise<T> {
  const server = await tinyServer(listener);
  const client = clientOf(server.url, options);
  try {
    return await ask(client, server);
  } finally {
    await client.close();
    await server.close();
  }
}

export const SLICE = {
  pullZoneId: '77',
  from: Date.UTC(2026, 7, 1),
  to: Date.UTC(2026, 7, 1, 0, 1),
  order: 'asc',
  limit: 100,
  filter: {},
} as const;

export function logEntry(extra: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    timestamp: '2026-08-01T00:00:01.250Z',
    pullZoneId: 77,
    requestId: '0123456789abcdef0123456789abcdef',
    cacheStatus: 'HIT',
    statusCode: 200,
    bytesSent: 5120,
    edgeLocation: 'DE',
    scheme: 'https',
    host: 'cdn.example.com',
    path: '/a.js?v=1',
    url: 'https://cdn.example.com/a.js?v=1',
    remoteIp: '192.0.2.1',
    countryCode: 'DE',
    userAgent: 'curl/8.9',
    referer: null,
    ja4Fingerprint: 't13d1516h2_8daaf6152771_b186095e22b6',
    asn: 64500,
    asnOrganization: 'Example Net',
    bodyBytesSent: 5000,
    contentRange: null,
    authorizationHeader: null,
    ...extra,
  };
}

export function logPage(rows: readonly unknown[], hasMore = false): Record<string, unknown> {
  const pagination = { offset: 0, limit: 100, returned: rows.length, hasMore };
  return { data: rows, pagination, query: { pullZoneId: 77, from: '', to: '', order: 'asc' } };
}

/** A bare TCP server on loopback; every connection goes to `meet`. */
export async function tcpServer(
  meet: (socket: Socket) => void,
): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    meet(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      for (const socket of sockets) socket.destroy();
      server.close(() => resolve());
    });
  return { port: (server.address() as AddressInfo).port, close };
}
