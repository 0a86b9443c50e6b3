import type { LogBook } from '../../domain/logs/log-book.ts';
import {
  type ColumnId,
  LOG_COLUMNS,
  type PlacedColumn,
  placeColumns,
} from '../../domain/logs/pane-columns.ts';
import { fieldTitle } from '../../domain/query/fields.ts';
import { isTaggable } from '../../state/group-tags.ts';
import { detailedHeight, listColumns, listHeight } from '../../state/list/screen-layout.ts';
import { shownValue, zoneCells, zonesOfLog } from '../../state/log-zones.ts';
import { memoised } from '../../state/memoised.ts';
import { clockZone, type GroupsView, type LogView, type State } from '../../state/model.ts';
import type { ColumnUnder } from '../../state/screen.ts';
import { logWindow } from '../../state/sessions/session.ts';
import { isCountedHere } from '../../state/sessions/stored-groups.ts';
import { count, dayOf } from '../../text/units.ts';

/** The columns on screen now. */
export function shownColumns(state: State): ColumnId[] {
  return placedColumns(state).map((column) => column.id);
}

/** The columns with their places; the same array until one moves. */
export function placedColumns(state: State): readonly PlacedColumn[] {
  return placed(state.session?.book ?? NO_BOOK, {
    chosen: state.columns,
    columns: listColumns(state),
    isDated: hasOtherDays(state),
    zoneCells: zoneCells(state),
    hasAddresses: hasAddresses(state),
    needs: state.session?.book.needs,
  });
}

const NO_BOOK = {};

type Placing = Parameters<typeof placeColumns>[2] & {
  chosen: State['columns'];
  columns: number;
};

const placed = memoised((_: object, { chosen, columns, ...contents }: Placing) =>
  placeColumns(chosen, columns, contents),
);

/** False where no zone of the log keeps addresses, and no row has one from before. */
export function hasAddresses({ session }: State): boolean {
  if (session === null || session.book.needs.address.longest > 0) return true;
  const zones = zonesOfLog(session);
  return zones.length === 0 || zones.some(({ anonymisation }) => anonymisation !== 'drop');
}

/** Items at an end of the log among which a row is looked for, past the gaps. */
const END = 8;

/**
 * True when the log has a row of another day than today, or was asked for one. The whole log counts, not the screen,
 * so that no column moves while it scrolls.
 */
const hasOtherDays = memoised((state: State): boolean => {
  const { session, now } = state;
  if (!session) return false;
  const { book, from, to } = session;
  const zone = clockZone(state);
  const today = dayOf(now, zone);
  const ends = [from, to === null ? null : to - 1, timeAt(book, 0, 1), timeAt(book, book.length - 1, -1)];
  return ends.some((time) => time !== null && dayOf(time, zone) !== today);
});

function timeAt(book: LogBook, at: number, step: 1 | -1): number | null {
  for (let index = at; Math.abs(index - at) < END; index += step) {
    const item = index < 0 ? null : book.at(index);
    if (item === null) return null;
    if (item.kind === 'row') return book.timeOf(item.id);
  }
  return null;
}

export function firstColumn(state: State): ColumnId {
  const shown = shownColumns(state);
  return shown.find((id) => id === 'cache') ?? shown[0] ?? 'path';
}

export function logColumnUnder(state: State, view: LogView): ColumnUnder | null {
  const id = view.column ?? firstColumn(state);
  const placed = placedColumns(state).find((each) => each.id === id);
  if (!placed || !state.session) return null;
  const { title, field, value } = LOG_COLUMNS[id];
  const { book } = state.session;
  const { top } = logWindow(view, book, listHeight(state));
  // These are written otherwise than they came, in as many cells as they need.
  const isShort = id === 'time' || id === 'cache' || id === 'status' || id === 'bytes';
  const items = isShort ? [] : [...book.items(top, top + listHeight(state))];
  const texts = items.map((item) =>
    item.kind === 'row' ? shownValue(state, field, value(book.record(item.id))) : null,
  );
  return { id, title, width: placed.width, texts };
}

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
