import { counted, dayOf, joined, timeOfDay } from '../../../text/units.ts';
import {
  type AddressMask,
  canonicalId,
  clientNetwork,
  logTermOf,
  type Sighting,
  sharedMask,
  shieldTermOf,
  sightingOfEvent,
  sightingOfRecord,
} from '../../clients/client-identity.ts';
import {
  type AnswerRow,
  type AnswerTable,
  type Facts,
  onScreen,
  rest,
  sectionOf,
  times,
  within,
  words,
} from '../../inquiry/answer-table.ts';
import { EventReading } from '../../inquiry/event-reading.ts';
import { type Inquiry, type Need, type Reading, readBy } from '../../inquiry/inquiry.ts';
import { LogReading, zoneNames, zoneReads } from '../../inquiry/log-reading.ts';
import type { LogRecord } from '../../log.ts';
import { printNetwork } from '../../query/address.ts';
import {
  EMPTY_QUERY,
  type FieldTerm,
  type Query,
  type QuerySubject,
  type Term,
  withTerms,
} from '../../query/query.ts';
import { termForShown, termForValue } from '../../query/terms.ts';
import { zoneNameOf } from '../../query/zone-terms.ts';
import type { ShieldEvent } from '../../shield/shield.ts';
import { rangeOf } from '../../shield/shield-window.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import type { Anonymisation, PullZone } from '../../zone.ts';
import { type Brief, type Made, made, sightingAsked, unaskable } from '../asked/asked.ts';

/** The line that it is about, and the zones whose logs were asked, that of the line first. */
type Turned = Pick<Pivot, 'subject' | 'zones'>;

/** A line to turn at: that of the first zone, whose Shield is asked, too; of the others the CDN logs are asked for its client. */
type Pivot = Pick<Brief, 'zones' | 'shieldZoneId' | 'now'> & { subject: Sighting };

export function timeline(o: Brief): Made {
  const { range, terms, zones, sighting } = o;
  const subject = sighting ?? sightingAsked(terms, range.from);
  if (typeof subject === 'string') return unaskable(subject);
  if (sighting === undefined && subject.requestId !== null && zones[0].logging)
    return made(o, timelineById({ ...o, subject, id: subject.requestId }), '');
  const pivot = timelineInquiry({ ...o, subject });
  return pivot.ok ? { ...made(o, pivot.inquiry), query: pivot.query } : unaskable(pivot.why);
}

/**
 * What both logs say of one client around one line of either: the same request by its id, and what lies within a minute
 * of it by what the zones keep of addresses. Null and why, when nothing tells who it was.
 */
function timelineInquiry(
  o: Pivot,
): { ok: true; inquiry: Inquiry; query: Query } | { ok: false; why: string } {
  const { zones, shieldZoneId, subject, now } = o;
  const [zone, ...others] = zones;
  const { anonymisation } = zone;
  // A row that two questions find counts once, where it has an id; of each question a moment is told once.
  const records = new Map<unknown, LogRecord>();
  const logs = zones.flatMap((each) => {
    if (!each.logging) return [];
    const queries =
      each === zone
        ? requestsOf(subject, anonymisation, now)
        : requestsElsewhere(subject, anonymisation, each.anonymisation, now);
    return queries.map((query) => ({ query, zone: each, reading: rowsOf(query, each, now, records) }));
  });
  const [query] = shieldZoneId ? eventsOf(subject, anonymisation, now) : [];
  const last = query ?? logs.at(-1)?.query;
  if (last === undefined) {
    const isKept = zone.logging || Boolean(shieldZoneId);
    const why = isKept ? nothingToAskBy(anonymisation) : 'the zone keeps neither a CDN log nor Shield events';
    return { ok: false, why };
  }
  // One page tells of the minute; of more than that the timeline is cut.
  const events =
    shieldZoneId && query
      ? new EventReading({ shieldZoneId, range: rangeOf(query.window, now), query, most: 1 })
      : null;
  const readings = [...logs.map(({ reading }) => reading), ...(events ? [events] : [])];
  const kept = new Map(zones.map((each) => [each.id, each.anonymisation]));
  const silent = others.filter((each) => !logs.some((log) => log.zone === each));
  const missing = [
    zone.logging ? '' : 'no CDN log is kept',
    silent.length > 0 ? `${zoneNames(silent)} not asked: no log or no address to ask by` : '',
    shieldZoneId ? '' : shieldZoneId === null ? 'the zone has no Shield' : 'Shield not asked',
    shieldZoneId && others.length > 0 ? `Shield of ${zone.name} alone` : '',
  ].filter((text) => text !== '');
  const inquiry = readBy(readings, () => {
    const keptOf = ({ pullZoneId }: LogRecord) => kept.get(pullZoneId ?? '') ?? anonymisation;
    const lines = [events?.events ?? [], [...records.values()]] as const;
    const timeline = clientTimelineOf(subject, ...lines, anonymisation, keptOf);
    return timelineTable(timeline, { subject, zones }, readings, missing);
  });
  return { ok: true, inquiry, query: last };
}

