import { type LogRecord, pageOf } from '../../log.ts';
import { ROW_MARKS } from '../../logs/counted/row-marks.ts';
import type { Counts } from '../../logs/counts.ts';
import { ratioOf } from '../../logs/sums/traffic.ts';
import { type ShieldEvent, shieldDetail } from '../../shield/shield.ts';
import type { Anonymisation } from '../../zone.ts';
import { cleanClientsOf, clientKey, sightingOfEvent } from './client.ts';
import { NO_EVIDENCE, newValues, talliesJoined, tally, topShare, type Values } from './evidence-tally.ts';

/** What was counted of a group. `cleanClients`: of its clients, 0…1; null = not known. */
type Seen = ReturnType<typeof talliesJoined> & {
  events: number;
  anonymisation: Anonymisation;
  cleanClients: number | null;
};

type Tell = (seen: Seen) => number | null;
type ValueName = keyof Values;
type SumName = keyof typeof NO_EVIDENCE;

const sizeOf = ({ values, beyond }: Seen, name: ValueName) =>
  values[name].size + (beyond[name] === undefined ? 0 : beyond[name] - 1);
const linesOf = ({ sums, events }: Seen) => sums.requests + events;
const clientsOf = (seen: Seen) => sizeOf(seen, 'ip') || null;
const size = (name: ValueName) => (seen: Seen) => sizeOf(seen, name);
const top = (name: ValueName) => (seen: Seen) => topShare(seen.values[name]);
const ofRequests = (name: SumName) => (seen: Seen) => ratioOf(seen.sums[name], seen.sums.requests);
const ofEvents = (name: SumName) => (seen: Seen) => ratioOf(seen.sums[name], seen.events);
const ofLines = (mark: keyof Seen['marks']) => (seen: Seen) => ratioOf(seen.marks[mark], linesOf(seen));
const clientsWhere = (kept: Anonymisation) => (seen: Seen) =>
  seen.anonymisation === kept ? clientsOf(seen) : null;
const aClient = (number: (seen: Seen) => number) => (seen: Seen) =>
  ratioOf(number(seen), clientsOf(seen) ?? 0);

/** What can be counted of a group of lines of both logs: how each number is called, printed and told, in the order of the list. */
export const EVIDENCE = {
  requests: { name: 'CDN requests', as: 'count', of: ({ sums }) => sums.requests },
  events: { name: 'Shield events', as: 'count', of: ({ events }) => events },
  // Different addresses; under last-octet anonymisation they are networks, and counted as such.
  ips: { name: 'addresses', as: 'count', of: clientsWhere('none') },
  networks: { name: 'networks (/24, /64)', as: 'count', of: clientsWhere('lastOctet') },
  asns: { name: 'AS numbers', as: 'count', of: size('asn') },
  ja4s: { name: 'fingerprints', as: 'count', of: size('ja4') },
  uas: { name: 'user agents', as: 'count', of: size('ua') },
  // Without query strings.
  paths: { name: 'paths', as: 'count', of: size('page') },
  rules: { name: 'rules', as: 'count', of: size('rule') },
  pathsPerClient: { name: 'paths a client', as: 'mean', of: aClient(size('page')) },
  linesPerClient: { name: 'lines a client', as: 'mean', of: aClient(linesOf) },
  // Of the lines that have such a value.
  topJa4: { name: 'with the most frequent fingerprint', as: 'share', of: top('ja4') },
  topUa: { name: 'with the most frequent user agent', as: 'share', of: top('ua') },
  topPath: { name: 'of the most frequent path', as: 'share', of: top('page') },
  topAsn: { name: 'from the most frequent AS number', as: 'share', of: top('asn') },
  notFound: { name: 'requests answered 403 or 404', as: 'share', of: ofRequests('notFound') },
  refused: { name: 'requests answered 401, 403 or 429', as: 'share', of: ofRequests('refused') },
  fine: { name: 'requests answered 2xx or 3xx', as: 'share', of: ofRequests('fine') },
  stopped: { name: 'events blocked or challenged', as: 'share', of: ofEvents('stopped') },
  withBody: { name: 'events with a body', as: 'share', of: ofEvents('withBody') },
  ownReferer: { name: 'events from a page of the same host', as: 'share', of: ofEvents('ownReferer') },
  // Numbers and ids put aside: see `fragmentShape`.
  fragments: { name: 'matched fragments', as: 'count', of: size('fragment') },
  topFragment: { name: 'with the most frequent fragment', as: 'share', of: top('fragment') },
  login: { name: 'on a login path', as: 'share', of: ofLines('login') },
  botNamed: { name: 'user agent names a bot', as: 'share', of: ofLines('bot') },
  // Of the events' clients, see `cleanClientsOf`; not known until `around` was told of any.
  cleanClients: {
    name: 'clients that also have clean 2xx',
    as: 'share',
    of: ({ cleanClients }) => cleanClients,
  },
} as const satisfies Record<string, { name: string; as: 'count' | 'mean' | 'share'; of: Tell }>;

