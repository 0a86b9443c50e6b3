import { joined } from '../../../text/joined.ts';
import { counted, dayOf, timeOfDay } from '../../../text/units.ts';
import type { LogRecord } from '../../log.ts';
import { matcher } from '../../query/match.ts';
import { splitForServer } from '../../query/push-down.ts';
import { EMPTY_QUERY, type Query, type QuerySubject, type Term, withTerms } from '../../query/query.ts';
import { termForValue } from '../../query/terms.ts';
import { zoneNameOf } from '../../query/zone-terms.ts';
import type { ShieldEvent } from '../../shield/shield.ts';
import { planRows } from '../../shield/shield-question.ts';
import { rangeOf } from '../../shield/shield-window.ts';
import { type TimeRange, without } from '../../tail/coverage.ts';
import type { PullZone, Zones } from '../../zone.ts';
import { onScreen, rest, sectionOf, times, within, words } from '../inquiry/answer-section.ts';
import type { AnswerRow, AnswerTable } from '../inquiry/answer-table.ts';
import type { Facts } from '../inquiry/findings.ts';
import { type Inquiry, type LogNeed, type Need, partOf, shieldNeed } from '../inquiry/inquiry.ts';
import { zoneNames } from '../inquiry/reading-words.ts';
import type { Sighting } from './client.ts';
import {
  type ClientTimeline,
  clientTimelineOf,
  eventsOf,
  nothingToAskBy,
  requestsElsewhere,
  requestsOf,
  type TimelineItem,
} from './timeline.ts';

type Asked = {
  query: Query;
  need: Need;
  left: readonly TimeRange[];
  state: 'open' | 'whole' | 'cut';
  /** A part of it is no longer kept. */
  isCut: boolean;
  matches: (record: LogRecord) => boolean;
  /** Tells rows without an id apart: each moment of a question is told once, so that they are counted however they come. */
  nth: (row: string) => string;
};

/** The same text the second time is another one. */
function timesSeen(): (text: string) => string {
  const times = new Map<string, number>();
  return (text) => {
    const n = times.get(text) ?? 0;
    times.set(text, n + 1);
    return `${text} ${n}`;
  };
}

/**
 * What both logs say of one client around one line of either: the same request by its id, and what lies within a minute
 * of it by what the zones keep of addresses. Null and why, when nothing tells who it was.
 */
export function timelineInquiry(o: {
  /** The zone of the line, whose Shield is asked, too. */
  zone: PullZone;
  /** Other zones, whose CDN logs are asked for the client. */
  others?: readonly PullZone[];
  /** Null: the zone has no Shield. Undefined: Shield cannot be asked, or nobody has told yet whether there is one. */
  shieldZoneId: string | null | undefined;
  subject: Sighting;
  now: number;
}): { ok: true; inquiry: Inquiry; query: Query } | { ok: false; why: string } {
  const { zone, others = [], shieldZoneId, subject, now } = o;
  const zones: Zones = [zone, ...others];
  const kept = new Map(zones.map(({ id, anonymisation }) => [id, anonymisation]));
  const { anonymisation } = zone;
  const asked = [
    ...zones.flatMap((each) => {
      if (!each.logging) return [];
      const queries =
        each === zone
          ? requestsOf(subject, anonymisation, now)
          : requestsElsewhere(subject, anonymisation, each.anonymisation, now);
      return queries.map((query) => logAsked(query, each, now));
    }),
    ...(shieldZoneId
      ? eventsOf(subject, anonymisation, now).map((query) => eventsAsked(query, shieldZoneId, now))
      : []),
  ];
  const last = asked.at(-1);
  if (last === undefined) {
    const isKept = zone.logging || Boolean(shieldZoneId);
    const why = isKept ? nothingToAskBy(anonymisation) : 'the zone keeps neither a CDN log nor Shield events';
    return { ok: false, why };
  }
  const records = new Map<string, LogRecord>();
  const found = new Map<string, ShieldEvent>();
  const inquiry: Inquiry = {
    needs: asked.map(({ need }) => need),
    add(need, met) {
      const one = asked.find((each) => each.need === need || isPartOf(need, each.need));
      if (!one || met.kind === 'failed') return;
      if (met.kind === 'shield') {
        const nth = timesSeen();
        for (const event of met.answer.events)
          found.set(event.logId ?? nth(`${event.timestamp} ${JSON.stringify(event.fields)}`), event);
        one.state = met.answer.total > met.answer.events.length || met.answer.gone ? 'cut' : 'whole';
      } else if (need.kind === 'logs' && met.kind === 'logs') {
        const part = partOf(need.range, met);
        for (const record of part.records.filter(one.matches))
          records.set(record.requestId || one.nth(`${record.timestamp} ${record.url}`), record);
        one.left = [...without(one.left, need.range), ...(part.left === null ? [] : [part.left])];
        one.isCut ||= met.gone !== undefined || (met.stored?.gaps.length ?? 0) > 0;
        // Parts of it are told from memory, or one answer does not hold all: then the rest is still open.
        if (one.left.length === 0) one.state = one.isCut ? 'cut' : 'whole';
      }
    },
    table() {
      const keptOf = ({ pullZoneId }: LogRecord) => kept.get(pullZoneId ?? '') ?? anonymisation;
      const lines = [[...found.values()], [...records.values()]] as const;
      const timeline = clientTimelineOf(subject, ...lines, anonymisation, keptOf);
      const silent = others.filter(
        ({ id }) => !asked.some(({ need }) => need.kind === 'logs' && need.zoneId === id),
      );
      const missing = [
        zone.logging ? '' : 'no CDN log is kept',
        silent.length > 0 ? `${zoneNames(silent)} not asked: no log or no address to ask by` : '',
        shieldZoneId ? '' : shieldZoneId === null ? 'the zone has no Shield' : 'Shield not asked',
        shieldZoneId && others.length > 0 ? `Shield of ${zone.name} alone` : '',
      ].filter((text) => text !== '');
      return timelineTable(timeline, { subject, zones }, asked, missing);
    },
    rest: () => asked.filter(({ state }) => state === 'open').map(restOf),
  };
  return { ok: true, inquiry, query: last.query };
}

