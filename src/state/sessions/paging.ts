import { hasPages } from '../../domain/logs/paged-log.ts';
import { splitForServer } from '../../domain/query/push-down.ts';
import type { Gap, TimeRange } from '../../domain/tail/coverage.ts';
import { mergedReport } from '../../domain/tail/merged-report.ts';
import { listHeight } from '../list/screen-layout.ts';
import type { ZoneTail } from '../log-source.ts';
import type { Subscription } from '../messages.ts';
import { type LogSession, noticed, type State } from '../model.ts';
import { topOf } from '../view-stack.ts';
import { logWindow } from './rows-in-view.ts';
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
