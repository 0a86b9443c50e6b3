import { queryText } from './catalogue.ts';
import { type Crowd, clientAt } from './place.ts';
import { draw, hash, mix, unit } from './random.ts';
import type { Depth, Rule, Zone } from './zone.ts';

/** What an origin did wrong: the code that the origin error log tells, or none where the origin answered by itself. */
export type Failure = { readonly code: string | null; readonly status: number; readonly message: string };

export type Row = {
  t: number;
  second: number;
  index: number;
  stream: number;
  key: number;
  crowd: Crowd;
  client: number;
  edge: number;
  page: number;
  /** Where it is not one of the zone's pages. */
  path: string;
  /** Null: as its client has it. */
  referer: string | null;
  status: number;
  cache: string;
  bytes: number;
  failure: Failure | null;
  rule: Rule | null;
  action: string;
};

export const classOf = (status: number): number => 1 << Math.floor(status / 100);
export const CLASSES = { ok: 4, moved: 8, client: 16, server: 32 } as const;

const BODY_OF_ERROR = 600;

/** The part of the requests of what is never cached that says so; the rest is a miss. */
export const BYPASSED = 0.8;

/** What the cache says of a request that it could not answer. */
export function missWord(zone: Zone, key: number): string {
  const u = unit(key, 12);
  const [miss, expired, again, updating] = zone.traits.misses;
  if (u < miss) return 'MISS';
  if (u < expired) return 'EXPIRED';
  if (u < again) return 'REVALIDATED';
  return u < updating ? 'MISS' : u < 0.9985 ? 'UPDATING' : 'STALE';
}

export function fillPage(zone: Zone, depth: Depth, row: Row, page: number): void {
  const { key } = row;
  const { traits } = zone;
  const of = depth.catalogue.pages[page] as (typeof depth.catalogue.pages)[number];
  row.page = page;
  const hit = unit(key, 5) < (depth.catalogue.hits[page] as number);
  row.cache = hit
    ? 'HIT'
    : of.kind === 'api'
      ? unit(key, 13) < BYPASSED
        ? 'BYPASS'
        : 'MISS'
      : missWord(zone, key);
  row.bytes = Math.round(of.size * (0.85 + 0.3 * unit(key, 7)));
  const u = unit(key, 6);
  const closed = traits.forbidden + traits.closed;
  const moved = closed + traits.redirected;
  const still = of.kind !== 'api' && of.kind !== 'media';
  if (u < traits.forbidden) row.status = of.kind === 'api' ? 401 + (key & 2) : 403;
  else if (u < closed) row.status = 499;
  else if (u < moved || of.kind === 'redirect') row.status = unit(key, 8) < 0.6 ? 301 : 302;
  else if (u < moved + traits.notModified && still) row.status = 304;
  else row.status = of.kind === 'media' && unit(key, 9) < 0.7 ? 206 : 200;
  if (row.status >= 300) row.bytes = row.status < 400 ? 300 : BODY_OF_ERROR;
}

export function fillMissing(row: Row, path: string): void {
  row.page = -1;
  row.path = path;
  row.status = 404;
  const u = unit(row.key, 5);
  row.cache = u < 0.6 ? 'MISS' : u < 0.8 ? 'HIT' : '-';
  row.bytes = BODY_OF_ERROR;
}

export function fillClient(row: Row, crowd: Crowd, key = row.key): void {
  row.crowd = crowd;
  row.client = clientAt(crowd, unit(key, 1));
  const { length } = crowd.place.edges;
  const near = crowd.edge[row.client] as number;
  row.edge = unit(key, 2) < 0.94 ? near : (near + 1 + (key % 3)) % length;
}

/** An everyday request of somebody of the crowd, who asks for that page. */
export function fillAsked(
  zone: Zone,
  depth: Depth,
  row: Row,
  crowd: Crowd,
  client: number,
  page: number,
): void {
  fillClient(row, crowd, client);
  const { catalogue } = depth;
  if (unit(row.key, 3) < zone.traits.notFound) {
    fillMissing(
      row,
      catalogue.missing[Math.floor(catalogue.missing.length * unit(row.key, 4) ** 2.2)] as string,
    );
  } else fillPage(zone, depth, row, page);
}

export const fillEveryday = (zone: Zone, depth: Depth, row: Row, crowd: Crowd): void =>
  fillAsked(zone, depth, row, crowd, row.key, draw(depth.catalogue.drawer, unit(row.key, 4)));

export function fail(row: Row, failure: Failure): void {
  row.failure = failure;
  row.status = failure.status;
  if (row.cache !== 'BYPASS' && row.cache !== 'EXPIRED') row.cache = 'MISS';
  row.bytes = BODY_OF_ERROR + (row.key % 200);
}

export const hostOf = (zone: Zone, depth: Depth, row: Row): string =>
  row.page < 0 ? (zone.hosts[0] as string) : (depth.catalogue.pages[row.page]?.host as string);

export function pathOf(depth: Depth, row: Row): string {
  if (row.path !== '') return row.path;
  const page = depth.catalogue.pages[row.page] as (typeof depth.catalogue.pages)[number];
  return page.path + queryText(page, row.key);
}

/** Rows reach the log after some seconds, a few much later. */
export function delayOf(row: Row): number {
  const u = unit(row.key, 95);
  const v = unit(row.key, 96);
  if (u < 0.85) return 1000 + 14_000 * v;
  return u < 0.985 ? 15_000 + 25_000 * v : 40_000 + 60_000 * v;
}

export const LONGEST_DELAY = 100_000;

const SECOND_MASK = 0x5bd1e995;

/** The second can be read back from an id, so that a request can be found by it. */
export function idWords(zone: Zone, row: Row): [number, number, number, number] {
  const first = mix(row.second ^ SECOND_MASK);
  const second = mix((row.index + (row.stream << 22)) ^ first ^ zone.seed);
  return [first, second, hash(first ^ second, 3), hash(second ^ row.key, 4)];
}
export const secondMask = SECOND_MASK;
