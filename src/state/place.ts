import type { Failure } from '../domain/failure.ts';

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
