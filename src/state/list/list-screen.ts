import type { SheetLine } from '../../domain/handover/sheet.ts';
import type { Sideways } from '../list.ts';
import type { State, View } from '../model.ts';
import type { CellUnder, Under } from '../screen.ts';
import { listColumns } from './screen-layout.ts';

/** What lists share whose lines are no part of a log. */
export const OF_LIST = {
  about: () => null,
  coverage: () => [],
  moment: () => null,
  oldest: () => null,
  work: () => null,
  columns: null,
  search: null,
  requeried: null,
} as const;

/** What a list is sorted by, and whether it begins with the least. */
export type Order<S> = { sort: S; reversed: boolean };

/** The orders of a list that keys turn over; the next one begins the usual way round. */
export function orderBy<V, S>(
  sorts: readonly S[],
  of: (state: State, view: V) => Order<S>,
  sorted: (state: State, view: V, order: Order<S>) => State,
) {
  return {
    next(state: State, view: V): State {
      const at = sorts.indexOf(of(state, view).sort) + 1;
      return sorted(state, view, { sort: sorts[at % sorts.length] as S, reversed: false });
    },
    reversed(state: State, view: V): State {
      const { sort, reversed } = of(state, view);
      return sorted(state, view, { sort, reversed: !reversed });
    },
  };
}

/** The cell of a list whose values no query can ask for. */
export function listCell(text: string | null | undefined): CellUnder {
  return { text: text ?? null, asked: 'this list holds no values of a log' };
}

/** A line that is no part of a log. */
export function plainLine(line: SheetLine): Under {
  return { line, one: null, seen: null };
}

/** How a column of the list is scrolled; null where none is, or the columns have changed since. */
export function sidewaysOf(state: State, view: View, ids: () => readonly string[]): Sideways | null {
  const sideways = 'sideways' in view ? view.sideways : undefined;
  return sideways && sideways.among === columnsOf(state, view, ids()) ? sideways : null;
}

/** Identifies these columns: which they are, and the width of the terminal. */
export function columnsOf(state: State, view: View, ids: readonly string[]): string {
  return [listColumns(state), view.kind, ...ids].join(' ');
}
