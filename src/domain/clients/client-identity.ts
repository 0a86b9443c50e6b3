import type { LogRecord } from '../log.ts';
import type { CountedField } from '../logs/counts.ts';
import {
  loggedNetwork,
  type Network,
  networksOverlap,
  parseNetwork,
  printNetwork,
} from '../query/address.ts';
import { type FieldTerm, type Query, type Term, termOfAny } from '../query/query.ts';
import { termForShown, termForValue } from '../query/terms.ts';
import { type ShieldEvent, shieldDetail } from '../shield/shield.ts';
import { termsInto } from '../shield/shield-question.ts';
import type { Anonymisation, PullZone } from '../zone.ts';

/** What both logs know of a client, so that one can be asked for what the other saw. */
export const BYPASS_FIELDS = ['ip', 'ja4', 'ua', 'url', 'asn', 'country'] as const;
export type BypassField = (typeof BYPASS_FIELDS)[number];

/** What is left of an address that two log lines are compared by; `none` = all of it. */
export type AddressMask = `/${number}` | 'none';

/** The network that a logged, typed or grouped address stands for; null when it names none. */
export function clientNetwork(text: string, anonymisation: Anonymisation): Network | null {
  return loggedNetwork(text, anonymisation) ?? parseNetwork(text);
}

export function maskOf(...networks: readonly Network[]): AddressMask {
  const narrowed = networks.filter(({ words, prefix }) => prefix < words.length * 32);
  return narrowed.length === 0 ? 'none' : `/${Math.min(...narrowed.map(({ prefix }) => prefix))}`;
}

/** The mask by which two addresses may be one client's, each of a log that keeps so much of it; null when they cannot be. */
function sharedMask(a: string, b: string, ofA: Anonymisation, ofB: Anonymisation): AddressMask | null {
  const [left, right] = [clientNetwork(a, ofA), clientNetwork(b, ofB)];
  return left && right && networksOverlap(left, right) ? maskOf(left, right) : null;
}

/** The term that finds the network's requests in the CDN log. */
export function logTermOf(network: Network): FieldTerm {
  const value = printNetwork(network);
  return termOfAny('ip', [value], value.includes('/') ? 'cidr' : 'eq');
}

/**
 * The term that finds the network's events in Shield. Where the log holds `1.2.3.*` a network cannot be asked for: how
 * such text is compared with one is not documented. A pattern finds it and whole addresses alike.
 */
function shieldTermOf(network: Network): FieldTerm {
  const { words, prefix } = network;
  if (prefix === words.length * 32) return termOfAny('ip', [printNetwork(network)], 'eq');
  if (words.length === 1 && prefix === 24) {
    const octets = [24, 16, 8].map((shift) => ((words[0] ?? 0) >>> shift) & 255);
    return termOfAny('ip', [`${octets.join('.')}.*`], 'wildcard');
  }
  if (words.length === 4 && prefix === 64) {
    const groups = words.slice(0, 2).flatMap((word) => [word >>> 16, word & 0xffff]);
    const start = `${groups.map((group) => group.toString(16)).join(':')}:`;
    // The shortest spelling may leave out zeros of the network itself.
    const shortest = printNetwork({ words, prefix: 128 });
    return termOfAny('ip', [`${start}*`, ...(shortest.startsWith(start) ? [] : [shortest])], 'wildcard');
  }
  return termOfAny('ip', [printNetwork(network)], 'cidr');
}

/** The terms that find the events of a client in Shield by what the CDN log calls it. */
export function shieldTermsOf(field: string, value: string | null, zone: PullZone): readonly Term[] {
  const network = field === 'ip' ? clientNetwork(value ?? '', zone.anonymisation) : null;
  return network === null ? termsInto([], [field], { [field]: value }) : [shieldTermOf(network)];
}

/** One spelling for a client in both logs (`1.2.3.*`, `1.2.3.0` and `1.2.3.0/24` are one); null for no address. */
export function clientKey(ip: string | null | undefined, anonymisation: Anonymisation): string | null {
  if (ip === null || ip === undefined || ip === '' || anonymisation === 'drop') return null;
  const network = clientNetwork(ip, anonymisation);
  return network === null ? null : printNetwork(network);
}

/** `clientKey` of addresses that come again and again, each of which is read once. */
export type ClientKeys = (ip: string | null | undefined) => string | null;

export function clientKeys(anonymisation: Anonymisation): ClientKeys {
  const known = new Map<string | null | undefined, string | null>();
  return (ip) => {
    const before = known.get(ip);
    if (before !== undefined) return before;
    const key = clientKey(ip, anonymisation);
    known.set(ip, key);
    return key;
  };
}

/** What a line of either log tells of who sent it. */
export type Sighting = {
  /** Event time, Unix ms UTC. */
  at: number;
  /** 32 hex digits, lower case, no hyphens. */
  requestId: string | null;
  ip: string | null;
  url: string | null;
};

/** An event is looked at by every count of an answer, and its context is untrusted JSON. */
const known = new WeakMap<object, Sighting>();

