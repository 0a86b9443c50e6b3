import { hasPages } from '../../domain/logs/paged-log.ts';
import { splitForServer } from '../../domain/query/push-down.ts';
import { mergedReport } from '../../domain/tail/merged-report.ts';
import { listHeight } from '../list/layout.ts';
import type { Subscription } from '../messages.ts';
import { type LogSession, type State, topView } from '../model.ts';
import type { ZoneTail } from './log-source.ts';
import { logWindow } from './log-window.ts';
import { PAUSED_CAPACITY, reportOf } from './zone-tails.ts';

/** Rows of the first page, which a reader waits for, and of those behind it. */
const FIRST_ROWS = 500;
const ROWS = 5_000;

/** The next page is asked for where fewer screens of rows than this stand above the one that is read. */
const SCREENS_AHEAD = 2;

/** The pages that are wanted now. */
export function pageSubscriptions(state: State): Subscription[] {
  const { session } = state;
  if (session === null || !isReading(state)) return [];
  const { from, to } = session;
  if (from === null || to === null) return [];
  const window = { from, to };
  return session.tails.flatMap((tail): Subscription[] => {
    const { zone, filter, report } = tail;
    if (!isOpen(session, tail)) return [];
    const pages = report?.paging?.pages ?? 0;
    return [
      {
        kind: 'page',
        key: `page ${zone.id} ${session.generation} ${pages}`,
        generation: session.generation,
        zone,
        filter,
        terms: splitForServer(session.asked, zone).local,
        window,
        before: report,
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
  return session.tails.some(({ report }) => report === null) || isNearOldest(state, session);
}

/** Whether memory holds no more rows of it. */
export function isFull({ book }: LogSession): boolean {
  return book.evicted > 0 || book.size + ROWS > PAUSED_CAPACITY;
}

function isOpen({ from, to }: LogSession, { report }: ZoneTail): boolean {
  return from !== null && to !== null && report?.failure == null && hasPages({ from, to }, report);
}

function isNearOldest(state: State, { book }: LogSession): boolean {
  const view = topView(state);
  // What the filter has not told yet may be above the screen.
  if (view.kind !== 'log' || book.filtering !== null) return false;
  const height = listHeight(state);
  return logWindow(view, book, height).top < height * SCREENS_AHEAD;
}

/** Esc while a page is read: what was read stays, and is never called complete. Null = none is being read. */
export function pagingStopped(state: State): State | null {
  const { session } = state;
  if (session === null || !isReading(state)) return null;
  return {
    ...state,
    session: { ...session, paged: { ...session.paged, isStopped: true } },
    notice: { tone: 'warning', text: 'stopped; Enter on what is not read yet goes on' },
  };
}

/** Reads on where it was stopped, or failed. */
export function readOn(state: State): State {
  const { session } = state;
  if (!session?.paged) return state;
  const tails = session.tails.map((tail) =>
    tail.report?.failure == null
      ? tail
      : { ...tail, report: { ...tail.report, failure: null, status: 'live' as const } },
  );
  const report = mergedReport(tails.map(reportOf));
  return { ...state, session: { ...session, tails, report, paged: { ...session.paged, isStopped: false } } };
}
