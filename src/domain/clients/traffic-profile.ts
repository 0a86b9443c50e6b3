import { count, percent } from '../../text/units.ts';
import { pageOf } from '../log.ts';
import { ROW_MARKS } from '../logs/counted/row-marks.ts';
import { type CountedField, type Counting, type Counts, partOfCounts } from '../logs/counts.ts';
import { ratioOf } from '../logs/sums/traffic.ts';
import { type ShieldEvent, shieldDetail } from '../shield/shield.ts';
import type { Anonymisation } from '../zone.ts';
import { clientKey, isStopped, sightingOfEvent } from './client-identity.ts';

export type TrafficTag = 'scanner' | 'botnet' | 'stuffing' | 'misfire' | 'crawler';

/** The bound that a number must keep. One that cannot be told keeps none. */
type Bound = { least: number } | { most: number };
type Bounds = Partial<Record<EvidenceId, Bound>>;

/** The tag is given when all bounds of one of the sets are kept. */
type TrafficProfileRow = { help: string; sets: readonly Bounds[] };

/** A number that led to a tag, beside the bound that it kept. */
type Reason = { of: EvidenceId; value: number; bound: Bound };

type TrafficProfile = { tag: TrafficTag; help: string; because: readonly Reason[] };

/** Fewer lines than these say nothing of their sender. */
export const LEAST_LINES = 50;

const least = (bound: number): Bound => ({ least: bound });
const most = (bound: number): Bound => ({ most: bound });

const SEEN: Bounds = { requests: least(LEAST_LINES) };
/** Of Shield events alone: the other log was not read. */
const SEEN_BY_SHIELD: Bounds = { events: least(LEAST_LINES), requests: most(0) };
const MANY_PATHS: Bounds = { paths: least(12), pathsPerClient: least(4) };
const LOGINS: Bounds = { login: least(0.8), topJa4: least(0.8) };
const ONE_PROGRAM: Bounds = { topJa4: least(0.95), topUa: least(0.9), paths: most(5) };
const GOOD_VISITORS: Bounds = {
  topJa4: most(0.8),
  topAsn: most(0.5),
  cleanClients: least(0.5),
  ownReferer: least(0.5),
  fragments: least(5),
  topFragment: most(0.5),
};

/**
 * What a group looks like. The bounds are rules of thumb, wide enough that ordinary traffic keeps out of them; there is
 * no score: a tag is given when every number of a set keeps its bound, and each is shown beside it.
 */
const TRAFFIC_PROFILES: Readonly<Record<TrafficTag, TrafficProfileRow>> = {
  scanner: {
    help: 'few clients that try many paths and find nothing',
    sets: [
      { ...SEEN, ...MANY_PATHS, notFound: least(0.6) },
      { ...SEEN_BY_SHIELD, ...MANY_PATHS, stopped: least(0.5) },
    ],
  },
  botnet: {
    help: 'many clients that are one program, hammer few paths and are refused',
    sets: [
      { requests: least(200), ips: least(50), ...ONE_PROGRAM, refused: least(0.5) },
      { requests: least(200), networks: least(10), ...ONE_PROGRAM, refused: least(0.5) },
      { events: least(200), ips: least(50), ...ONE_PROGRAM, stopped: least(0.5) },
      { events: least(200), networks: least(10), ...ONE_PROGRAM, stopped: least(0.5) },
    ],
  },
  stuffing: {
    help: 'logins tried again and again by one program, nearly all refused',
    sets: [
      { ...SEEN, ...LOGINS, refused: least(0.8) },
      { ...SEEN_BY_SHIELD, ...LOGINS, stopped: least(0.8) },
    ],
  },
  misfire: {
    help: 'a rule that stops many different visitors of the own pages, who are good clients otherwise',
    sets: [
      { events: least(LEAST_LINES), ips: least(10), ...GOOD_VISITORS },
      { events: least(LEAST_LINES), networks: least(10), ...GOOD_VISITORS },
    ],
  },
  crawler: {
    help: 'names itself a bot, reads many pages and mostly gets them',
    sets: [{ ...SEEN, botNamed: least(0.9), paths: least(20), fine: least(0.7) }],
  },
};

