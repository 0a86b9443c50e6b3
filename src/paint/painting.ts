import type { State } from '../state/model.ts';
import { type Area, NO_ASIDE, type Strip } from './row.ts';
import type { Look, Words } from './theme.ts';

type Line<V> = (state: State, view: V, strip: Strip) => string;

/** What a kind of view looks like. */
export type Painting<V> = {
  /** The lines of the list, each within the area; null where Ink draws them (`INK_BODIES`). */
  body: ((state: State, view: V, area: Area) => string[]) | null;
  /** Its crumb in the title; `index`: its place in the stack. */
  crumb: (state: State, view: V, index: number) => string;
  /** Its state, in a word or two at the end of the title. */
  badge: (state: State, view: V) => Words;
  /** The line under the title. */
  head: Line<V>;
  query: Line<V>;
  /** The status line. */
  foot: Line<V>;
  /** What stands before the hints in the last line: the place in a search, or a profile. */
  aside: (state: State, view: V) => Words;
  /** The trouble that takes the last line; null: none. */
  trouble: (state: State, view: V, columns: number) => string | null;
  /** Its rows as bare text, not sanitised. */
  plain: (state: State, view: V, look: Look) => string[];
};

/** What most views leave empty. */
export const PLAIN_PAINTING = { aside: () => NO_ASIDE, trouble: () => null, plain: () => [] } as const;

/** For lists without a query. */
export const LIST_PAINTING = { ...PLAIN_PAINTING, query: () => '', foot: () => '' } as const;
