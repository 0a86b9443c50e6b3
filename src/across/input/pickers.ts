import { COLUMN_IDS, type ColumnId, LOG_COLUMNS } from '../../domain/logs/pane-columns.ts';
import { fieldTitle, LOG_FIELDS, SHIELD_FIELDS } from '../../domain/query/fields.ts';
import type { QuerySubject } from '../../domain/query/query.ts';
import {
  placedShieldColumns,
  SHIELD_COLUMN_IDS,
  SHIELD_COLUMNS,
  type ShieldColumnId,
} from '../../domain/shield/shield-columns.ts';
import type { CommandId } from '../../keys/bindings.ts';
import { openGroups } from '../../screens/log/group-commands.ts';
import { shownColumns } from '../../screens/log/placed-columns.ts';
import { requeried, topShield } from '../../screens/shield/shield-ask.ts';
import { listHeight } from '../../state/list/screen-layout.ts';
import { moved } from '../../state/list.ts';
import { promptSubject } from '../../state/log-zones.ts';
import { noticed, type Picker, type PickKind, type State } from '../../state/model.ts';

/** The groups a responder needs first: which page misses or fails, then how. */
const FIRST_GROUPS: readonly string[] = ['page', 'status', 'cache'];

/** Fields to group rows by: those needed first, then the order of their table. */
export const GROUP_FIELDS: readonly string[] = [
  ...FIRST_GROUPS,
  ...Object.entries(LOG_FIELDS)
    .filter(([id, field]) => field.groups && !FIRST_GROUPS.includes(id))
    .map(([id]) => id),
];

/** Stands among the dimensions, but means single events. */
const EVENTS = 'events';

type Choice = {
  ids: readonly string[];
  /** What stands in a line, and behind it. */
  label: (id: string) => string;
  help?: (id: string) => string;
  take: (state: State, chosen: readonly string[]) => State;
};

/** Lists to choose several from, in each of the two logs. */
export const PICKERS: Record<PickKind, Record<QuerySubject, Choice>> = {
  groupPick: {
    logs: { ids: GROUP_FIELDS, label: (id) => fieldTitle('logs', id), take: openGroups },
    shield: {
      ids: [...Object.keys(SHIELD_FIELDS), EVENTS],
      label: (id) => fieldTitle('shield', id),
      help: (id) => (id === EVENTS ? 'each for itself, in no group' : ''),
      take: (state, chosen) => regrouped(state, chosen.includes(EVENTS) ? [] : chosen),
    },
  },
  columnPick: {
    logs: {
      ids: COLUMN_IDS,
      label: (id) => LOG_COLUMNS[id as ColumnId].title,
      help: (id) => LOG_COLUMNS[id as ColumnId].help,
      take: (state, chosen) => ({ ...state, columns: chosen as ColumnId[] }),
    },
    shield: {
      ids: SHIELD_COLUMN_IDS,
      label: (id) => SHIELD_COLUMNS[id as ShieldColumnId].title || 'bar',
      help: (id) => SHIELD_COLUMNS[id as ShieldColumnId].help,
      take: (state, chosen) =>
        state.shield ? { ...state, shield: { ...state.shield, columns: chosen as ShieldColumnId[] } } : state,
    },
  },
};

/** Whether the order of choosing counts, and Enter alone takes the line under the cursor; and what the keys do. */
export const PICKING: Record<PickKind, { isOrdered: boolean; keys: string }> = {
  groupPick: { isOrdered: true, keys: 'Space chooses in order, Enter groups, / narrows, Esc leaves' },
  columnPick: {
    isOrdered: false,
    keys: 'Space chooses, Enter shows them, / narrows, Esc leaves it as it was',
  },
};

export function isPicker(overlay: State['overlay']): overlay is Picker {
  return overlay !== null && Object.hasOwn(PICKERS, overlay.kind);
}

/** Opens the list of a command; null where this view has none. */
export function openPicker(state: State, command: CommandId): State | null {
  const subject = promptSubject(state);
  const opened = (kind: PickKind, chosen: readonly string[]): State => ({
    ...state,
    overlay: { kind, subject, chosen, find: '', cursor: 0, top: 0 },
  });
  if (command === 'chooseGroups') return opened('groupPick', []);
  if (command !== 'chooseColumns') return null;
  return subject === 'shield'
    ? opened('columnPick', placedShieldColumns(state.shield?.columns ?? null, state.size.columns))
    : opened('columnPick', shownColumns(state));
}

/** The items shown: those with the text that narrows the list. */
export function pickerItems({ kind, subject, find }: Picker): readonly string[] {
  const { ids, label, help = () => '' } = PICKERS[kind][subject];
  const wanted = find.toLowerCase();
  return ids.filter((id) => `${id} ${label(id)} ${help(id)}`.toLowerCase().includes(wanted));
}

/** What a command does in such a list; null = nothing. */
export function pickerCommanded(state: State, picker: Picker, command: CommandId): State | null {
  const { ids, take } = PICKERS[picker.kind][picker.subject];
  const { isOrdered } = PICKING[picker.kind];
  const items = pickerItems(picker);
  const at = moved(picker, command, items.length, listHeight(state));
  if (at) return { ...state, overlay: { ...picker, ...at } };
  const closed: State = { ...state, overlay: null };
  const item = items[picker.cursor];
  if (command === 'pause' && item !== undefined) {
    const others = picker.chosen.filter((each) => each !== item);
    const chosen = others.length < picker.chosen.length ? others : [...others, item];
    return {
      ...state,
      overlay: { ...picker, chosen: isOrdered ? chosen : ids.filter((id) => chosen.includes(id)) },
    };
  }
  if (command !== 'open') return null;
  const chosen = picker.chosen.length === 0 && isOrdered && item !== undefined ? [item] : picker.chosen;
  if (chosen.length > 0) return take(closed, chosen);
  return noticed(state, 'warning', isOrdered ? 'nothing is chosen' : 'choose at least one column');
}

/** The Shield view on top, grouped by these dimensions; without any it shows single events. */
function regrouped(state: State, groupBy: readonly string[]): State {
  const view = topShield(state);
  return view ? requeried(state, { ...view.query, groupBy }) : state;
}
