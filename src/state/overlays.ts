import { COLUMN_IDS, LOG_COLUMNS } from '../domain/logs/columns.ts';
import { LOG_FIELDS, logField } from '../domain/query/fields.ts';
import type { CommandId } from './commands.ts';
import type { HandoverOverlay } from './handover/handover-model.ts';
import { listHeight, requestsHeight } from './layout.ts';
import { moved, placed } from './list.ts';
import { openGroups } from './logs/groups.ts';
import { shownColumns } from './logs/log.ts';
import type { Overlay, State } from './model.ts';
import type { ShieldOverlay } from './shield/shield-model.ts';

/** What is asked first at night: which page misses or fails, then how. */
const FIRST_GROUPS: readonly string[] = ['page', 'status', 'cache'];

/** Fields that rows can be grouped by: the usual first questions, then the order of their table. */
export const GROUP_FIELDS: readonly string[] = [
  ...FIRST_GROUPS,
  ...Object.entries(LOG_FIELDS)
    .filter(([id, field]) => field.groups && !FIRST_GROUPS.includes(id))
    .map(([id]) => id),
];

export function openOverlay(state: State, command: CommandId): State | null {
  const place = { cursor: 0, top: 0 };
  switch (command) {
    case 'help':
      return { ...state, overlay: { kind: 'help', top: 0, find: '' } };
    case 'plainText':
      return { ...state, overlay: { kind: 'plain', text: null } };
    case 'requests': {
      const last = Math.max(0, state.requests.length - 1);
      const at = placed({ cursor: last, top: last }, last, state.requests.length, requestsHeight(state));
      return { ...state, overlay: { kind: 'requests', ...at } };
    }
    case 'chooseGroups':
      return { ...state, overlay: { kind: 'groupPick', chosen: [], ...place } };
    case 'chooseColumns':
      return { ...state, overlay: { kind: 'columnPick', chosen: shownColumns(state), ...place } };
    default:
      return null;
  }
}

/** What a command does while an overlay lies over the view; null = the view may have it. */
export function overlayCommanded(
  state: State,
  overlay: Exclude<Overlay, ShieldOverlay | HandoverOverlay>,
  command: CommandId,
): State | null {
  if (command === 'leave' || command === 'back') return { ...state, overlay: null };
  if (overlay.kind === 'palette' || overlay.kind === 'plain' || overlay.kind === 'help') return null;
  const length = {
    requests: state.requests.length,
    groupPick: GROUP_FIELDS.length,
    columnPick: COLUMN_IDS.length,
  }[overlay.kind];
  const height = overlay.kind === 'requests' ? requestsHeight(state) : listHeight(state);
  const at = moved(overlay, command, length, height, state.count);
  if (at) return { ...state, overlay: { ...overlay, ...at } };
  if (overlay.kind === 'groupPick') return groupPicked(state, overlay, command);
  if (overlay.kind === 'columnPick') return columnPicked(state, overlay, command);
  return null;
}

export function helpScrolled(state: State, top: number): State {
  const { overlay } = state;
  return overlay?.kind === 'help' ? { ...state, overlay: { ...overlay, top } } : state;
}

/** The title of a field in a list of choices. */
export function fieldTitle(field: string): string {
  return logField(field)?.title ?? field;
}

function groupPicked(
  state: State,
  overlay: Extract<Overlay, { kind: 'groupPick' }>,
  command: CommandId,
): State | null {
  const field = GROUP_FIELDS[overlay.cursor] ?? 'ip';
  if (command === 'pause')
    return { ...state, overlay: { ...overlay, chosen: toggled(overlay.chosen, field) } };
  if (command !== 'open') return null;
  return openGroups({ ...state, overlay: null }, overlay.chosen.length > 0 ? overlay.chosen : [field]);
}

function columnPicked(
  state: State,
  overlay: Extract<Overlay, { kind: 'columnPick' }>,
  command: CommandId,
): State | null {
  const column = COLUMN_IDS[overlay.cursor] ?? 'path';
  if (command === 'pause') {
    const chosen = toggled(overlay.chosen, column);
    return { ...state, overlay: { ...overlay, chosen: COLUMN_IDS.filter((id) => chosen.includes(id)) } };
  }
  if (command !== 'open') return null;
  if (overlay.chosen.length === 0) {
    return {
      ...state,
      notice: { tone: 'warning', text: `choose at least one column, such as ${LOG_COLUMNS.path.title}` },
    };
  }
  return { ...state, overlay: null, columns: overlay.chosen };
}

function toggled<T>(chosen: readonly T[], item: T): T[] {
  return chosen.includes(item) ? chosen.filter((each) => each !== item) : [...chosen, item];
}
