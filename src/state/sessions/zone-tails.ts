import { oldestAsked } from '../../domain/log-retention.ts';
import { LogBook } from '../../domain/logs/log-book.ts';
import type { ArrivedPart } from '../../domain/logs/log-rows.ts';
import { type LogEvent, type LogReport, withPagesBeneath } from '../../domain/logs/paged-log.ts';
import { splitForServer } from '../../domain/query/push-down.ts';
import type { Query } from '../../domain/query/query.ts';
import { withZoneIds } from '../../domain/query/zone-terms.ts';
import type { TimeRange } from '../../domain/tail/coverage.ts';
import { mergedReport, overtakenTimes, readTo, type ZoneReport } from '../../domain/tail/merged-report.ts';
import { TAIL_TUNING } from '../../domain/tail/tail-pace.ts';
import { addressCutsOf, type PullZone, type Zones } from '../../domain/zone.ts';
import type { ZoneTail } from '../log-source.ts';
import { isEndless } from '../log-zones.ts';
import type { LogSession, LogView, State } from '../model.ts';

/** Rows kept of a log; at about 170 bytes a row this bounds the program's memory. */
const BOOK_CAPACITY = 200_000;

/**
 * Rows kept while paused, and of what is read by pages or to its end: the reader's rows stay while this many arrive.
 */
export const PAUSED_CAPACITY = 800_000;

/** The tails that ask a query of zones, none answered yet. Where logging is off there is nothing to ask. */
export function newTails(zones: readonly PullZone[], query: Query, isAwaited: boolean): ZoneTail[] {
  return zones
    .filter(({ logging }) => logging)
    .map((zone) => ({
      zone,
      filter: splitForServer(query, zone).server,
      live: null,
      pages: null,
      report: null,
      overtaken: 0,
      isAwaited,
    }));
}

/**
 * How a window is read: by pages where it begins before what the platform keeps and a store has that. One without an
 * end is followed from where rows no longer come late.
 */
export function pagingOf(
  { history, now }: State,
  { from, to }: Pick<LogSession, 'from' | 'to'>,
): LogSession['paged'] {
  if (history === null || from === null || from >= oldestAsked(now, 'logs')) return null;
  return { isStopped: false, liveFrom: to === null ? now - TAIL_TUNING.lateness : null };
}

/** An empty book for the answers to a query over a window. */
export function filledBook(
  query: Query,
  zones: Zones,
  { to, paged }: Pick<LogSession, 'to' | 'paged'>,
): LogBook {
  const capacity = to === null && paged === null ? BOOK_CAPACITY : PAUSED_CAPACITY;
  const book = new LogBook({ capacity, frozenCapacity: PAUSED_CAPACITY });
  book.setFilter(withZoneIds(query.terms, zones), addressCutsOf(zones));
  return book;
}

/**
 * The session with the report of one zone. Its rows show at once, whatever the other zones do. The first answer to a
 * changed question begins a new book, which the other zones' answers join.
 */
export function received(
  session: LogSession,
  view: LogView | null,
  zone: string,
  event: LogEvent,
): LogSession {
  const { source } = session;
  const at = session.tails.findIndex((tail) => tail.zone.id === zone);
  const tail = session.tails[at];
  if (source.kind === 'files' || tail === undefined) return session;
  const book = session.replacing
    ? filledBook(view?.query ?? session.asked, source.zones, session)
    : session.book;
  const others = session.tails.filter((each) => each !== tail).map(({ report }) => report);
  const { rows, overtaken } = withLate(event.rows, overtakenTimes(tail.report, others, session.opened));
  const isPage = event.report.paging !== undefined;
  const parts = isPage ? { ...tail, pages: event.report } : { ...tail, live: event.report };
  const tails = session.tails.with(at, {
    ...parts,
    report: reportOfParts(session, parts),
    overtaken: tail.overtaken + overtaken,
    isAwaited: tail.isAwaited && event.report.reading.length > 0,
  });
  const report = mergedReport(tails.map(reportOf));
  const isShownAnyway = !isPage && tail.isAwaited && isEndless(session) && (view?.paused ?? false);
  if (isShownAnyway) book.thaw();
  book.append(rows, !isPage);
  book.setGaps(report?.gaps ?? []);
  if (isShownAnyway) book.freeze();
  return {
    ...session,
    book,
    tails,
    version: session.version + 1,
    report,
    opened: session.opened ?? readTo(event.report),
    replacing: false,
    told: book === session.book ? session.told : null,
  };
}

/** What the tail and the pages of a zone know together. */
export function reportOfParts(
  { from, paged }: LogSession,
  { live, pages }: Pick<ZoneTail, 'live' | 'pages'>,
): LogReport | null {
  if (live === null || from === null || !paged) return pages ?? live;
  return withPagesBeneath(live, pages, from);
}

/** What a tail adds to the report of all zones. */
export function reportOf(tail: ZoneTail): ZoneReport & { tail: ZoneTail } {
  return { zone: tail.zone.id, report: tail.report, overtaken: tail.overtaken, tail };
}

function withLate(
  rows: readonly ArrivedPart[],
  times: TimeRange | null,
): { rows: readonly ArrivedPart[]; overtaken: number } {
  if (times === null) return { rows, overtaken: 0 };
  let overtaken = 0;
  const isOvertaken = (time: number) => time >= times.from && time < times.to;
  const marked = rows.map((row): ArrivedPart => {
    if ('coded' in row) {
      const late = Uint8Array.from(row.coded.times, (time, at) => {
        if (row.late?.[at] === 1) return 1;
        overtaken += Number(isOvertaken(time));
        return Number(isOvertaken(time));
      });
      return { ...row, late };
    }
    if (row.late || !isOvertaken(row.record.timestamp)) return row;
    overtaken += 1;
    return { ...row, late: true };
  });
  return { rows: marked, overtaken };
}