export type EvidenceId = keyof typeof EVIDENCE;

/** Null = what was read cannot tell. Shares are 0…1. */
export type GroupEvidence = Record<EvidenceId, number | null> & Record<'requests' | 'events', number>;

/**
 * What a group's lines tell. `events` are those of the group; `around` takes requests of any client, in the group or not, to see which
 * of its clients are good clients otherwise.
 */
export function createEvidence(
  events: readonly ShieldEvent[],
  anonymisation: Anonymisation,
): {
  around(record: LogRecord): void;
  /** `requests`: what was counted of the group's own. */
  result(requests?: readonly Counts[]): GroupEvidence;
} {
  const clients = cleanClientsOf(events, anonymisation);
  const values = newValues();
  const sums = { ...NO_EVIDENCE };
  const marks = { login: 0, bot: 0 };
  let isAroundKnown = false;
  for (const event of events) {
    const { fields } = event;
    const detail = shieldDetail(event.log);
    const { ip, url } = sightingOfEvent(event);
    const { host, path } = partsOf(url ?? '');
    tally(values.ip, clientKey(ip, anonymisation));
    tally(values.asn, fields['asn']);
    tally(values.ja4, fields['ja4']);
    tally(values.rule, fields['ruleId']);
    if (detail.trigger?.value) tally(values.fragment, fragmentShape(detail.trigger.value));
    const [page, ua] = [pageOf(path), fields['ua'] ?? ''];
    tally(values.page, page);
    tally(values.ua, ua);
    if (ROW_MARKS.loginPath.pattern.test(page)) marks.login++;
    if (ROW_MARKS.botNamed.pattern.test(ua)) marks.bot++;
    const action = fields['action']?.toLowerCase();
    if (action === 'blocked' || action === 'challenged') sums.stopped++;
    if (detail.body !== null && detail.body !== '') sums.withBody++;
    const referer = detail.headers.find(({ name }) => name.toLowerCase() === 'referer')?.value ?? '';
    if (host !== '' && partsOf(referer).host === host) sums.ownReferer++;
  }
  return {
    around(record) {
      isAroundKnown = true;
      clients.add(record);
    },
    result: (requests = []) => {
      const seen: Seen = {
        ...talliesJoined({ values, sums, marks }, requests, anonymisation),
        ...{ events: events.length, anonymisation },
        cleanClients: isAroundKnown ? ratioOf(clients.clean.size, clients.suspects.size) : null,
      };
      const numbers = Object.entries(EVIDENCE).map(([id, { of }]) => [id, of(seen)]);
      return Object.fromEntries(numbers) as GroupEvidence;
    },
  };
}

/** By hand: an attacker's URL need not be one that a parser takes. */
function partsOf(url: string): { host: string; path: string } {
  const match = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)(.*)$/is.exec(url);
  return match ? { host: (match[1] ?? '').toLowerCase(), path: match[2] ?? '' } : { host: '', path: url };
}

/** Fragments that a rule matched, with what differs from one to the next put aside. */
export type FragmentGroup = {
  /** The fragment with numbers and ids replaced: see `fragmentShape`. */
  shape: string;
  count: number;
  /** The first one seen, as it was. */
  example: string;
};

/** Longer fragments are compared by their beginning. */
const LONGEST = 200;

/**
 * A fragment without what makes each one different: runs of 8 and more hex digits with a digit among them, UUIDs and
 * numbers become `#`, runs of white space one space, letters small. Two fragments of one shape are one finding.
 */
export function fragmentShape(text: string): string {
  return text
    .slice(0, LONGEST)
    .toLowerCase()
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '#')
    .replace(/(?<![0-9a-z])(?=[a-f]*\d)[0-9a-f]{8,}(?![0-9a-z])/g, '#')
    .replace(/\d+(?:[.,]\d+)*/g, '#')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Groups by shape, most first; equal counts by their shape. */
export function groupFragments(fragments: Iterable<string>): FragmentGroup[] {
  const groups = new Map<string, FragmentGroup>();
  for (const example of fragments) {
    const shape = fragmentShape(example);
    const known = groups.get(shape);
    if (known) known.count++;
    else groups.set(shape, { shape, count: 1, example });
  }
  return [...groups.values()].sort((a, b) => b.count - a.count || (a.shape < b.shape ? -1 : 1));
}