export function sightingOfEvent(event: Pick<ShieldEvent, 'timestamp' | 'fields' | 'log'>): Sighting {
  const before = known.get(event);
  if (before) return before;
  const detail = shieldDetail(event.log);
  const sighting = {
    at: event.timestamp,
    requestId: canonicalId(detail.requestId),
    ip: present(event.fields['ip']) ?? present(detail.remoteIp),
    url: present(event.fields['url']) ?? present(detail.url),
  };
  known.set(event, sighting);
  return sighting;
}

export function sightingOfRecord(record: LogRecord): Sighting {
  return {
    at: record.timestamp,
    requestId: canonicalId(record.requestId),
    ip: present(record.remoteIp),
    url: present(record.url),
  };
}

/** 32 hex digits, lower case, no hyphens; null for what is no request id. */
export function canonicalId(id: string | null): string | null {
  const plain = id?.replaceAll('-', '').toLowerCase() ?? '';
  return /^[0-9a-f]{32}$/.test(plain) ? plain : null;
}

function present(text: string | null | undefined): string | null {
  return text === undefined || text === '' ? null : text;
}

/** The clients of some events, by `clientKey`: of each the requests that Shield acted on and did not block, so that they may have got a 2xx. */
export function clientsActedOn(
  events: readonly ShieldEvent[],
  anonymisation: Anonymisation,
): ReadonlyMap<string, ReadonlySet<unknown>> {
  const clients = new Map<string, Set<unknown>>();
  for (const event of events) {
    const { ip, requestId } = sightingOfEvent(event);
    const client = clientKey(ip, anonymisation);
    if (client === null) continue;
    const passed = clients.get(client) ?? new Set();
    clients.set(client, passed);
    if (event.fields['action']?.toLowerCase() !== 'blocked') passed.add(requestId ?? event);
  }
  return clients;
}

/** Whether Shield kept the request from its answer. */
export function isStopped({ fields }: Pick<ShieldEvent, 'fields'>): boolean {
  const action = fields['action']?.toLowerCase();
  return action === 'blocked' || action === 'challenged';
}

/**
 * The clients of events that are also clients of clean traffic: by `fine`, the CDN requests answered with 2xx that each has, these are
 * more than Shield acted on and did not block. Under last-octet anonymisation a client is a network, which makes more clients clean than
 * are; where addresses are dropped nobody can be told.
 */
export function cleanClients(
  actedOn: ReadonlyMap<string, ReadonlySet<unknown>>,
  fine: ReadonlyMap<string, number>,
): Set<string> {
  const clean = [...actedOn].filter(([client, passed]) => (fine.get(client) ?? 0) > passed.size);
  return new Set(clean.map(([client]) => client));
}

/** The requests of each client, of a list of addresses. */
export function requestsByClient(
  { values }: Pick<CountedField, 'values'>,
  keyOf: ClientKeys,
): Map<string, number> {
  const requests = new Map<string, number>();
  for (const { value, count } of values) {
    const client = keyOf(value);
    if (client !== null) requests.set(client, (requests.get(client) ?? 0) + count);
  }
  return requests;
}

/** How far apart two lines of one client may be, where no request id joins them. */
const SAME_CLIENT_SECONDS = 60;

/** By what a line belongs to another: the same request id, or as much of the address as this mask leaves. */
type SameClient = 'request id' | AddressMask;

/** A line of either log as far as a timeline tells it. `zoneId`: null where the log does not say. */
type ClientLine = { at: number; url: string; ip: string | null } & (
  | { log: 'shield'; action: string; ruleId: string }
  | { log: 'logs'; zoneId: string | null; status: number; cache: string; requestId: string | null }
);

/** A request, and by what it belongs to the line that the timeline was opened at. */
export type TimelineItem = {
  at: number;
  by: SameClient;
  /** As it is known of: both logs', that of Shield first, when they have one request id. */
  lines: ClientLine[];
};

export type ClientTimeline = {
  /** By event time; of one time in the order given, events first. */
  items: readonly TimelineItem[];
  /** The widest mask that had to be used; null when every item is exact. */
  mask: AddressMask | null;
};

/**
 * Whether two lines are of one client; null = they are not, as far as can be told. Equal request ids are exact whatever
 * else they say. Otherwise both must lie within a minute and their addresses, as far as the zone of each logs them (the
 * whole, /24 of IPv4, /64 of IPv6), must be able to be one.
 */
export function sameClient(
  a: Sighting,
  b: Sighting,
  ofA: Anonymisation,
  ofB: Anonymisation = ofA,
): SameClient | null {
  if (a.requestId !== null && a.requestId === b.requestId) return 'request id';
  if (ofA === 'drop' || ofB === 'drop' || a.ip === null || b.ip === null) return null;
  if (Math.abs(a.at - b.at) > SAME_CLIENT_SECONDS * 1000) return null;
  return sharedMask(a.ip, b.ip, ofA, ofB);
}

