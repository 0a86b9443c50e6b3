import type { SimZone } from '../account/account-zones.ts';
import { draw, hex, mix, type Rng, type Sampler, weighted, zipf } from '../random.ts';
import { type Pool, pool, visitor } from './clients.ts';
import type { SimRow } from './rows.ts';
import { type PathKind, type SitePath, type SitePaths, sitePaths, spell } from './sites.ts';

/** A zone with its paths and its visitors. */
export type Site = { zone: SimZone; paths: SitePaths; visitors: Pool; popularity: Sampler };

type Mix = { statuses: readonly number[]; status: Sampler; caches: readonly string[]; cache: Sampler };

/** Shares of statuses and cache statuses by kind of path. */
const MIXES = {
  asset: mixOf(
    { 200: 92, 304: 6, 404: 1.6, 403: 0.2, 502: 0.05 },
    { HIT: 94, MISS: 3.6, REVALIDATED: 1, EXPIRED: 0.8, UPDATING: 0.4, STALE: 0.2 },
  ),
  page: mixOf(
    { 200: 94, 301: 1.5, 302: 1, 404: 2.4, 500: 0.12, 502: 0.08 },
    { HIT: 66, MISS: 16, BYPASS: 10, EXPIRED: 4, REVALIDATED: 2.5, UPDATING: 1.2, STALE: 0.3 },
  ),
  api: mixOf(
    { 200: 86, 201: 4, 204: 4, 400: 1.6, 401: 2, 404: 1.8, 422: 0.4, 500: 0.15, 503: 0.05 },
    { BYPASS: 72, MISS: 22, '-': 6 },
  ),
  media: mixOf({ 200: 82, 206: 17, 404: 0.8, 504: 0.06 }, { HIT: 97, MISS: 2.4, EXPIRED: 0.6 }),
  download: mixOf({ 200: 48, 206: 50, 404: 1.5, 416: 0.4 }, { HIT: 92, MISS: 6, REVALIDATED: 2 }),
} as const satisfies Record<PathKind, Mix>;

const REFERERS = [
  'https://www.google.com/',
  'https://www.bing.com/',
  'https://t.co/',
  'https://duckduckgo.com/',
];

export function openSite(zone: SimZone): Site {
  const size = Math.round(Math.min(6000, Math.max(60, zone.rate * 120)));
  return {
    zone,
    paths: sitePaths(zone.site, zone.salt),
    visitors: pool(size, zone.anonymity, (i) => visitor(zone.salt, i)),
    popularity: zipf(size, 0.45),
  };
}

/** Fills `row` with an everyday request of the site. */
export function ordinaryRequest(row: SimRow, site: Site, rng: Rng): void {
  const entry = site.paths.list[draw(site.paths.sampler, rng)] as SitePath;
  row.client = site.visitors.at(draw(site.popularity, rng));
  row.path = spell(entry, row.h);
  request(row, site, entry.kind, entry.bytes, rng);
}

/** Status, cache, size and headers of a request whose client and path are set. */
export function request(row: SimRow, site: Site, kind: PathKind, bytes: number, rng: Rng): void {
  const { statuses, status, caches, cache }: Mix = MIXES[kind];
  const bits = rng.next();
  row.status = statuses[draw(status, rng)] as number;
  row.cache = caches[draw(cache, rng)] as string;
  row.method = kind === 'api' && (bits & 7) < 2 ? 'POST' : 'GET';
  row.host = site.zone.hostnames[(bits & 56) === 0 ? site.zone.hostnames.length - 1 : 0] as string;
  if ((bits & 1984) === 0) {
    row.scheme = 'http';
    row.status = 301;
    row.cache = '-';
  }
  const spread = 0.6 + (bits >>> 16) / 81_920;
  const header = 280 + (bits & 127);
  const body =
    row.status === 200
      ? Math.round(bytes * spread)
      : row.status === 206
        ? Math.round(bytes * spread * 0.1)
        : emptyish(row.status);
  row.bytes = header + body;
  if ((bits & 2048) !== 0) row.bodyBytes = body;
  if (row.status === 206) row.range = `bytes ${body}-${2 * body - 1}/${bytes}`;
  if (kind === 'page' && (bits & 12_288) === 0) row.referer = REFERERS[bits >>> 30] as string;
  else if (kind !== 'page' && kind !== 'api' && (bits & 12_288) !== 0) row.referer = `https://${row.host}/`;
  if (site.zone.site === 'api' ? (bits & 49_152) !== 0 : (bits & 0x3f000000) === 0) {
    row.authorization = `Bearer canary-auth-${hex(mix(row.client.asn, row.h), 32)}`;
  }
}

function emptyish(status: number): number {
  return status === 204 || status === 304 ? 0 : status >= 400 ? 1240 : 180;
}

function mixOf(statuses: Record<number, number>, caches: Record<string, number>): Mix {
  return {
    statuses: Object.keys(statuses).map(Number),
    status: weighted(Object.values(statuses)),
    caches: Object.keys(caches),
    cache: weighted(Object.values(caches)),
  };
}
