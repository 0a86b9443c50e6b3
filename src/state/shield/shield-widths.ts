import { timeCells } from '../../domain/logs/pane-columns.ts';
import {
  placedShieldColumns,
  SHIELD_COLUMNS,
  type ShieldColumnId,
} from '../../domain/shield/shield-columns.ts';
import { listColumns } from '../list/layout.ts';
import type { State } from '../model.ts';
import { asksOtherDays } from './shield-ask.ts';
import type { ShieldGroupsView, ShieldListView } from './shield-model.ts';

export const COUNT_CELLS = 8;
/** A time with its date, to the minute. */
const DATED_CELLS = 11;

export type PlacedShieldColumn = { id: ShieldColumnId; width: number };

/** The columns of groups with their cells, and the cells of each part of the key. */
export function shieldGroupWidths(
  state: State,
  view: ShieldGroupsView,
): { placed: readonly PlacedShieldColumn[]; key: number } {
  const { columns } = state.size;
  const isDated = asksOtherDays(state, view);
  const placed = placedShieldColumns(state.shield?.columns ?? null, columns).map((id) => ({
    id,
    width: isDated && (id === 'first' || id === 'last') ? DATED_CELLS : SHIELD_COLUMNS[id].width,
  }));
  const fixed = placed.reduce((sum, { width }) => sum + width + 1, 1 + COUNT_CELLS);
  const parts = Math.max(1, view.reading.plan.dims.length);
  return { placed, key: Math.max(6, Math.floor((columns - fixed) / parts) - 1) };
}

export function shieldTimeCells(state: State, view: ShieldListView): number {
  return timeCells(listColumns(state), asksOtherDays(state, view));
}

/** A rule's id with its text where that is known, as they came. */
export function ruleText(state: State, id: string): string {
  const text = state.shield?.rules?.get(id)?.description;
  return text ? `${id} ${text}` : id;
}
