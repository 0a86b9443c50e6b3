import { inSteps } from '../../domain/logs/groups/group-shape.ts';
import { timeCells } from '../../domain/logs/pane-columns.ts';
import type { ShieldGroup } from '../../domain/shield/shield.ts';
import {
  placedShieldColumns,
  SHIELD_COLUMNS,
  type ShieldColumnId,
} from '../../domain/shield/shield-columns.ts';
import { listColumns } from '../../state/list/screen-layout.ts';
import { memoised } from '../../state/memoised.ts';
import type { State } from '../../state/model.ts';
import type { ShieldGroupsView, ShieldListView } from '../../state/shield-model.ts';
import { asksOtherDays } from './shield-ask.ts';

export const COUNT_CELLS = 8;
/** A title with the cursor's place among some thousand groups, and the word before what comes next. */
const TITLE_CELLS = 24;
/** A time with its date, to the minute. */
const DATED_CELLS = 11;

type Rules = NonNullable<State['shield']>['rules'] | undefined;

type PlacedShieldColumn = { id: ShieldColumnId; width: number };

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
  const room = Math.floor((columns - fixed) / parts) - 1;
  return { placed, key: Math.max(6, Math.min(room, keyCells(state, view))) };
}

/** Cells of the longest part of a key; at least those of the first title, which says what comes next. */
function keyCells(state: State, { table: { groups }, reading, query, isUnfolded }: ShieldGroupsView): number {
  const longest = longestPart(groups, { rules: state.shield?.rules, dims: reading.plan.dims });
  const rest = isUnfolded ? '' : query.groupBy.slice(1).join(', ');
  // In steps: pages of groups come one after another.
  return inSteps(Math.max(longest, TITLE_CELLS + rest.length));
}

const longestPart = memoised(
  (groups: readonly ShieldGroup[], { rules, dims }: { rules: Rules; dims: readonly string[] }) => {
    const textOf = (value: string, dimension: string) =>
      dimension === 'ruleId' ? ruleWords(rules, value) : value;
    const lengths = groups.flatMap(({ key }) => dims.map((name) => textOf(key[name] ?? '', name).length));
    return lengths.reduce((most, length) => Math.max(most, length), 0);
  },
);

export function shieldTimeCells(state: State, view: ShieldListView): number {
  return timeCells(listColumns(state), asksOtherDays(state, view));
}

/** A rule's id with its text where that is known, both untrusted. */
export function ruleText(state: State, id: string): string {
  return ruleWords(state.shield?.rules, id);
}

function ruleWords(rules: Rules, id: string): string {
  const text = rules?.get(id)?.description;
  return text ? `${id} ${text}` : id;
}

/** The columns of groups: their dimensions, and those that were chosen. */
export function groupColumns({ shield }: State, { reading }: ShieldGroupsView): readonly string[] {
  return [...reading.plan.dims, ...(shield?.columns ?? [])];
}