const PRINTED = {
  count,
  mean: (value: number) => value.toFixed(1),
  share: percent,
} as const satisfies Record<(typeof EVIDENCE)[EvidenceId]['as'], (value: number) => string>;

/** The tags that the numbers allow, each with those that led to it; none for a small sample. */
export function trafficProfilesOf(evidence: GroupEvidence): TrafficProfile[] {
  return (Object.keys(TRAFFIC_PROFILES) as TrafficTag[]).flatMap((tag) => {
    const { help, sets } = TRAFFIC_PROFILES[tag];
    for (const set of sets) {
      const bounds = Object.entries(set) as [EvidenceId, Bound][];
      if (bounds.every(([of, bound]) => isKept(bound, evidence[of])))
        return [{ tag, help, because: bounds.flatMap(([of, bound]) => reasonOf(of, bound, evidence)) }];
    }
    return [];
  });
}

/** Tags of those that a rule is meant to stop. */
const ATTACKERS: readonly TrafficTag[] = ['scanner', 'botnet', 'stuffing'];

/** What the numbers say of a rule: that it hits good clients, that it stops attackers, or neither. */
export function groupVerdict(evidence: GroupEvidence): 'misfire' | 'attack' | null {
  const tags = trafficProfilesOf(evidence).map(({ tag }) => tag);
  if (tags.some((tag) => ATTACKERS.includes(tag))) return 'attack';
  return tags.includes('misfire') ? 'misfire' : null;
}

function isKept(bound: Bound, value: number | null): boolean {
  if (value === null) return false;
  return 'least' in bound ? value >= bound.least : value <= bound.most;
}

/** That the other log was not read is a condition, but no reason. */
function reasonOf(of: EvidenceId, bound: Bound, evidence: GroupEvidence): Reason[] {
  if ('most' in bound && bound.most === 0) return [];
  return [{ of, value: evidence[of] ?? 0, bound }];
}

export function boundWords({ of, bound }: Reason): string {
  return 'least' in bound ? `at least ${shown(of, bound.least)}` : `at most ${shown(of, bound.most)}`;
}

function shown(of: EvidenceId, value: number): string {
  return PRINTED[EVIDENCE[of].as](value);
}

/** A number by its name, and as it is printed. */
export function numberWords({ of, value }: Pick<Reason, 'of' | 'value'>): { name: string; shown: string } {
  return { name: EVIDENCE[of].name, shown: shown(of, value) };
}

/** `scanner`, `botnet, stuffing`; empty for nothing typical. */
export function tagWords(evidence: GroupEvidence): string {
  return trafficProfilesOf(evidence)
    .map(({ tag }) => tag)
    .join(', ');
}

/** Values of a field that are told apart, as in memory; of the rest it is told how many there are. */
export const VALUES_MOST = 20_000;

/** What the shape of a client is told of, by the fields of its rows. */
const ROW_FIELDS = ['ip', 'asn', 'ja4', 'ua', 'page', 'status', 'loginPath', 'botNamed'] as const;

export const SHAPE_COUNTING = {
  kind: 'values',
  fields: ROW_FIELDS,
  most: VALUES_MOST,
  sums: false,
} as const satisfies Counting;

/** The fields of lines of both logs; those of events have some more. */
type FieldName = (typeof ROW_FIELDS)[number] | 'fragment' | 'isStopped' | 'isOwnReferer';

/** The values of a field that are listed, of how many lines that have one, and how many values there are. */
type Spread = { counts: ReadonlyMap<string, number>; lines: number; size: number };

/** What was counted of a group. */
type Seen = {
  requests: number;
  events: number;
  spreads: Readonly<Record<FieldName, Spread>>;
  anonymisation: Anonymisation;
};

