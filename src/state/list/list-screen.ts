import type { SheetLine } from '../../domain/handover/sheet.ts';
import type { LogBook } from '../../domain/logs/log-book.ts';
import type { TimeWindow } from '../../domain/query/query.ts';
import { shifted, zoomed } from '../../domain/shield/shield-window.ts';
import type { CommandId } from '../../keys/bindings.ts';
import { clamp, type ListPlace, type Sideways, withCursorShown } from '../list.ts';
import type { LogView, State, View } from '../model.ts';
import type { CellUnder, Noted, Under } from '../screen.ts';
import { listColumns, listHeight } from './screen-layout.ts';

/** What lists share whose lines are no part of a log. */
export const OF_LIST = {
  resized: <V extends ListPlace>(state: State, view: V): V => withCursorShown(view, listHeight(state)),
  about: () => null,
  coverage: () => [],
  moment: () => null,
  oldest: () => null,
  work: () => null,
  columns: null,
  search: null,
  same: () => null,
  requeried: null,
} as const;

/** The cell of a list whose values no query can ask for. */
export function listCell(text: string | null | undefined): CellUnder {
  return { text: text ?? null, asked: 'this list holds no values of a log' };
}

/** A line that is no part of a log. */
export function plainLine(line: SheetLine): Under {
  return { line, one: null, seen: null };
}

/** How a column of the list is scrolled; null where none is, or the columns have changed since. */
export function sidewaysOf(state: State, view: View, ids: () => readonly string[]): Sideways | null {
  const sideways = 'sideways' in view ? view.sideways : undefined;
  return sideways && sideways.among === columnsOf(state, view, ids()) ? sideways : null;
}

/** Identifies these columns: which they are, and the width of the terminal. */
export function columnsOf(state: State, view: View, ids: readonly string[]): string {
  return [listColumns(state), view.kind, ...ids].join(' ');
}

/** The items of the book on screen: `top` is the index of the first, `cursor` that of the one under the cursor. */
type LogWindow = { top: number; cursor: number; length: number };

/** At the live end the window hangs on the newest row, otherwise on the row under the cursor. */
export function logWindow(view: LogView, book: LogBook, height: number): LogWindow {
  const { length } = book;
  const highest = Math.max(0, length - height);
  if (!view.cursor) return { top: highest, cursor: length - 1, length };
  const cursor = clamp(book.indexOf(view.cursor), 0, Math.max(0, length - 1));
  // A lower window still shows the cursor, on its last row.
  const offset = Math.min(view.offset, height - 1);
  return { top: clamp(cursor - offset, 0, highest), cursor, length };
}

/** The newest rows at the live end; for a paused reader those around the row chosen. */
export function notedLog(state: State, view: LogView, most: number): Noted {
  const { session: flow } = state;
  if (!flow) return {};
  const { book } = flow;
  if (!view.paused) return { flow, from: Math.max(0, book.length - most), called: 'the newest' };
  return { flow, from: logWindow(view, book, listHeight(state)).cursor, called: 'from the cursor on' };
}

type MovedWindow = (window: TimeWindow | null, now: number, isStored?: boolean) => TimeWindow | null;

/** The window that a key moves to from another; null: none is further. */
export const MOVED_WINDOWS: Partial<Record<CommandId, MovedWindow>> = {
  earlier: (window, now, isStored) => shifted(window, -1, now, isStored),
  later: (window, now, isStored) => shifted(window, 1, now, isStored),
  zoomIn: (window, now, isStored) => zoomed(window, 'in', now, isStored),
  zoomOut: (window, now, isStored) => zoomed(window, 'out', now, isStored),
};
