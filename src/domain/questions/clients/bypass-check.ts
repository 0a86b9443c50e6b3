import { MASK } from '../../../text/mask.ts';
import { counted } from '../../../text/units.ts';
import { cacheStatusRow } from '../../log.ts';
import type { Counts } from '../../logs/counts.ts';
import { printNetwork } from '../../query/address.ts';
import { placeTerms } from '../../query/push-down.ts';
import { type FieldTerm, termOfAny } from '../../query/query.ts';
import { termForShown } from '../../query/terms.ts';
import type { Anonymisation, PullZone, Zones } from '../../zone.ts';
import { type AddressMask, clientNetwork, logTermOf, maskOf } from './client.ts';
import { clientCounts } from './client-counts.ts';

/** What both logs know of a client, so that one can be asked for what the other saw. */
export const BYPASS_FIELDS = ['ip', 'ja4', 'ua', 'url', 'asn', 'country'] as const;
export type BypassField = (typeof BYPASS_FIELDS)[number];

type StatusClass = '2xx' | '3xx' | '4xx' | '5xx' | '1xx' | 'other';

/** What a responder asks first comes first. */
const CLASS_ORDER: readonly StatusClass[] = ['2xx', '3xx', '4xx', '5xx', '1xx', 'other'];

type BypassCell = {
  statusClass: StatusClass;
  cache: string;
  /** Who answered: the edge from cache, the origin, or nobody that is known (`-`, unknown words). */
  served: 'edge' | 'origin' | null;
  requests: number;
  bytes: number;
  /** Event times, Unix ms. */
  first: number;
  last: number;
};

export type BypassCheck = {
  /** 2xx, 3xx, then the rest; within a class the most requests first. */
  cells: readonly BypassCell[];
  /** Requests answered with 2xx or 3xx: what got through, and what of it reached the origin. */
  through: number;
  throughToOrigin: number;
  /** Requests of this client. */
  matched: number;
  /** Rows that say nothing in this field: whose they are cannot be told. */
  blank: number;
};

type BypassQuestion =
  | {
      ok: true;
      field: BypassField;
      /** For the query; the first one may be there only to have the server send less. */
      terms: readonly FieldTerm[];
      /** `narrowed`: the server sends a part that surely holds all of it, the rest is decided here. */
      runs: 'server' | 'narrowed' | 'local';
      /** How much of an address is compared; `none` also for fields that are no address. */
      mask: AddressMask;
    }
  | { ok: false; why: string };

/** A question that can be asked. */
type AskedBypass = Extract<BypassQuestion, { ok: true }>;

/** A zone and the question that its log is asked. */
export type ZoneBypass = { zone: PullZone; question: AskedBypass };

/** What each zone is asked, and why the others cannot be; or why none can. */
type BypassQuestions =
  | { ok: true; asked: readonly [ZoneBypass, ...ZoneBypass[]]; left: readonly string[] }
  | { ok: false; why: string };

/** Longer needles do not fit into a request. */
const LONGEST_NEEDLE = 256;

/** How to ask the CDN logs of zones for a client; see `bypassQuestion`. `seen`: what the log keeps that its value is from. */
export function bypassQuestions(
  field: BypassField,
  value: string | null,
  zones: Zones,
  seen: Anonymisation,
): BypassQuestions {
  const asked: ZoneBypass[] = [];
  const left: string[] = [];
  for (const zone of zones) {
    const question: BypassQuestion = zone.logging
      ? bypassQuestion(field, value, zone, seen)
      : { ok: false, why: 'it keeps no CDN log; it is switched on under Logging of the pull zone' };
    if (question.ok) asked.push({ zone, question });
    else left.push(zones.length > 1 ? `${zone.name}: ${question.why}` : question.why);
  }
  const [first, ...more] = asked;
  return first ? { ok: true, asked: [first, ...more], left } : { ok: false, why: left[0] ?? '' };
}

/**
 * How to ask CDN logs for the requests of the client that has this value in this field of a Shield event or a CDN row.
 * The server filters by address, part of a URL and part of a user agent; ja4, asn and country are matched here.
 */
export function bypassQuestion(
  field: BypassField,
  value: string | null,
  zone: PullZone,
  seen: Anonymisation = zone.anonymisation,
): BypassQuestion {
  if (field === 'ip') return addressQuestion(value, zone, seen);
  const text = value ?? '';
  const needle = text.split(MASK)[0]?.slice(0, LONGEST_NEEDLE).trim() ?? '';
  const exact = termForShown('logs', field, field === 'url' ? afterScheme(text) : text);
  if (exact === null) return { ok: false, why: `CDN logs have no field ${field}` };
  const part = termOfAny(field, [needle], 'contains');
  return placed(field, field === 'ua' && needle !== '' ? [part, exact] : [exact], 'none', zone);
}

