import type { LogRecord } from '../log.ts';
import type { CountedField } from '../logs/counts.ts';
import {
  loggedNetwork,
  type Network,
  networksOverlap,
  parseNetwork,
  printNetwork,
} from '../query/address.ts';
import { type FieldTerm, type Term, termOfAny } from '../query/query.ts';
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
export function sharedMask(a: string, b: string, ofA: Anonymisation, ofB: Anonymisation): AddressMask | null {
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
export function shieldTermOf(network: Network): FieldTerm {
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
