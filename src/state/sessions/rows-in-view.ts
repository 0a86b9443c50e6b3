import type { LogBook } from '../../domain/logs/log-book.ts';
import { clamp } from '../list.ts';
import type { LogView } from '../model.ts';

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
