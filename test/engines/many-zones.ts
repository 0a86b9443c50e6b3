import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { constants, gzip } from 'node:zlib';

/**
 * A platform of many zones, each of which has a request every so many ms, for measuring what it costs to keep them: whatever else a
 * platform does is left out, so that it takes little of the machine.
 */
export type ManyZones = { url: string; ids: readonly string[]; asked: () => number; close(): void };

const FIRST_ID = 1_000;
const RETENTION = 3 * 86_400_000;

export async function startManyZones(zones: number, every: number): Promise<ManyZones> {
  const ids = Array.from({ length: zones }, (_, at) => String(FIRST_ID + at));
  let asked = 0;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://platform');
    const zone = /^\/v2\/pullzones\/(\d+)\/logs$/.exec(pathname)?.[1];
    if (zone === undefined) return answer(response, JSON.stringify(listOf(ids)));
    asked += 1;
    answer(response, pageOf(Number(zone), searchParams, every));
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    ids,
    asked: () => asked,
    close: () => server.closeAllConnections(),
  };
}

function listOf(ids: readonly string[]) {
  const Items = ids.map((id) => ({ Id: Number(id), Name: `zone-${id}`, Enabled: true, EnableLogging: true }));
  return { Items, CurrentPage: 1, TotalItems: Items.length, HasMoreItems: false };
}

function answer(response: ServerResponse, body: string): void {
  gzip(body, { level: constants.Z_BEST_SPEED }, (_error, packed) => {
    response.setHeader('Content-Type', 'application/json');
    response.setHeader('Content-Encoding', 'gzip');
    response.end(packed);
  });
}

/** The rows of a window as the API gives them. A zone's rows lie apart from another's. */
function pageOf(zone: number, query: URLSearchParams, every: number): string {
  const time = (name: string) => Date.parse(query.get(name) ?? '');
  const now = Date.now();
  const phase = (zone * 7) % every;
  const first = Math.ceil((Math.max(time('from'), now - RETENTION) - phase) / every);
  const end = Math.ceil((Math.min(time('to'), now) - phase) / every);
  const limit = Number(query.get('limit'));
  const isNewest = query.get('order') === 'desc';
  const returned = Math.max(0, Math.min(limit, end - first));
  const rows = Array.from({ length: returned }, (_, at) => {
    const n = isNewest ? end - 1 - at : first + at;
    return rowOf(zone, n, n * every + phase);
  });
  const pagination = { offset: 0, limit, returned, hasMore: end - first > returned };
  return `{"data":[${rows.join(',')}],"pagination":${JSON.stringify(pagination)},"query":{}}`;
}

const AGENTS = ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36', 'curl/8.5.0', 'okhttp/4.12.0'];
const STATUSES = [200, 200, 200, 304, 404, 502];
const CACHE = ['HIT', 'HIT', 'MISS', 'BYPASS'];

function rowOf(zone: number, n: number, timestamp: number): string {
  const host = `www.zone-${zone}.example`;
  const path = `/products/${n % 997}/details?page=${n % 13}`;
  return JSON.stringify({
    timestamp: new Date(timestamp).toISOString(),
    pullZoneId: zone,
    requestId: zone.toString(16).padStart(8, '0') + n.toString(16).padStart(24, '0'),
    cacheStatus: CACHE[n % CACHE.length],
    statusCode: STATUSES[n % STATUSES.length],
    bytesSent: 1_000 + (n % 50_000),
    edgeLocation: 'DE',
    scheme: 'https',
    host,
    path,
    url: `https://${host}${path}`,
    remoteIp: `203.0.${n % 113}.${n % 251}`,
    countryCode: 'DE',
    userAgent: AGENTS[n % AGENTS.length],
    referer: `https://${host}/`,
    ja4Fingerprint: null,
    asn: 64_496 + (n % 50),
    asnOrganization: 'Example Networks',
    bodyBytesSent: 900,
    contentRange: null,
    authorizationHeader: null,
  });
}