/** All lines of the client of `subject`, from both logs, as one list in time. `keptOf`: what the zone of a row keeps. */
export function clientTimelineOf(
  subject: Sighting,
  events: readonly ShieldEvent[],
  records: readonly LogRecord[],
  anonymisation: Anonymisation,
  keptOf: (record: LogRecord) => Anonymisation = () => anonymisation,
): ClientTimeline {
  const items: TimelineItem[] = [];
  const byId = new Map<string, TimelineItem>();
  const place = (sighting: Sighting, line: ClientLine, kept: Anonymisation) => {
    const by = sameClient(subject, sighting, anonymisation, kept);
    if (by === null) return;
    const item = { at: sighting.at, by, lines: [line] };
    items.push(item);
    if (sighting.requestId !== null && !byId.has(sighting.requestId)) byId.set(sighting.requestId, item);
  };
  for (const event of events) place(sightingOfEvent(event), lineOfEvent(event), anonymisation);
  for (const record of records) {
    const sighting = sightingOfRecord(record);
    const twin = sighting.requestId === null ? undefined : byId.get(sighting.requestId);
    // Several rules may have looked at one request: the first event stands with it.
    if (twin?.lines.every(({ log }) => log === 'shield')) twin.lines.push(lineOfRecord(record));
    else place(sighting, lineOfRecord(record), keptOf(record));
  }
  items.sort((a, b) => a.at - b.at);
  const masks = items.flatMap(({ by }) => (by === 'request id' ? [] : by));
  return { items, mask: widest(masks) };
}

function lineOfEvent({ timestamp, fields }: ShieldEvent): ClientLine {
  const text = (name: string) => fields[name] ?? '';
  const [action, ruleId, url] = [text('action'), text('ruleId'), text('url')];
  return { log: 'shield', at: timestamp, url, ip: text('ip') || null, action, ruleId };
}

function lineOfRecord(record: LogRecord): ClientLine {
  const { timestamp: at, url, remoteIp: ip, pullZoneId: zoneId, requestId } = record;
  return {
    log: 'logs',
    at,
    url,
    ip,
    zoneId,
    status: record.statusCode,
    cache: record.cacheStatus,
    requestId,
  };
}

function widest(masks: readonly AddressMask[]): AddressMask | null {
  const lengths = masks.flatMap((mask) => (mask === 'none' ? [] : [Number(mask.slice(1))]));
  if (lengths.length > 0) return `/${Math.min(...lengths)}`;
  return masks.length > 0 ? 'none' : null;
}

/** An id finds its request wherever it is; the two logs may date one request differently by the time it took. */
export const SAME_REQUEST_SECONDS = 300;

/** How to ask the CDN log for the request of a line, and for what its client did around it; what proves most comes first. */
export function requestsOf(sighting: Sighting, anonymisation: Anonymisation, now: number): Query[] {
  const { at, requestId } = sighting;
  const id = requestId === null ? null : termForValue('logs', 'id', requestId, false);
  const own = requestsElsewhere(sighting, anonymisation, anonymisation, now);
  return id ? [around(at, SAME_REQUEST_SECONDS, id, now), ...own] : own;
}

/** How to ask the CDN log of another zone, which keeps so much of addresses, for what the client did around it. */
export function requestsElsewhere(
  sighting: Sighting,
  anonymisation: Anonymisation,
  kept: Anonymisation,
  now: number,
): Query[] {
  const told = networkOf(sighting, anonymisation);
  const network = told && kept !== 'drop' ? clientNetwork(printNetwork(told), kept) : null;
  return network ? [around(sighting.at, SAME_CLIENT_SECONDS, logTermOf(network), now)] : [];
}

/**
 * How to ask Shield for the events of a CDN request. It cannot be asked for a request id: its client's events are asked
 * for, or without an address those of its URL, and `sameClient` finds the one with the id among them.
 */
export function eventsOf(sighting: Sighting, anonymisation: Anonymisation, now: number): Query[] {
  const { at, requestId, url } = sighting;
  const network = networkOf(sighting, anonymisation);
  if (network) return [around(at, SAME_CLIENT_SECONDS, shieldTermOf(network), now)];
  const term = requestId === null || url === null ? null : termForShown('shield', 'url', url);
  return term ? [around(at, SAME_REQUEST_SECONDS, term, now)] : [];
}

function networkOf(sighting: Sighting, anonymisation: Anonymisation) {
  return anonymisation === 'drop' || sighting.ip === null ? null : clientNetwork(sighting.ip, anonymisation);
}

/** Why a line of a zone cannot be followed into either log. */
export function nothingToAskBy(anonymisation: Anonymisation): string {
  return anonymisation === 'drop'
    ? 'it has no request id, and the zone logs no client addresses'
    : 'it has neither a request id nor a client address';
}

/** An end that has not come yet is left open. */
function around(at: number, seconds: number, term: FieldTerm, now: number): Query {
  const to = at + seconds * 1000 + 1;
  const from = Math.max(0, at - seconds * 1000);
  return {
    terms: [term],
    window: { kind: 'absolute', from, to: to >= now ? null : to },
    groupBy: [],
  };
}
