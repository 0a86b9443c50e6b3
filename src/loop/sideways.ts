import type { CommandId } from '../keys/bindings.ts';
import { stoppedToChoose } from '../screens/log/log.ts';
import { screenOf } from '../screens/screens.ts';
import { columnsOf, sidewaysOf } from '../state/list/sideways.ts';
import { noticed, type State } from '../state/model.ts';
import type { ColumnUnder } from '../state/screen.ts';
import { topView, withTop } from '../state/view-stack.ts';
import { width } from '../text/fit.ts';
import { sanitise } from '../text/sanitise.ts';

/** The column under the cursor half its width to the right, as far as its longest text on screen, or back. */
export function scrolledSideways(state: State, command: CommandId): State | null {
  const view = topView(state);
  const { columns } = screenOf(view);
  if (!columns) return null;
  const stopped = stoppedToChoose(state, 'the arrows choose the column, then the key again');
  if (stopped) return stopped;
  const column = columns.under(state, view);
  if (!column) return noticed(state, 'info', 'this column is not on screen; the arrows choose another');
  const { id, title } = column;
  const ids = columns.ids(state, view);
  const before = sidewaysOf(state, view, ids);
  const from = before?.column === id ? before.cells : 0;
  const half = Math.max(1, column.width >> 1);
  if (command === 'scrollLeft' && from === 0) return noticed(state, 'info', `${title} is at its beginning`);
  const to = command === 'scrollLeft' ? from - half : Math.min(from + half, lastCell(column, from + half));
  if (command !== 'scrollLeft' && to <= from) {
    const text = from === 0 ? `no ${title} on screen is cut` : `the longest ${title} on screen ends here`;
    return noticed(state, 'info', text);
  }
  const sideways = to > 0 ? { column: id, cells: to, among: columnsOf(state, view, ids) } : undefined;
  const scrolled = { ...view, sideways };
  return withTop(state, scrolled);
}

/** The cell from which the longest text fits, as far as it is looked at: a cell further than `from` does not matter. */
function lastCell({ width: room, texts }: ColumnUnder, from: number): number {
  const most = from + room;
  const longest = texts.reduce(
    (max, text) => Math.max(max, width(sanitise((text ?? '').slice(0, most), 'strict'))),
    0,
  );
  return longest - room;
}