type Tell = (seen: Seen) => number | null;

const clientsOf = (seen: Seen) => seen.spreads.ip.size || null;
const size = (name: FieldName) => (seen: Seen) => seen.spreads[name].size;
const top = (name: FieldName) => (seen: Seen) => {
  const { counts, lines } = seen.spreads[name];
  return ratioOf(
    counts.values().reduce((most, each) => Math.max(most, each), 0),
    lines,
  );
};
const marked = ({ spreads }: Seen, name: FieldName) => spreads[name].counts.get('1') ?? 0;
const ofLines = (name: FieldName) => (seen: Seen) => ratioOf(marked(seen, name), seen.requests + seen.events);
const ofEvents = (name: FieldName) => (seen: Seen) => ratioOf(marked(seen, name), seen.events);
const ofRequests =
  (isMeant: (status: number) => boolean) =>
  ({ spreads, requests }: Seen) => {
    const own = [...spreads.status.counts].filter(([status]) => isMeant(Number(status)));
    return ratioOf(
      own.reduce((sum, [, count]) => sum + count, 0),
      requests,
    );
  };
const clientsWhere = (kept: Anonymisation) => (seen: Seen) =>
  seen.anonymisation === kept ? clientsOf(seen) : null;

const REFUSED = [401, 403, 429];

/** What can be counted of a group of lines of both logs: how each number is called, printed and told, in the order of the list. */
const EVIDENCE = {
  requests: { name: 'CDN requests', as: 'count', of: ({ requests }) => requests },
  events: { name: 'Shield events', as: 'count', of: ({ events }) => events },
  // Different addresses; under last-octet anonymisation they are networks, and counted as such.
  ips: { name: 'addresses', as: 'count', of: clientsWhere('none') },
  networks: { name: 'networks (/24, /64)', as: 'count', of: clientsWhere('lastOctet') },
  // Without query strings.
  paths: { name: 'paths', as: 'count', of: size('page') },
  pathsPerClient: {
    name: 'paths a client',
    as: 'mean',
    of: (seen) => ratioOf(seen.spreads.page.size, clientsOf(seen) ?? 0),
  },
  // Of the lines that have such a value.
  topJa4: { name: 'with the most frequent fingerprint', as: 'share', of: top('ja4') },
  topUa: { name: 'with the most frequent user agent', as: 'share', of: top('ua') },
  topAsn: { name: 'from the most frequent AS number', as: 'share', of: top('asn') },
  notFound: {
    name: 'requests answered 403 or 404',
    as: 'share',
    of: ofRequests((status) => status === 403 || status === 404),
  },
  refused: {
    name: 'requests answered 401, 403 or 429',
    as: 'share',
    of: ofRequests((status) => REFUSED.includes(status)),
  },
  fine: {
    name: 'requests answered 2xx or 3xx',
    as: 'share',
    of: ofRequests((status) => status >= 200 && status < 400),
  },
  stopped: { name: 'events blocked or challenged', as: 'share', of: ofEvents('isStopped') },
  ownReferer: { name: 'events from a page of the same host', as: 'share', of: ofEvents('isOwnReferer') },
  // Numbers and ids put aside: see `fragmentShape`.
  fragments: { name: 'matched fragments', as: 'count', of: size('fragment') },
  topFragment: { name: 'with the most frequent fragment', as: 'share', of: top('fragment') },
  login: { name: 'on a login path', as: 'share', of: ofLines('loginPath') },
  botNamed: { name: 'user agent names a bot', as: 'share', of: ofLines('botNamed') },
  // Of the events' clients: whoever knows it by both logs adds it.
  cleanClients: { name: 'clients that also have clean 2xx', as: 'share', of: () => null },
} as const satisfies Record<string, { name: string; as: 'count' | 'mean' | 'share'; of: Tell }>;

