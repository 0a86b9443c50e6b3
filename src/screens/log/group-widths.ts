import { fieldTitle } from '../../domain/query/fields.ts';
import { isTaggable } from '../../state/group-tags.ts';
import { detailedHeight, listColumns } from '../../state/list/screen-layout.ts';
import { shownValue } from '../../state/log-zones.ts';
import type { GroupsView, State } from '../../state/model.ts';
import type { ColumnUnder } from '../../state/screen.ts';
import { isCountedHere } from '../../state/sessions/stored-groups.ts';
import { count } from '../../text/units.ts';
import { hasOtherDays } from './placed-columns.ts';

/** Cells of the longest profile; the column needs a wide screen, else the line of hints has the profile. */
export const TAG_CELLS = 8;
const TAGS_FROM = 100;
/** The widest key: figures stand no further away, and the lines under the list have the whole key. */
const KEY_MOST = 96;
/** Cells of a time with its date, to the minute. */
const DATED_CELLS = 11;

/**
 * The figures of a group in screen order, their cells, and the window width from which each is shown; errors always.
 */
const FIGURES = [
  { id: 'rows', cells: 9, from: 0 },
  { id: 'share', cells: 6, from: 60 },
  { id: 'bar', cells: 0, from: 60 },
  { id: 'bytes', cells: 6, from: 66 },
  { id: 'misses', cells: 6, from: 50 },
  { id: 'errors', cells: 6, from: 0 },
  { id: 'last', cells: 8, from: 60 },
] as const;

export type GroupFigure = (typeof FIGURES)[number]['id'];

/** Profiles come from rows in memory; groups that a store counted have none. */
export function hasTagColumn(view: GroupsView, columns: number): boolean {
  return columns >= TAGS_FROM && isTaggable(view.by) && isCountedHere(view);
}

/**
 * A truncated key looks like its neighbour: keys and titles get what they need, the bar what is left. The widest
 * place of the cursor counts, so that no column moves with it.
 */
export function groupWidths(
  state: State,
  view: GroupsView,
): { key: number; figures: ReadonlyMap<GroupFigure, number>; tag: number } {
  const columns = listColumns(state);
  const parts = Math.max(1, view.by.length);
  const tag = hasTagColumn(view, columns) ? TAG_CELLS + 1 : 0;
  const figures = new Map<GroupFigure, number>();
  for (const { id, cells, from } of FIGURES)
    if (columns >= from) figures.set(id, id === 'last' && hasOtherDays(state) ? DATED_CELLS : cells);
  const fixed = [...figures.values()].reduce((sum, cells) => sum + cells + 1, parts + tag);
  const left = Math.max(parts * 4, columns - fixed);
  const last = count(view.total);
  const titles = view.by.map(
    (field, part) => fieldTitle('logs', field) + (part === 0 ? ` ${last}/${last}` : ''),
  );
  const needed = Math.max(12, Math.min(KEY_MOST, view.shape.cells), ...titles.map((title) => title.length));
  const key = Math.max(4, Math.min(needed, Math.floor(left / parts)));
  const spare = left - key * parts;
  if (figures.has('bar')) figures.set('bar', spare >= 4 ? Math.min(24, spare) : 0);
  return { key, figures, tag };
}

export function groupColumnUnder(state: State, view: GroupsView): ColumnUnder {
  const id = view.by[view.column] ?? '';
  const groups = view.groups.slice(view.top, view.top + detailedHeight(state));
  const texts = groups.map(({ key }) => shownValue(state, id, key[id] ?? null));
  return { id, title: fieldTitle('logs', id).toUpperCase(), width: groupWidths(state, view).key, texts };
}
