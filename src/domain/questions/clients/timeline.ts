import type { LogRecord } from '../../log.ts';
import { printNetwork } from '../../query/address.ts';
import type { FieldTerm, Query } from '../../query/query.ts';
import { termForShown, termForValue } from '../../query/terms.ts';
import type { ShieldEvent } from '../../shield/shield.ts';
import type { Anonymisation } from '../../zone.ts';
import {
  type AddressMask,
  clientNetwork,
  logTermOf,
  type Sighting,
  sharedMask,
  shieldTermOf,
  sightingOfEvent,
  sightingOfRecord,
} from './client.ts';

/** How far apart two lines of one client may be, where no request id joins them. */
const SAME_CLIENT_SECONDS = 60;

/** How a line belongs to another: it has the same request id, or an address of which as much as `mask` is the same. */
type SameClient = { kind: 'exact' } | { kind: 'approximate'; mask: AddressMask };

export type TimelineItem = {
  at: number;
  /** The request as it is known of: both, when an event and a row have one request id. */
  event: ShieldEvent | null;
  record: LogRecord | null;
  /** How it belongs to the line that the timeline was opened at. */
  same: SameClient;
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
  if (a.requestId !== null && a.requestId === b.requestId) return { kind: 'exact' };
  if (ofA === 'drop' || ofB === 'drop' || a.ip === null || b.ip === null) return null;
  if (Math.abs(a.at - b.at) > SAME_CLIENT_SECONDS * 1000) return null;
  const mask = sharedMask(a.ip, b.ip, ofA, ofB);
  return mask === null ? null : { kind: 'approximate', mask };
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
  const place = (sighting: Sighting, line: Pick<TimelineItem, 'event' | 'record'>) => {
    const kept = line.record ? keptOf(line.record) : anonymisation;
    const same = sameClient(subject, sighting, anonymisation, kept);
    if (same === null) return;
    const item = { at: sighting.at, ...line, same };
    items.push(item);
    if (sighting.requestId !== null && !byId.has(sighting.requestId)) byId.set(sighting.requestId, item);
  };
  for (const event of events) place(sightingOfEvent(event), { event, record: null });
  for (const record of records) {
    const sighting = sightingOfRecord(record);
    const twin = sighting.requestId === null ? undefined : byId.get(sighting.requestId);
    // Several rules may have looked at one request: the first event stands with it.
    if (twin?.record === null) twin.record = record;
    else place(sighting, { event: null, record });
  }
  items.sort((a, b) => a.at - b.at);
  const masks = items.flatMap(({ same }) => (same.kind === 'approximate' ? [same.mask] : []));
  return { items, mask: widest(masks) };
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
