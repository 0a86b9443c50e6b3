import type { Failure } from '../../domain/failure.ts';

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
