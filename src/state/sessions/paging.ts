import { hasPages, isUnread } from '../../domain/logs/paged-log.ts';
import { splitForServer } from '../../domain/query/push-down.ts';
import { storedCommand } from '../../domain/storage/log-parts.ts';
import type { Gap, TimeRange } from '../../domain/tail/coverage.ts';
import { mergedReport } from '../../domain/tail/merged-report.ts';
import { listHeight } from '../list/screen-layout.ts';
import type { ZoneTail } from '../log-source.ts';
import type { Done, Step, Subscription } from '../messages.ts';
import { type LogSession, noticed, type State } from '../model.ts';
import { topOf } from '../view-stack.ts';
import { logWindow, READING_GAP } from './session.ts';
import { countTold, restFrom } from './stored-groups.ts';
import { PAUSED_CAPACITY, reportOf, reportOfParts } from './zone-tails.ts';

/** Rows of the first page, for which a reader waits, and of those behind it. */
const FIRST_ROWS = 500;
const ROWS = 5_000;

/** The next page is asked for when fewer screens of rows than this are left above the reader. */
const SCREENS_AHEAD = 2;

/** The pages that are wanted now. */
export function pageSubscriptions(state: State): Subscription[] {
  const { session } = state;
  if (session === null || !isReading(state)) return [];
  return session.tails.flatMap((tail): Subscription[] => {
    const { zone, filter, pages: before } = tail;
    const window = windowOf(session, tail);
    if (window === null || !isOpen(session, tail)) return [];
    const pages = before?.paging?.pages ?? 0;
    return [
      {
        kind: 'page',
        key: `page ${zone.id} ${session.generation} ${pages}`,
        generation: session.generation,
        zone,
        filter,
        terms: splitForServer(session.asked, zone).local,
        window,
        before,
        rows: pages === 0 ? FIRST_ROWS : ROWS,
      },
    ];
  });
}

/** Whether pages are being read: as far as somebody looks, and no further. */
export function isReading(state: State): boolean {
  const { session } = state;
  if (!session?.paged || session.paged.isStopped || isFull(session)) return false;
  if (!session.tails.some((tail) => isOpen(session, tail))) return false;
  const isFirst = session.to !== null && session.tails.some(({ pages }) => pages === null);
  return isFirst || isNearOldest(state, session) || isAddedTo(state, session);
}

/** Whether no more rows come, or none until somebody goes further back. */
export function hasEnded(state: State): boolean {
  const { session } = state;
  const isPaged = session?.paged != null && session.to !== null;
  return session?.report?.status === 'stopped' || (isPaged && !isReading(state));
}

/** Whether memory holds no more rows of it. */
export function isFull({ book }: LogSession): boolean {
  return book.evicted > 0 || book.size + ROWS > PAUSED_CAPACITY;
}

function isOpen(session: LogSession, tail: ZoneTail): boolean {
  const window = windowOf(session, tail);
  return window !== null && tail.pages?.failure == null && hasPages(window, tail.pages);
}

/** The time read by pages: a whole closed window, else what lies before the tail; null until that is known. */
function windowOf({ from, to }: LogSession, { live }: ZoneTail): TimeRange | null {
  const end = to ?? live?.origin ?? null;
  return from === null || end === null ? null : { from, to: end };
}

/** Whether a gap is of time that is read by pages. */
export function isOfPages(session: LogSession, { from, zone }: Gap): boolean {
  const own = session.tails.filter((tail) => zone === undefined || tail.zone.id === zone);
  return session.paged !== null && own.some((tail) => from < (windowOf(session, tail)?.to ?? from));
}

/** Groups of a store on screen, to which all rows behind the store's time are added. */
function isAddedTo(state: State, session: LogSession): boolean {
  const groups = topOf(state, 'groups');
  const told = groups && countTold(groups);
  const since = told && restFrom(session, told);
  const endOf = (tail: ZoneTail) => tail.pages?.paging?.to ?? windowOf(session, tail)?.to ?? 0;
  return since !== null && session.tails.some((tail) => isOpen(session, tail) && endOf(tail) > since);
}

function isNearOldest(state: State, { book }: LogSession): boolean {
  const view = topOf(state, 'log');
  // Rows that the filter has not tested yet may belong above the screen.
  if (!view || book.filtering !== null) return false;
  const height = listHeight(state);
  return logWindow(view, book, height).top < height * SCREENS_AHEAD;
}

