import { shownIp } from './gangs.ts';
import { type Crowd, ipOf, type Network } from './place.ts';
import { hash, hex8, unit } from './random.ts';
import { hostOf, idWords, pathOf, type Row } from './rows.ts';
import type { Traffic } from './traffic.ts';
import { REFERERS } from './vocabulary.ts';
import type { Zone } from './zone.ts';

/** One piece in memory: texts that are kept are copied into many, and that is slow while they are in pieces. */
const flat = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');

/** What of a client is not known is null, or not there at all. */
const field = (name: string, value: string | number | null, key: number): string =>
  value === null ? (key % 2 === 0 ? `"${name}":null,` : '') : `"${name}":${JSON.stringify(value)},`;

export const networkOf = (crowd: Crowd, client: number): Network =>
  crowd.networks[crowd.network[client] as number] as Network;

export const countryOf = (crowd: Crowd, client: number): string | null =>
  unit(hash(crowd.seed, client), 31) < 0.003 ? null : (crowd.country[client] as string);
export const asnOf = (crowd: Crowd, client: number): number | null =>
  unit(hash(crowd.seed, client), 32) < 0.008 ? null : networkOf(crowd, client).asn;
export const ja4Of = (crowd: Crowd, client: number): string | null =>
  crowd.ja4s[crowd.ja4[client] as number] ?? null;
export const uaOf = (crowd: Crowd, client: number): string | null =>
  crowd.uas[crowd.ua[client] as number] ?? null;

/** The client's part of an entry is the same for each of its requests, so it is kept as text. */
function clientText(zone: Zone, crowd: Crowd, client: number): string {
  const kept = crowd.texts[client];
  if (kept !== undefined) return kept;
  const key = hash(crowd.seed, client);
  const ip = zone.traits.anonymous === 1 && key % 3 === 0 ? null : shownIp(zone, ipOf(crowd, client));
  const asn = asnOf(crowd, client);
  const made =
    field('remoteIp', ip, key >>> 1) +
    field('countryCode', countryOf(crowd, client), key >>> 2) +
    field('userAgent', uaOf(crowd, client), key >>> 3) +
    field('ja4Fingerprint', ja4Of(crowd, client), key >>> 4) +
    field('asn', asn, key >>> 5) +
    field('asnOrganization', asn === null ? null : networkOf(crowd, client).org, key >>> 5);
  crowd.texts[client] = flat(made);
  return crowd.texts[client] as string;
}

export function requestIdOf(zone: Zone, row: Row): string {
  const [a, b, c, d] = idWords(zone, row);
  return hex8(a) + hex8(b) + hex8(c) + hex8(d);
}

export function refererOf(zone: Zone, row: Row): string | null {
  if (row.referer !== null) return row.referer;
  const h = hash(row.key, 33);
  if (h % 100 < 45) return null;
  if (h % 100 < 58) return REFERERS[(h >>> 8) % REFERERS.length] as string;
  return `https://${zone.hosts[0]}/`;
}

const THREE = Array.from({ length: 1000 }, (_, i) => String(i).padStart(3, '0'));

/** What of an entry is the same for many: of a second, an outcome, a referer, an edge, a page. */
type Kept = {
  second: number;
  start: string;
  id: string;
  readonly outcomes: Map<number, Map<string, string>>;
  readonly referers: Map<string, string>;
  readonly edges: string[];
  readonly ends: string[];
};
const kept = new WeakMap<Traffic, Kept>();

function keptOf(traffic: Traffic): Kept {
  let own = kept.get(traffic);
  if (own === undefined) {
    const edges = traffic.depth.place.edges.map((edge) => flat(`"edgeLocation":"${edge}","scheme":"`));
    own = { second: -1, start: '', id: '', outcomes: new Map(), referers: new Map(), edges, ends: [] };
    kept.set(traffic, own);
  }
  return own;
}

function outcomeOf(own: Kept, row: Row): string {
  const byCache = own.outcomes.get(row.status) ?? new Map<string, string>();
  if (byCache.size === 0) own.outcomes.set(row.status, byCache);
  let text = byCache.get(row.cache);
  if (text === undefined) {
    text = flat(`","cacheStatus":"${row.cache}","statusCode":${row.status},"bytesSent":`);
    byCache.set(row.cache, text);
  }
  return text;
}

const endOf = (scheme: string, host: string, path: string): string =>
  `${scheme}","host":"${host}","path":"${path}","url":"${scheme}://${host}${path}"}`;

/** The address of a page. Most requests have no query string of their own. */
function addressOf(traffic: Traffic, own: Kept, row: Row): string {
  const { zone, depth } = traffic;
  const path = pathOf(depth, row);
  if (row.key % 97 === 0) return endOf('http', hostOf(zone, depth, row), path);
  const bare = row.page >= 0 && path === depth.catalogue.pages[row.page]?.path;
  if (!bare) return endOf('https', hostOf(zone, depth, row), path);
  let text = own.ends[row.page];
  if (text === undefined) {
    text = flat(endOf('https', hostOf(zone, depth, row), path));
    own.ends[row.page] = text;
  }
  return text;
}

function refererText(zone: Zone, own: Kept, row: Row): string {
  const referer = refererOf(zone, row);
  if (referer === null) return row.key % 2 === 0 ? '"referer":null,' : '';
  let text = own.referers.get(referer);
  if (text === undefined) {
    text = flat(`"referer":"${referer}",`);
    own.referers.set(referer, text);
  }
  return text;
}

export function entryText(traffic: Traffic, row: Row): string {
  const { zone } = traffic;
  const own = keptOf(traffic);
  const [first, second, third, fourth] = idWords(zone, row);
  if (own.second !== row.second) {
    own.second = row.second;
    own.start = `{"timestamp":"${new Date(row.second * 1000).toISOString().slice(0, 20)}`;
    const offset = zone.seed % 4 === 0 ? '+00:00' : 'Z';
    own.id = flat(`${offset}","pullZoneId":${zone.id},"requestId":"${hex8(first)}`);
  }
  const said = zone.traits.bodyBytes;
  const body =
    said === 'told'
      ? `,"bodyBytesSent":${Math.max(0, row.bytes - 420)},`
      : said === 'null'
        ? ',"bodyBytesSent":null,'
        : ',';
  const range = row.status === 206 ? `"contentRange":"bytes 0-${row.bytes - 1}/${row.bytes * 4}",` : '';
  return (
    own.start +
    THREE[row.t - row.second * 1000] +
    own.id +
    hex8(second) +
    hex8(third) +
    hex8(fourth) +
    outcomeOf(own, row) +
    row.bytes +
    body +
    range +
    clientText(zone, row.crowd, row.client) +
    refererText(zone, own, row) +
    own.edges[row.edge] +
    addressOf(traffic, own, row)
  );
}
