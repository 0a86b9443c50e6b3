import type { Failure } from '../domain/failure.ts';
import type { CommandId } from '../keys/bindings.ts';

/** Cursor and first visible row of a windowed list. */
export type ListPlace = { cursor: number; top: number };

/** A column scrolled sideways by so many cells, as long as the columns are those it was scrolled among (`among`). */
export type Sideways = { column: string; cells: number; among: string };

/** How far a list is read; each state is drawn by its own name. */
export type Loading =
  | { kind: 'idle' }
  | { kind: 'loading'; since: number }
  | { kind: 'failed'; failure: Failure };

/** A list that the server delivers in pages. */
export type PagedList<T> = {
  /** Numbers the requests for it, so that an answer to an older question is dropped. */
  request: number;
  items: readonly T[];
  total: number | null;
  /** The next page to ask for; null = the last page is here. */
  nextPage: number | null;
  loading: Loading;
};

export const NO_LIST = {
  request: 0,
  items: [],
  total: null,
  nextPage: 1,
  loading: { kind: 'idle' },
} as const;

/**
 * The place after a command moves the cursor over `length` rows, `height` of them visible; null where it moves
 * nothing.
 */
export function moved(
  place: ListPlace,
  command: CommandId,
  length: number,
  height: number,
): ListPlace | null {
  const cursor = rowAfter(place.cursor, command, length, height);
  if (cursor === null) return null;
  const isPage = command === 'pageDown' || command === 'pageUp';
  return isPage ? followed(place, cursor, length, height) : placed(place, cursor, length, height);
}

/** The row that a command leads to from `at`, perhaps beyond an end; null = none. */
function rowAfter(at: number, command: CommandId, length: number, height: number): number | null {
  const page = Math.max(1, height - 1);
  switch (command) {
    case 'down':
      return at + 1;
    case 'up':
      return at - 1;
    case 'pageDown':
      return at + page;
    case 'pageUp':
      return at - page;
    case 'first':
      return 0;
    case 'last':
      return length - 1;
    default:
      return null;
  }
}

/** The place with its cursor at `cursor`, scrolled as little as shows it. */
export function placed(place: ListPlace, cursor: number, length: number, height: number): ListPlace {
  const at = clamp(cursor, 0, Math.max(0, length - 1));
  const highest = Math.max(0, length - height);
  const top = clamp(clamp(place.top, at - height + 1, at), 0, highest);
  return { cursor: at, top };
}

/** The cursor stays on its line wherever that moved, at the same screen row. */
export function followed(place: ListPlace, cursor: number, length: number, height: number): ListPlace {
  return placed({ ...place, top: place.top + cursor - place.cursor }, cursor, length, height);
}

/** The first visible of `length` lines that scroll without a cursor; null when the command does not move. */
export function scrolled(top: number, command: CommandId, length: number, height: number): number | null {
  const most = Math.max(0, length - height);
  const next = rowAfter(clamp(top, 0, most), command, most + 1, height);
  return next === null ? null : clamp(next, 0, most);
}

/** The place scrolled down just far enough to show its cursor in a lower window of `height` rows. */
export function withCursorShown<P extends ListPlace>(place: P, height: number): P {
  const top = Math.max(place.top, place.cursor - height + 1);
  return top === place.top ? place : { ...place, top };
}

export function clamp(n: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, n));
}
