import type { Failure } from '../../domain/failure.ts';
import type { CommandId } from '../../keys/bindings.ts';

/** Cursor and first visible row of a windowed list. */
export type ListPlace = { cursor: number; top: number };

/**
 * A column whose texts are scrolled sideways, by so many cells, as long as the columns are those they were then
 * (`among`).
 */
export type Sideways = { column: string; cells: number; among: string };

/** How a list stands with the server; each state is drawn by its own name. */
export type Loading =
  | { kind: 'idle' }
  | { kind: 'loading'; since: number }
  | { kind: 'failed'; failure: Failure };

/** A list that the server gives page by page. */
export type PagedList<T> = {
  items: readonly T[];
  total: number | null;
  /** The next page to ask for; null = the last one is here. */
  nextPage: number | null;
  loading: Loading;
};

export const NO_LIST = { items: [], total: null, nextPage: 1, loading: { kind: 'idle' } } as const;

/**
 * The cursor moved by a command over `length` rows, `height` of them visible; null when the command does not move. A
 * `count` is so many rows or pages, or the row to go to.
 */
export function moved(
  place: ListPlace,
  command: CommandId,
  length: number,
  height: number,
  count: number | null = null,
): ListPlace | null {
  const times = timesOf(count);
  const page = Math.max(1, height - 1) * times;
  switch (command) {
    case 'down':
      return placed(place, place.cursor + times, length, height);
    case 'up':
      return placed(place, place.cursor - times, length, height);
    case 'pageDown':
      return placed({ ...place, top: place.top + page }, place.cursor + page, length, height);
    case 'pageUp':
      return placed({ ...place, top: place.top - page }, place.cursor - page, length, height);
    case 'first':
      return placed(place, times - 1, length, height);
    case 'last':
      return placed(place, (count || length) - 1, length, height);
    default:
      return null;
  }
}

/** How often a key acts that takes a count; 0 is none, as in less. */
export function timesOf(count: number | null): number {
  return count || 1;
}

/** The place with its cursor at `cursor`, scrolled as little as shows it. */
export function placed(place: ListPlace, cursor: number, length: number, height: number): ListPlace {
  const at = clamp(cursor, 0, Math.max(0, length - 1));
  const highest = Math.max(0, length - height);
  const top = clamp(clamp(place.top, at - height + 1, at), 0, highest);
  return { cursor: at, top };
}

/** The cursor on its line wherever that went, at the same place of the screen. */
export function followed(place: ListPlace, cursor: number, length: number, height: number): ListPlace {
  return placed({ ...place, top: place.top + cursor - place.cursor }, cursor, length, height);
}

/** The first visible of `length` lines that scroll without a cursor; null when the command does not move. */
export function scrolled(
  top: number,
  command: CommandId,
  length: number,
  height: number,
  count: number | null,
): number | null {
  const most = Math.max(0, length - height);
  const from = clamp(top, 0, most);
  // One line is visible: the cursor is the first line, and the last that it may be on is `most`.
  const page = Math.max(1, height - 1);
  const isPage = command === 'pageDown' || command === 'pageUp';
  const times = isPage ? page * timesOf(count) : count;
  const order = command === 'pageDown' ? 'down' : command === 'pageUp' ? 'up' : command;
  return moved({ cursor: from, top: from }, order, most + 1, 1, times)?.top ?? null;
}

/** The place scrolled down as far as shows its cursor in a window of `height` rows that became smaller. */
export function withCursorShown<P extends ListPlace>(place: P, height: number): P {
  const top = Math.max(place.top, place.cursor - height + 1);
  return top === place.top ? place : { ...place, top };
}

export function clamp(n: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, n));
}