/** A reading of either log; it can be cut. */
type LogSide = Reading & { readonly isWhole: boolean };

/** The rows of a query, each of which is put to the others. */
function rowsOf(query: Query, zone: PullZone, now: number, records: Map<unknown, LogRecord>): LogSide {
  const windows = { now: [rangeOf(query.window, now)] };
  const reading = new LogReading({ zones: zoneReads([zone], query, 1), windows });
  return {
    needs: reading.needs,
    get isWhole() {
      return reading.isWhole;
    },
    add(need, met) {
      for (const record of reading.add(need, met)) records.set(record.requestId || record, record);
    },
    rest: () => reading.rest(),
  };
}

function timelineTable(
  timeline: ClientTimeline,
  about: Turned,
  readings: readonly LogSide[],
  missing: readonly string[],
): AnswerTable {
  const { items, mask } = timeline;
  const isJoined = items.some(
    ({ by, event, record }) => by === 'request id' && event !== null && record !== null,
  );
  const readOut = readings.filter((each) => each.rest().length === 0);
  const read = readOut.length;
  const isRead = read === readings.length;
  const cut = readOut.some((each) => !each.isWhole)
    ? '; cut: there is more than one answer holds, or a part is no longer kept'
    : '';
  return {
    headline: isJoined
      ? `the same request in both logs, by its id; ${counted(items.length, 'line')} of its client within a minute`
      : isRead
        ? `${counted(items.length, 'line')} of the client within a minute${mask === null ? '' : `, ${reachWords(mask)}`}; no request id joins the two logs`
        : items.length > 0
          ? `so far ${counted(items.length, 'line')} of the client; ${readings.length - read} of ${readings.length} questions not read to their end`
          : 'looking for the request in the other log',
    verdict: 'unknown',
    isWhole: isRead && cut === '' && missing.length === 0,
    ...(isJoined ? { tone: 'good' } : {}),
    sections: [
      sectionOf(
        'lines',
        `both logs in one order of time${daysOf(items)}`,
        items.flatMap((item) => linesOf(item, about)),
        {
          sentence: ({ at, log, zone, verdict, by, url }) =>
            joined(
              [
                `${log === 'logs' ? 'the CDN' : 'Shield'}${about.zones.length > 1 ? ` of ${zone}` : ''} at ${clock(at)} UTC:`,
                ...[verdict, by, url],
              ],
              ' ',
            ),
          columns: [
            times('time', 'TIME', 12, ({ at }) => at, { shown: clock }),
            words('log', 'LOG', 6, ({ log }) => (log === 'logs' ? 'cdn' : log)),
            ...(about.zones.length > 1 ? [words('zone', 'ZONE', 12, ({ zone }: Line) => zone)] : []),
            onScreen('VERDICT', 10, ({ verdict }) => verdict),
            onScreen('BY', 10, ({ by }) => by),
            rest('url', 'URL', ({ url }) => url),
            onScreen('SAME', 10, ({ same }) => same, { from: 70 }),
          ],
          also: ({ facts }) => facts,
          row: ({ row }) => row,
          note: items.length === 0 && isRead ? 'neither log has a line of this client' : '',
        },
      ),
    ],
    coverage: [`${read} of ${readings.length} questions read to their end${cut}`, ...missing].join('; '),
  };
}

