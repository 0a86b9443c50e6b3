import type { LogBook } from '../../domain/logs/log-book.ts';
import {
  type ColumnId,
  LOG_COLUMNS,
  type PlacedColumn,
  placeColumns,
} from '../../domain/logs/pane-columns.ts';
import { listColumns, listHeight } from '../../state/list/screen-layout.ts';
import { shownValue, zoneCells, zonesOfLog } from '../../state/log-zones.ts';
import { memoised } from '../../state/memoised.ts';
import type { LogView, State } from '../../state/model.ts';
import { clockZone } from '../../state/model.ts';
import type { ColumnUnder } from '../../state/screen.ts';
import { logWindow } from '../../state/sessions/rows-in-view.ts';
import { dayOf } from '../../text/units.ts';

/** The columns on screen now. */
export function shownColumns(state: State): ColumnId[] {
  return placedColumns(state).map((column) => column.id);
}

export const placedColumns = memoised((state: State): readonly PlacedColumn[] =>
  placeColumns(state.columns, listColumns(state), {
    isDated: hasOtherDays(state),
    zoneCells: zoneCells(state),
    hasAddresses: hasAddresses(state),
    ...(state.session ? { needs: state.session.book.needs } : {}),
  }),
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
export const hasOtherDays = memoised((state: State): boolean => {
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
