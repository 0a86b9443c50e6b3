import type { State } from '../state/model.ts';
import type { Area, Find, Strip } from './row.ts';
import type { Words } from './theme.ts';

type Line<V> = (state: State, view: V, strip: Strip) => string;

/** What a kind of view looks like. What most views leave empty is optional. */
export type Painting<V> = {
  /** The lines of the list, each within the area; or the fields of one thing, which Ink draws. */
  body: ((state: State, view: V, area: Area) => string[]) | { fields: (state: State, view: V) => FieldTable };
  /** Its crumb in the title; `index`: its place in the stack. */
  crumb: (state: State, view: V, index: number) => string;
  /** Its state, in a word or two at the end of the title. */
  badge: (state: State, view: V) => Words;
  /** The line under the title. */
  head: Line<V>;
  query?: Line<V>;
  /** The status line. */
  foot?: Line<V>;
  /** What stands before the hints in the last line: the place in a search, or a profile. */
  aside?: (state: State, view: V) => Words;
  /** The trouble that takes the last line; null: none. */
  trouble?: (state: State, view: V, columns: number) => string | null;
};

/** `names`: cells of the names; `gone`: why there is no field. A value may be shown as what it means, and stand `whole`. */
export type FieldTable = {
  fields: readonly { name: string; value: string; whole?: string }[];
  names: number;
  finds: readonly Find[];
  gone?: string;
};