function clock(at: number): string {
  return timeOfDay(at, { zone: 'utc', millis: true });
}

/** The lines show the time of day alone. */
function daysOf(items: readonly TimelineItem[]): string {
  const days = [items.at(0), items.at(-1)].flatMap((item) => (item ? [dayOf(item.at, 'utc')] : []));
  return days.length === 0 ? '' : `, UTC, ${[...new Set(days)].join(' and ')}`;
}

/** A line of either log as it is listed. */
type Line = Record<'zone' | 'verdict' | 'by' | 'url' | 'same', string> & {
  at: number;
  log: QuerySubject;
  row: Omit<AnswerRow, 'cells' | 'of'>;
  /** What of it the log of its kind alone tells, and how it belongs to the line that was asked about. */
  facts: Facts;
};

/** A request known from both logs has two lines: what Shield said of it, and what it was answered with. */
function linesOf(item: TimelineItem, { subject, zones }: Turned): Line[] {
  const [own] = zones;
  const isExact = item.by === 'request id';
  const isSubject = isExact || item.at === subject.at;
  const same = item.by === 'none' ? 'address' : item.by;
  // How much of an address it has in common, where something is cut off.
  const belongs = { isSubject, isExact, mask: isExact || item.by === 'none' ? null : item.by };
  const lines: Line[] = [];
  const leadsTo = (log: QuerySubject, at: number, term: Term | null) => ({
    subject: log,
    query: within(withTerms(EMPTY_QUERY, term), { from: at - 1000, to: at + 1000 }),
  });
  if (item.event) {
    const { timestamp: at, fields } = item.event;
    const { action = '', ruleId = '', url = '' } = fields;
    const ip = fields['ip'] || null;
    const term = ip === null ? null : termForValue('shield', 'ip', ip, false);
    lines.push({
      ...{ at, log: 'shield', zone: own.name, verdict: action ?? '', by: ruleId ?? '', url: url ?? '', same },
      facts: { action, ruleId, ip, ...belongs },
      row: {
        tone: isSubject ? 'notable' : 'plain',
        isSubject,
        leads: { ...leadsTo('shield', at, term), zones: [own.id] },
        ...addressOf(ip),
      },
    });
  }
  if (item.record) {
    const { timestamp: at, statusCode, cacheStatus, url, requestId, remoteIp, pullZoneId } = item.record;
    const id = requestId ? termForValue('logs', 'id', requestId, false) : null;
    lines.push({
      ...{ at, log: 'logs', zone: zoneNameOf(zones, pullZoneId ?? own.id), url, same },
      ...{ verdict: String(statusCode), by: cacheStatus },
      facts: { status: statusCode, cache: cacheStatus, ip: remoteIp, requestId, ...belongs },
      row: {
        tone: isSubject ? 'notable' : 'faint',
        ...(id ? { leads: leadsTo('logs', at, id) } : {}),
        ...addressOf(remoteIp),
      },
    });
  }
  return lines;
}

function addressOf(ip: string | null): Pick<AnswerRow, 'value'> {
  return ip ? { value: { field: 'ip', value: ip } } : {};
}

/** How much of the address the lines have in common. */
function reachWords(mask: string): string {
  return mask === 'none' ? 'by their whole address' : `by their ${mask} network only`;
}

/** How far apart two lines of one client may be, where no request id joins them. */
const SAME_CLIENT_SECONDS = 60;

/** By what a line belongs to another: the same request id, or as much of the address as this mask leaves. */
type SameClient = 'request id' | AddressMask;

type TimelineItem = {
  at: number;
  /** The request as it is known of: both, when an event and a row have one request id. */
  event: ShieldEvent | null;
  record: LogRecord | null;
  /** By what it belongs to the line that the timeline was opened at. */
  by: SameClient;
};

