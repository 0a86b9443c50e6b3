import type { State } from '../state/model.ts';
import { type Area, NO_ASIDE, type Strip } from './row.ts';
import type { Look, Words } from './theme.ts';

type Line<V> = (state: State, view: V, strip: Strip) => string;

/** What a view of a kind looks like. */
export type Painting<V> = {
  /** The lines of the list, each at most as wide as there is room for; null where Ink draws them (`INK_BODIES`). */
  body: ((state: State, view: V, area: Area) => string[]) | null;
  /** Its part of the way in the title; `index`: where it stands in the stack. */
  crumb: (state: State, view: V, index: number) => string;
  /** How it stands, in a word or two at the end of the title. */
  badge: (state: State, view: V) => Words;
  /** The line under the title. */
  head: Line<V>;
  query: Line<V>;
  /** The status line. */
  foot: Line<V>;
  /** What stands before the keys in the last line: where a search is, or what a group looks like. */
  aside: (state: State, view: V) => Words;
  /** What takes the last line, in so many columns, because it goes wrong; null: nothing does. */
  trouble: (state: State, view: V, columns: number) => string | null;
  /** Its rows as bare text, not sanitised yet. */
  plain: (state: State, view: V, look: Look) => string[];
};

/** What most views have no more of. */
export const PLAIN_PAINTING = { aside: () => NO_ASIDE, trouble: () => null, plain: () => [] } as const;

/** Lists that no query asks for. */
export const LIST_PAINTING = { ...PLAIN_PAINTING, query: () => '', foot: () => '' } as const;