type EvidenceId = keyof typeof EVIDENCE;

/** Null = what was read cannot tell. Shares are 0…1. */
export type GroupEvidence = Record<EvidenceId, number | null> & Record<'requests' | 'events', number>;

/** What a group's lines tell: its events, and what was counted of its requests. Which of its clients are good ones otherwise they do not. */
export function evidenceOf(
  events: readonly ShieldEvent[],
  requests: readonly Counts[],
  anonymisation: Anonymisation,
): GroupEvidence {
  const lists = requests.flatMap((counts) => partOfCounts(counts, 'values') ?? []);
  const own = eventFields(events);
  const keyOf = (value: string) => clientKey(value, anonymisation);
  const spreads = Object.entries(own).map(([name, field]) => {
    const rows = lists.flatMap((list) => {
      const found = list.fields.get(name);
      return found ? [{ field: found, lines: list.rows }] : [];
    });
    const ofEvents = { field, lines: events.length };
    return [name, spreadOf([...rows, ofEvents], name === 'ip' ? keyOf : (value) => value)];
  });
  const seen: Seen = {
    requests: lists.reduce((sum, { rows }) => sum + rows, 0),
    events: events.length,
    spreads: Object.fromEntries(spreads),
    anonymisation,
  };
  const numbers = Object.entries(EVIDENCE).map(([id, { of }]) => [id, of(seen)]);
  return Object.fromEntries(numbers) as GroupEvidence;
}

/** The values of events by field, as those of rows are counted. */
function eventFields(events: readonly ShieldEvent[]): Record<FieldName, CountedField> {
  const lines = events.map((event): Partial<Record<FieldName, string | boolean | null | undefined>> => {
    const { asn, ja4, ua } = event.fields;
    const { headers, trigger } = shieldDetail(event.log);
    const { ip, url } = sightingOfEvent(event);
    const { host, path } = partsOf(url ?? '');
    const page = pageOf(path);
    const referer = headers.find(({ name }) => name.toLowerCase() === 'referer')?.value ?? '';
    return {
      ...{ ip, asn, ja4, ua, page },
      loginPath: ROW_MARKS.loginPath.pattern.test(page),
      botNamed: ROW_MARKS.botNamed.pattern.test(ua ?? ''),
      fragment: trigger?.value && fragmentShape(trigger.value),
      isStopped: isStopped(event),
      isOwnReferer: host !== '' && partsOf(referer).host === host,
    };
  });
  const names: readonly FieldName[] = [...ROW_FIELDS, 'fragment', 'isStopped', 'isOwnReferer'];
  const fields = names.map((name) => [name, countedField(lines.map((line) => line[name]))]);
  return Object.fromEntries(fields);
}

function countedField(values: readonly (string | boolean | null | undefined)[]): CountedField {
  const counts = new Map<string | null, number>();
  for (const value of values) {
    const key = value === true ? '1' : value || null;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return {
    values: [...counts].map(([value, count]) => ({ value, count, sums: null })),
    distinct: counts.size,
    blank: counts.get(null) ?? 0,
  };
}

/** Of several lists of one field; a value counts by its key, if it has any. */
function spreadOf(
  lists: readonly { field: CountedField; lines: number }[],
  keyOf: (value: string) => string | null,
): Spread {
  const counts = new Map<string, number>();
  let [lines, unlisted] = [0, 0];
  for (const { field, lines: all } of lists) {
    lines += all - field.blank;
    // Of more than are told apart there is one more at least; none of them is one that is listed, or nothing.
    unlisted += (field.distinct ?? field.values.length + 1) - Math.min(1, field.blank);
    for (const { value, count } of field.values) {
      if (value === null) continue;
      unlisted -= 1;
      const key = keyOf(value);
      if (key !== null) counts.set(key, (counts.get(key) ?? 0) + count);
    }
  }
  return { counts, lines, size: counts.size + Math.max(0, unlisted) };
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