function logAsked(query: Query, zone: PullZone, now: number): Asked {
  const range = rangeOf(query.window, now);
  const { server } = splitForServer(query, zone);
  const need: LogNeed = { kind: 'logs', side: 'now', zoneId: zone.id, range, filter: server };
  const matches = matcher(query, zone.anonymisation);
  return { query, need, left: [range], state: 'open', isCut: false, matches, nth: timesSeen() };
}

function eventsAsked(query: Query, shieldZoneId: string, now: number): Asked {
  const need = shieldNeed({ shieldZoneId, range: rangeOf(query.window, now), plan: planRows(query) });
  return { query, need, left: [], state: 'open', isCut: false, matches: () => true, nth: timesSeen() };
}

/** One request for all that is still to be read, be it in parts. */
function restOf({ need, left }: Asked): Need {
  const [first, last] = [left[0], left.at(-1)];
  return need.kind === 'logs' && first && last ? { ...need, range: { from: first.from, to: last.to } } : need;
}

function isPartOf(part: Need, whole: Need): boolean {
  if (part.kind !== 'logs' || whole.kind !== 'logs') return false;
  if (part.filter !== whole.filter || part.zoneId !== whole.zoneId) return false;
  return part.range.from >= whole.range.from && part.range.to <= whole.range.to;
}

function timelineTable(
  timeline: ClientTimeline,
  about: About,
  asked: readonly Asked[],
  missing: readonly string[],
): AnswerTable {
  const { items, mask } = timeline;
  const exact = items.filter(({ same }) => same.kind === 'exact');
  const isJoined = exact.some(({ event, record }) => event !== null && record !== null);
  const read = asked.filter(({ state }) => state !== 'open').length;
  const isRead = read === asked.length;
  const cut = asked.some(({ state }) => state === 'cut')
    ? '; cut: there is more than one answer holds, or a part is no longer kept'
    : '';
  return {
    headline: isJoined
      ? `the same request in both logs, by its id; ${counted(items.length, 'line')} of its client within a minute`
      : isRead
        ? `${counted(items.length, 'line')} of the client within a minute${mask === null ? '' : `, ${reachWords(mask)}`}; no request id joins the two logs`
        : items.length > 0
          ? `so far ${counted(items.length, 'line')} of the client; ${asked.length - read} of ${asked.length} questions not read to their end`
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
                `${log === 'logs' ? 'the CDN' : 'Shield'}${about.zones.length > 1 ? ` of ${zone}` : ''} at ${timeOfDay(at, { zone: 'utc', millis: true })} UTC:`,
                ...[verdict, by, url],
              ],
              ' ',
            ),
          columns: [
            times(
              'time',
              'TIME',
              12,
              ({ at }) => at,
              (at) => timeOfDay(at, { zone: 'utc', millis: true }),
            ),
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
    coverage: [`${read} of ${asked.length} questions read to their end${cut}`, ...missing].join('; '),
  };
}

/** The line that it is about, and the zones whose logs were asked, that of the line first. */
type About = { subject: Sighting; zones: Zones };

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
function linesOf(item: TimelineItem, { subject, zones }: About): Line[] {
  const [own] = zones;
  const isSubject = item.same.kind === 'exact' || item.at === subject.at;
  const same = howWords(item);
  const belongs = { isSubject, isExact: item.same.kind === 'exact', mask: maskOf(item) };
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

/** How much of an address it has in common; null where nothing is cut off, or the request id tells. */
function maskOf({ same }: TimelineItem): string | null {
  return same.kind === 'exact' || same.mask === 'none' ? null : same.mask;
}

/** By what a line belongs to the client: its id, or as much of the address as the zone keeps. */
function howWords({ same }: TimelineItem): string {
  if (same.kind === 'exact') return 'request id';
  return same.mask === 'none' ? 'address' : same.mask;
}

/** How much of the address the lines have in common. */
function reachWords(mask: string): string {
  return mask === 'none' ? 'by their whole address' : `by their ${mask} network only`;
}
