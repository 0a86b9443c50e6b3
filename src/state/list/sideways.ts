import { LOG_COLUMNS } from '../../domain/logs/pane-columns.ts';
import { placedRowColumns } from '../../domain/shield/shield-columns.ts';
import type { CommandId } from '../../keys/bindings.ts';
import { width } from '../../text/fit.ts';
import { sanitise } from '../../text/sanitise.ts';
import { groupWidths } from '../logs/group-widths.ts';
import { stoppedToChoose } from '../logs/log.ts';
import { logWindow } from '../logs/log-window.ts';
import { firstColumn, placedColumns } from '../logs/placed-columns.ts';
import { shownValue } from '../logs/zone-names.ts';
import { type GroupsView, type LogView, noticed, type State, type View } from '../model.ts';
import { shieldTop } from '../shield/shield-ask.ts';
import { dimensionUnder } from '../shield/shield-lists.ts';
import { isShieldList, type ShieldListView } from '../shield/shield-model.ts';
import { ruleText, shieldGroupWidths, shieldTimeCells } from '../shield/shield-widths.ts';
import { topView, withTop } from '../view-stack.ts';
import { detailedHeight, listColumns, listHeight } from './layout.ts';
import type { Sideways } from './list.ts';
import { PICKERS } from './pickers.ts';

/** A column of a list: its cells, and what it has in the rows on screen. */
type Column = { id: string; title: string; width: number; texts: readonly (string | null | undefined)[] };

type ScrolledView = LogView | GroupsView | ShieldListView;

/** How a column of the list is scrolled; null where none is, or the columns are others since. */
export function sidewaysOf(state: State, view: ScrolledView): Sideways | null {
  const { sideways } = view;
  return sideways && sideways.among === columnsOf(state, view) ? sideways : null;
}

/** The column under the cursor half its width to the right, as far as its longest text on screen, or back. */
export function scrolledSideways(state: State, command: CommandId): State | null {
  const view = topView(state);
  if ((command !== 'scrollRight' && command !== 'scrollLeft') || !isScrolled(view)) return null;
  const stopped = stoppedToChoose(state, 'h and l choose the column, then the key again');
  if (stopped) return stopped;
  const column = columnUnder(state, view);
  if (!column) return noticed(state, 'info', 'this column is not on screen; h and l choose another');
  const { id, title } = column;
  const before = sidewaysOf(state, view);
  const from = before?.column === id ? before.cells : 0;
  const half = Math.max(1, column.width >> 1);
  if (command === 'scrollLeft' && from === 0) return noticed(state, 'info', `${title} is at its beginning`);
  const to = command === 'scrollLeft' ? from - half : Math.min(from + half, lastCell(column, from + half));
  if (command === 'scrollRight' && to <= from) {
    const text = from === 0 ? `no ${title} on screen is cut` : `the longest ${title} on screen ends here`;
    return noticed(state, 'info', text);
  }
  const sideways = to > 0 ? { column: id, cells: to, among: columnsOf(state, view) } : undefined;
  return withTop(state, { ...view, sideways });
}

function isScrolled(view: View): view is ScrolledView {
  return view.kind === 'log' || view.kind === 'groups' || isShieldList(view);
}

/** The cell from which the longest text fits, as far as it is looked at: a cell further than `from` does not matter. */
function lastCell({ width: room, texts }: Column, from: number): number {
  const most = from + room;
  const longest = texts.reduce(
    (max, text) => Math.max(max, width(sanitise((text ?? '').slice(0, most), 'strict'))),
    0,
  );
  return longest - room;
}

function columnUnder(state: State, view: ScrolledView): Column | null {
  if (view.kind === 'log') return columnOfLog(state, view);
  if (view.kind !== 'groups') return columnOfShield(state, view);
  const id = view.by[view.column] ?? '';
  const groups = view.groups.slice(view.top, view.top + detailedHeight(state));
  const texts = groups.map(({ key }) => shownValue(state, id, key[id] ?? null));
  return { id, title: PICKERS.groupPick.label(id).toUpperCase(), width: groupWidths(state, view).key, texts };
}

function columnOfLog(state: State, view: LogView): Column | null {
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

function columnOfShield(state: State, view: ShieldListView): Column | null {
  const id = dimensionUnder(view) ?? '';
  const lines = view.kind === 'shieldGroups' ? view.table.groups : view.rows.shown;
  const top = shieldTop(state, view, lines.length);
  const texts = lines.slice(top, top + detailedHeight(state)).map((line) => {
    const value = 'key' in line ? line.key[id] : line.fields[id];
    return value && id === 'ruleId' && 'key' in line ? ruleText(state, value) : value;
  });
  if (view.kind === 'shieldGroups')
    return { id, title: id, width: shieldGroupWidths(state, view).key, texts };
  const placed = placedRowColumns(listColumns(state), shieldTimeCells(state, view));
  const column = placed.find(({ dimension }) => dimension === id);
  return column ? { id, title: column.title, width: column.width, texts } : null;
}

/** What tells these columns from others: which they are, and on how wide a terminal. */
function columnsOf(state: State, view: ScrolledView): string {
  const columns = listColumns(state);
  const ids =
    view.kind === 'log'
      ? placedColumns(state).map(({ id }) => id)
      : view.kind === 'groups'
        ? view.by
        : view.kind === 'shieldGroups'
          ? [...view.reading.plan.dims, ...(state.shield?.columns ?? [])]
          : [];
  return [columns, view.kind, ...ids].join(' ');
}