type ClientTimeline = {
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
  const place = (sighting: Sighting, line: Pick<TimelineItem, 'event' | 'record'>) => {
    const kept = line.record ? keptOf(line.record) : anonymisation;
    const by = sameClient(subject, sighting, anonymisation, kept);
    if (by === null) return;
    const item = { at: sighting.at, ...line, by };
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
  const masks = items.flatMap(({ by }) => (by === 'request id' ? [] : by));
  return { items, mask: widest(masks) };
}

function widest(masks: readonly AddressMask[]): AddressMask | null {
  const lengths = masks.flatMap((mask) => (mask === 'none' ? [] : [Number(mask.slice(1))]));
  if (lengths.length > 0) return `/${Math.min(...lengths)}`;
  return masks.length > 0 ? 'none' : null;
}

/** An id finds its request wherever it is; the two logs may date one request differently by the time it took. */
const SAME_REQUEST_SECONDS = 300;

/** How to ask the CDN log for the request of a line, and for what its client did around it; what proves most comes first. */
export function requestsOf(sighting: Sighting, anonymisation: Anonymisation, now: number): Query[] {
  const { at, requestId } = sighting;
  const id = requestId === null ? null : termForValue('logs', 'id', requestId, false);
  const own = requestsElsewhere(sighting, anonymisation, anonymisation, now);
  return id ? [around(at, SAME_REQUEST_SECONDS, id, now), ...own] : own;
}

/** How to ask the CDN log of another zone, which keeps so much of addresses, for what the client did around it. */
function requestsElsewhere(
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

/** The most requests of a timeline for its own zone: by the id, by the address, and the events of Shield. */
const OWN_REQUESTS = 3;

/** Looks a request up in the CDN log by its id (32 hex digits), and then asks for the timeline of its client. */
function timelineById(o: Pivot & { id: string; range: TimeRange }): Inquiry {
  const term = termForValue('logs', 'id', o.id, false);
  const query = { ...EMPTY_QUERY, terms: term === null ? [] : [term] };
  const lookup = new LogReading({
    zones: zoneReads([o.zones[0]], query, 1),
    windows: { now: [searched(o)] },
  });
  let found: LogRecord | null = null;
  let inner: Inquiry | null = null;
  let why: string | null = null;

  function next(): readonly Need[] {
    if (inner !== null || why !== null) return [];
    const subject = found ? sightingOfRecord(found) : o.subject;
    if (found === null && subject.ip === null) {
      why =
        lookup.rest().length > 0 ? 'the request was not looked up' : 'no request has this id in this time';
      return [];
    }
    const pivot = timelineInquiry({ ...o, subject });
    if (pivot.ok) inner = pivot.inquiry;
    else why = pivot.why;
    return inner?.needs ?? [];
  }

  return {
    needs: lookup.needs,
    follow: { most: OWN_REQUESTS + o.zones.length, next },
    add(need, met) {
      if (inner !== null) inner.add(need, met);
      else found ??= lookup.add(need, met).find(({ requestId }) => canonicalId(requestId) === o.id) ?? null;
    },
    table: () => inner?.table() ?? unfound(why, lookup.rest().length === 0),
    rest: () => inner?.rest() ?? [],
  };
}

/** A moment is searched around, because the two logs may date one request differently. */
function searched({ range, now }: { range: TimeRange; now: number }): TimeRange {
  const slack = SAME_REQUEST_SECONDS * 1000;
  if (range.to - range.from >= slack) return range;
  return { from: range.from - slack, to: Math.max(range.to, Math.min(now, range.to + slack)) };
}

function unfound(why: string | null, isWhole: boolean): AnswerTable {
  return {
    headline: why ?? 'looking for the request by its id',
    verdict: 'unknown',
    sections: [],
    isWhole,
    coverage: isWhole ? 'the CDN log of this time was searched' : 'the CDN log was not searched to its end',
  };
}
