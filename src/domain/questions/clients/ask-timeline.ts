import { counted, dayOf, joined, timeOfDay } from '../../../text/units.ts';
import { nothingToAskBy, type TimelineItem } from '../../clients/client-identity.ts';
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
import { ClientReading, type Pivot, RequestLookup } from '../../inquiry/client-reading.ts';
import { type Inquiry, type Need, readBy } from '../../inquiry/inquiry.ts';
import { zoneNames } from '../../inquiry/log-reading.ts';
import { EMPTY_QUERY, type QuerySubject, type Term, withTerms } from '../../query/query.ts';
import { termForValue } from '../../query/terms.ts';
import { zoneNameOf } from '../../query/zone-terms.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import { type Brief, type Made, made, sightingAsked, unaskable } from '../asked/asked.ts';

/** The most requests of a timeline for its own zone: by the id, by the address, and the events of Shield. */
const OWN_REQUESTS = 3;

export function timeline(o: Brief): Made {
  const { range, terms, zones, sighting } = o;
  const subject = sighting ?? sightingAsked(terms, range.from);
  if (typeof subject === 'string') return unaskable(subject);
  if (sighting === undefined && subject.requestId !== null && zones[0].logging)
    return made(o, timelineById({ ...o, subject }, subject.requestId, range), '');
  const reading = new ClientReading({ ...o, subject });
  const { query } = reading;
  return query === null
    ? unaskable(whyUnaskable(o))
    : { ...made(o, timelineInquiry({ ...o, subject }, reading)), query };
}

function whyUnaskable({ zones: [zone], shieldZoneId }: Pick<Pivot, 'zones' | 'shieldZoneId'>): string {
  const isKept = zone.logging || Boolean(shieldZoneId);
  return isKept ? nothingToAskBy(zone.anonymisation) : 'the zone keeps neither a CDN log nor Shield events';
}

function timelineInquiry(o: Pivot, reading: ClientReading): Inquiry {
  return readBy([reading], () => timelineTable(o, reading));
}

/** Looks a request up by its id, and then asks for the timeline of its client. */
function timelineById(o: Pivot, id: string, range: TimeRange): Inquiry {
  const lookup = new RequestLookup(o, id, range);
  let inner: Inquiry | null = null;
  let why: string | null = null;

  function next(): readonly Need[] {
    if (inner !== null || why !== null) return [];
    const subject = lookup.found ?? o.subject;
    if (lookup.found === null && subject.ip === null) {
      why =
        lookup.rest().length > 0 ? 'the request was not looked up' : 'no request has this id in this time';
      return [];
    }
    const reading = new ClientReading({ ...o, subject });
    if (reading.query === null) why = whyUnaskable(o);
    else inner = timelineInquiry({ ...o, subject }, reading);
    return inner?.needs ?? [];
  }

  return {
    needs: lookup.needs,
    follow: { most: OWN_REQUESTS + o.zones.length, next },
    add: (need, met) => (inner ?? lookup).add(need, met),
    table: () => inner?.table() ?? unfound(why, lookup.rest().length === 0),
    rest: () => inner?.rest() ?? [],
  };
}

function timelineTable(about: Pivot, reading: ClientReading): AnswerTable {
  const { items, mask } = reading.timeline();
  const missing = missingOf(about, reading);
  const isJoined = items.some(({ by, lines }) => by === 'request id' && lines.length > 1);
  const { read, of, isCut } = reading.progress;
  const isRead = read === of;
  const cut = isCut ? '; cut: there is more than one answer holds, or a part is no longer kept' : '';
  return {
    headline: isJoined
      ? `the same request in both logs, by its id; ${counted(items.length, 'line')} of its client within a minute`
      : isRead
        ? `${counted(items.length, 'line')} of the client within a minute${mask === null ? '' : `, ${reachWords(mask)}`}; no request id joins the two logs`
        : items.length > 0
          ? `so far ${counted(items.length, 'line')} of the client; ${of - read} of ${of} questions not read to their end`
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
    coverage: [`${read} of ${of} questions read to their end${cut}`, ...missing].join('; '),
  };
}

/** What was not asked, and why. */
function missingOf({ zones, shieldZoneId }: Pivot, { silent }: ClientReading): string[] {
  const [zone] = zones;
  return [
    zone.logging ? '' : 'no CDN log is kept',
    silent.length > 0 ? `${zoneNames(silent)} not asked: no log or no address to ask by` : '',
    shieldZoneId ? '' : shieldZoneId === null ? 'the zone has no Shield' : 'Shield not asked',
    shieldZoneId && zones.length > 1 ? `Shield of ${zone.name} alone` : '',
  ].filter((text) => text !== '');
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
function linesOf(item: TimelineItem, { subject, zones }: Pivot): Line[] {
  const [own] = zones;
  const isExact = item.by === 'request id';
  const isSubject = isExact || item.at === subject.at;
  const same = item.by === 'none' ? 'address' : item.by;
  // How much of an address it has in common, where something is cut off.
  const belongs = { isSubject, isExact, mask: isExact || item.by === 'none' ? null : item.by };
  const tone = (log: QuerySubject) => (isSubject ? 'notable' : log === 'shield' ? 'plain' : 'faint');
  return item.lines.map((line): Line => {
    const { log, at, url, ip } = line;
    const leadsTo = (term: Term | null) => ({
      subject: log,
      query: within(withTerms(EMPTY_QUERY, term), { from: at - 1000, to: at + 1000 }),
    });
    const told = { at, log, url, same };
    const row = { tone: tone(log), ...(ip ? { value: { field: 'ip', value: ip } } : {}) } as const;
    if (log === 'shield') {
      const { action, ruleId } = line;
      const term = ip === null ? null : termForValue('shield', 'ip', ip, false);
      return {
        ...{ ...told, zone: own.name, verdict: action, by: ruleId },
        facts: { action, ruleId, ip, ...belongs },
        row: { ...row, isSubject, leads: { ...leadsTo(term), zones: [own.id] } },
      };
    }
    const { status, cache, requestId, zoneId } = line;
    const id = requestId ? termForValue('logs', 'id', requestId, false) : null;
    return {
      ...{ ...told, zone: zoneNameOf(zones, zoneId ?? own.id), verdict: String(status), by: cache },
      facts: { status, cache, ip, requestId, ...belongs },
      row: { ...row, ...(id ? { leads: leadsTo(id) } : {}) },
    };
  });
}

/** How much of the address the lines have in common. */
function reachWords(mask: string): string {
  return mask === 'none' ? 'by their whole address' : `by their ${mask} network only`;
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