/** The requests of a client by status class and cache status, of all that was counted of it. */
export function bypassCheckOf(all: readonly Counts[]): BypassCheck {
  const cells = new Map<string, BypassCell>();
  let [matched, blank] = [0, 0];
  for (const counts of all) {
    const found = clientCounts(counts);
    blank += found.blank;
    for (const { key, count: requests, bytes, firstSeen: first, lastSeen: last } of found.cells) {
      matched += requests;
      const cache = key['cache'] ?? '';
      const { served } = cacheStatusRow(cache);
      addCell(cells, {
        statusClass: statusClassOf(Number(key['status'])),
        cache,
        served,
        requests,
        bytes,
        first,
        last,
      });
    }
  }
  const sorted = [...cells.values()].sort(
    (a, b) =>
      CLASS_ORDER.indexOf(a.statusClass) - CLASS_ORDER.indexOf(b.statusClass) ||
      b.requests - a.requests ||
      (a.cache < b.cache ? -1 : 1),
  );
  const through = sorted.filter(isThrough);
  const throughToOrigin = requestsOf(through.filter(({ served }) => served === 'origin'));
  return { cells: sorted, through: requestsOf(through), throughToOrigin, matched, blank };
}

/** Requests of one answer are one cell. */
function addCell(cells: Map<string, BypassCell>, more: BypassCell): void {
  const key = `${more.statusClass} ${more.cache}`;
  const known = cells.get(key);
  cells.set(key, {
    ...more,
    requests: (known?.requests ?? 0) + more.requests,
    bytes: (known?.bytes ?? 0) + more.bytes,
    first: Math.min(known?.first ?? more.first, more.first),
    last: Math.max(known?.last ?? more.last, more.last),
  });
}

/**
 * `read all 1,204 rows; ja4 matched locally`: an answer of nobody is complete only when `isWhole`. `elsewhere`: how rows were counted by
 * somebody else.
 */
export function bypassCoverage(
  questions: readonly Placed[],
  read: number,
  isWhole: boolean,
  elsewhere: readonly string[] = [],
): string {
  const rows =
    elsewhere.length > 0
      ? [counted(read, 'row'), ...elsewhere].join(', ')
      : isWhole
        ? `read all ${counted(read, 'row')}`
        : `read ${counted(read, 'row')}, there are more`;
  return [rows, ...new Set(questions.map(placeWords))].join('; ');
}

type Placed = Pick<AskedBypass, 'field' | 'mask'> & { runs: AskedBypass['runs'] | 'memory' | 'store' };

function placeWords({ field, runs, mask }: Placed): string {
  const place =
    runs === 'server' || runs === 'store'
      ? `${field} asked of the ${runs}`
      : runs === 'narrowed'
        ? `${field} narrowed by the server, matched locally`
        : `${field} matched ${runs === 'memory' ? 'in memory' : 'locally'}`;
  return `${place}${mask === 'none' ? '' : ` by ${mask}: others of the network count too`}`;
}

/** Whether these requests were answered with 2xx or 3xx. */
export function isThrough({ statusClass }: BypassCell): boolean {
  return statusClass === '2xx' || statusClass === '3xx';
}

export function statusClassOf(status: number): StatusClass {
  const first = Math.floor(status / 100);
  return first >= 1 && first <= 5 ? (`${first}xx` as StatusClass) : 'other';
}

/** The address as the log that it is from tells it, and of that as much as this zone keeps. */
function addressQuestion(value: string | null, zone: PullZone, seen: Anonymisation): BypassQuestion {
  if (zone.anonymisation === 'drop') {
    return { ok: false, why: 'the zone logs no client addresses; ask by ja4, ua or url' };
  }
  const told = clientNetwork(value ?? '', seen);
  const network = told && clientNetwork(printNetwork(told), zone.anonymisation);
  if (network === null) return { ok: false, why: `'${value ?? ''}' is no address to look for` };
  return placed('ip', [logTermOf(network)], maskOf(network), zone);
}

function placed(
  field: BypassField,
  terms: readonly FieldTerm[],
  mask: AddressMask,
  zone: PullZone,
): BypassQuestion {
  const places = placeTerms(terms, zone).map(({ runs }) => runs);
  const runs = places.every((place) => place === 'server')
    ? 'server'
    : places.every((place) => place === 'local')
      ? 'local'
      : 'narrowed';
  return { ok: true, field, terms, runs, mask };
}

function afterScheme(url: string): string {
  return url.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '');
}

function requestsOf(cells: readonly BypassCell[]): number {
  return cells.reduce((sum, { requests }) => sum + requests, 0);
}
