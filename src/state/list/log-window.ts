import type { LogBook } from '../../domain/logs/log-book.ts';
import { clamp } from '../list.ts';
import type { LogView, State } from '../model.ts';
import type { Noted } from '../screen.ts';
import { listHeight } from './layout.ts';

/** Which items of the book are on screen: `top` is the index of the first, `cursor` of the one under the cursor. */
type LogWindow = { top: number; cursor: number; length: number };

/** At the live end the window hangs on the newest row; else it hangs on the row under the cursor. */
export function logWindow(view: LogView, book: LogBook, height: number): LogWindow {
  const { length } = book;
  const highest = Math.max(0, length - height);
  if (!view.cursor) return { top: highest, cursor: length - 1, length };
  const cursor = clamp(book.indexOf(view.cursor), 0, Math.max(0, length - 1));
  // A window that became smaller still shows the cursor, on its last row.
  const offset = Math.min(view.offset, height - 1);
  return { top: clamp(cursor - offset, 0, highest), cursor, length };
}

/** At the live end the newest rows matter; a paused reader stands on the row that he wants. */
export function notedLog(state: State, view: LogView, most: number): Noted {
  const { session: flow } = state;
  if (!flow) return {};
  const { book } = flow;
  if (!view.paused) return { flow, from: Math.max(0, book.length - most), called: 'the newest' };
  return { flow, from: logWindow(view, book, listHeight(state)).cursor, called: 'from the cursor on' };
}
