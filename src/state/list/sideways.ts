import type { Sideways } from '../list.ts';
import type { State, View } from '../model.ts';
import { listColumns } from './layout.ts';

/** How a column of the list is scrolled; null where none is, or the columns are others since. `ids`: those that the view has. */
export function sidewaysOf(state: State, view: View, ids: readonly string[]): Sideways | null {
  const sideways = 'sideways' in view ? view.sideways : undefined;
  return sideways && sideways.among === columnsOf(state, view, ids) ? sideways : null;
}

/** What tells these columns from others: which they are, and on how wide a terminal. */
export function columnsOf(state: State, view: View, ids: readonly string[]): string {
  return [listColumns(state), view.kind, ...ids].join(' ');
}
