import type { State } from '../model.ts';
import { sessions } from './session.ts';

/** Evicts the oldest rows of the largest sessions until all fit: with long unique URLs the rows above are gigabytes. */
export function withinBytes(state: State): State {
  const books = sessions(state)
    .map(({ book }) => book)
    .sort((a, b) => b.bytes - a.bytes);
  let over = books.reduce((sum, book) => sum + book.bytes, -state.rowBytes);
  for (const book of books) {
    if (over <= 0) break;
    const before = book.bytes;
    book.evictDownTo(Math.max(before - over, state.rowBytes / books.length));
    over -= before - book.bytes;
  }
  return state;
}
