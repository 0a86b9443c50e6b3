import { oldestAsked } from '../../domain/kept.ts';
import { LogBook } from '../../domain/logs/log-book.ts';
import type { LogEvent } from '../../domain/logs/paged-log.ts';
import { splitForServer } from '../../domain/query/push-down.ts';
import type { Query } from '../../domain/query/query.ts';
import { withZoneIds } from '../../domain/query/zone-terms.ts';
import type { TimeRange } from '../../domain/tail/coverage.ts';
import { mergedReport, overtakenTimes, readTo, type ZoneReport } from '../../domain/tail/merged-report.ts';
import type { TailRow } from '../../domain/tail/tail-report.ts';
import { addressCutsOf, type PullZone, type Zones } from '../../domain/zone.ts';
import type { LogSession, LogView, State } from '../model.ts';
import type { ZoneTail } from './log-source.ts';
import { isEndless } from './log-zones.ts';

/** Rows kept of a log; at some 170 bytes a row this bounds the program's memory. */
export const BOOK_CAPACITY = 200_000;

/** Rows kept while the pane is paused, and of a window with an end: a reader's rows stay while this many arrive. */
export const PAUSED_CAPACITY = 800_000;

/** The tails that ask a query of zones: none has answered yet. Where logging is off there is nothing to ask. */
export function newTails(zones: readonly PullZone[], query: Query, isAwaited: boolean): ZoneTail[] {
  return zones
    .filter(({ logging }) => logging)
    .map((zone) => ({
      zone,
      filter: splitForServer(query, zone).server,
      report: null,
      overtaken: 0,
      isAwaited,
    }));
}

/** How a window is read: by pages where it has an end and begins before what the platform keeps, and a store has that. */
export function pagingOf(
  { history, now }: Pick<State, 'history' | 'now'>,
  { from, to }: Pick<LogSession, 'from' | 'to'>,
): LogSession['paged'] {
  if (history === null || from === null || to === null) return null;
  return from < oldestAsked(now, 'logs') ? { isStopped: false } : null;
}

/** An empty book for the answers to a query; `end`: of its window, null = it is followed. */
export function filledBook(query: Query, zones: Zones, end: number | null): LogBook {
  const capacity = end === null ? BOOK_CAPACITY : PAUSED_CAPACITY;
  const book = new LogBook({ capacity, frozenCapacity: PAUSED_CAPACITY });
  book.setFilter(withZoneIds(query.terms, zones), addressCutsOf(zones));
  return book;
}

/**
 * The session with what one of its zones told. Rows show at once, whatever the other zones do. The first answer to a changed
 * question begins a new book; the answers of the other zones join it.
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
    ? filledBook(view?.query ?? session.asked, source.zones, session.to)
    : session.book;
  const others = session.tails.filter((each) => each !== tail).map(({ report }) => report);
  const { rows, overtaken } = withLate(event.rows, overtakenTimes(tail.report, others, session.opened));
  const tails = session.tails.with(at, {
    ...tail,
    report: event.report,
    overtaken: tail.overtaken + overtaken,
    isAwaited: tail.isAwaited && event.report.reading.length > 0,
  });
  const report = mergedReport(tails.map(reportOf));
  const isShownAnyway = tail.isAwaited && isEndless(session) && (view?.paused ?? false);
  if (isShownAnyway) book.thaw();
  book.append(rows);
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

/** What a tail adds to the report of all. */
export function reportOf(tail: ZoneTail): ZoneReport & { tail: ZoneTail } {
  return { zone: tail.zone.id, report: tail.report, overtaken: tail.overtaken, tail };
}

function withLate(
  rows: readonly TailRow[],
  times: TimeRange | null,
): { rows: readonly TailRow[]; overtaken: number } {
  if (times === null) return { rows, overtaken: 0 };
  let overtaken = 0;
  const marked = rows.map((row) => {
    const { timestamp } = row.record;
    if (row.late || timestamp < times.from || timestamp >= times.to) return row;
    overtaken += 1;
    return { ...row, late: true };
  });
  return { rows: marked, overtaken };
}