/** Esc while a page is read: what was read stays, and is never called complete. Null = no page is being read. */
export function pagingStopped(state: State): State | null {
  const { session } = state;
  if (!session?.paged || !isReading(state)) return null;
  const next = { ...state, session: { ...session, paged: { ...session.paged, isStopped: true } } };
  return noticed(next, 'warning', 'stopped; Enter on what is not read yet goes on');
}

/** Goes on where reading was stopped or failed. */
export function resumedReading(state: State): State {
  const { session } = state;
  if (!session?.paged) return state;
  const tails = session.tails.map((tail) => {
    if (tail.pages?.failure == null) return tail;
    const parts = { ...tail, pages: { ...tail.pages, failure: null, status: 'live' as const } };
    return { ...parts, report: reportOfParts(session, parts) };
  });
  const report = mergedReport(tails.map(reportOf));
  return { ...state, session: { ...session, tails, report, paged: { ...session.paged, isStopped: false } } };
}

/** Reads the rows that a gap lacks. */
export function backfilled(state: State, gap: Gap): Done {
  const { session } = state;
  if (!session) return state;
  if (session.source.kind === 'files') {
    const text = 'this was missing when the log was saved: nothing here can read it';
    return noticed(state, 'info', text);
  }
  if (isOfPages(session, gap)) {
    // A failed gap has another reason than time nobody asked for, and may begin with the window, too.
    if (
      gap.from === session.from &&
      (isUnread(gap, true) || session.tails.some(({ pages }) => pages?.failure))
    )
      return noticed(resumedReading(state), 'info', 'reading on; Esc stops it');
  }
  const lost = lostWords(session, gap);
  if (lost !== null) return noticed(state, 'info', lost);
  if (isBeingRead(session, gap)) {
    return noticed(state, 'info', 'this is being read; Esc stops it');
  }
  const { from, to } = gap;
  const tails = session.tails.map((tail) => (isOf(gap, tail) ? { ...tail, isAwaited: true } : tail));
  const { generation } = session;
  return [
    noticed({ ...state, session: { ...session, tails } }, 'info', READING_GAP),
    tails
      .filter((tail) => isOf(gap, tail))
      .map(({ zone }) => ({ type: 'backfill', generation, zone: zone.id, range: { from, to } })),
  ];
}

/** Whether a gap is of time that only a store, or the platform's permanent storage, may have. */
export function isKeptNoMore(session: LogSession, gap: Gap): boolean {
  return (
    gap.reason === 'retention' ||
    (isOfPages(session, gap) && gap.reason === 'notRead' && !isUnread(gap, true))
  );
}

/** The command that loads the rows of such a gap into a store; null: none does. */
export function loadingCommand(session: LogSession, gap: Gap): string | null {
  if (!isKeptNoMore(session, gap)) return null;
  const zones = session.tails.filter((tail) => isOf(gap, tail)).map(({ zone }) => zone);
  return storedCommand(zones, gap);
}

/** Why a gap cannot be read here; null: it can. */
function lostWords(session: LogSession, gap: Gap): string | null {
  const command = loadingCommand(session, gap);
  if (command !== null) return `${command} loads it`;
  if (isOfPages(session, gap)) return 'the store does not have this, and the platform keeps it no more';
  return isKeptNoMore(session, gap) ? 'the platform keeps this no more' : null;
}

/** Whether a gap is being read on the user's order. */
export function isBeingRead({ tails }: LogSession, gap: Gap): boolean {
  return tails.some(
    (tail) =>
      isOf(gap, tail) && tail.report?.reading.some((asked) => asked.from < gap.to && gap.from < asked.to),
  );
}

/** A gap names its zone where there are several. */
function isOf(gap: Gap, { zone }: ZoneTail): boolean {
  return gap.zone === undefined || gap.zone === zone.id;
}

/** Stops reading gaps; null where none is being read. */
export function backfillStopped(state: State): Step | null {
  const { session } = state;
  const reading = session?.tails.filter(isBackfilling) ?? [];
  if (!session || reading.length === 0) return null;
  const text = 'stopped; what was read of the gap stays, and Enter on what is left of it goes on';
  const { generation } = session;
  const tails = session.tails.map((tail) => ({ ...tail, isAwaited: false }));
  return [
    noticed({ ...state, session: { ...session, tails } }, 'info', text),
    reading.map(({ zone }) => ({ type: 'stopBackfill', generation, zone: zone.id })),
  ];
}

/** Whether a gap is still being read on the user's order. */
function isBackfilling({ report }: ZoneTail): boolean {
  return report !== null && report.reading.length > 0 && report.status !== 'stopped';
}
