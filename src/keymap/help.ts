import { BINDINGS, type Binding, COMMANDS, type CommandId } from '../keys/bindings.ts';
import type { KeyScope } from '../keys/places.ts';
import { listHeight } from '../state/list/layout.ts';
import { scrolled } from '../state/list/list.ts';
import type { State } from '../state/model.ts';
import { wrapText } from '../text/fit.ts';
import { viewPlace } from './conditions.ts';
import { usageOf } from './line-words.ts';

type HelpRow = { command: CommandId; keys: string; does: string; group: Binding['group'] };

/** The help as it is read: the keys under the name of their group, the groups apart; what they do goes on where it is long. */
export type HelpLine =
  | { kind: 'blank' }
  | { kind: 'group'; group: Binding['group'] }
  | { kind: 'key'; keys: string; does: string };

/** Cells of the keys, and of the blanks on either side of them. */
export const HELP_CELLS = { keys: 14, around: 2 };

/** Every key and every word of the command line that acts in a place, in the order of the table. */
export function helpRows(place: KeyScope): HelpRow[] {
  return COMMANDS.filter((id) => BINDINGS[id].where.includes(place)).map((id) => ({
    command: id,
    ...toldOf(id),
    group: BINDINGS[id].group,
  }));
}

/** Like what moves the cursor: nobody types them. */
const STEPS: ReadonlySet<CommandId> = new Set(['open', 'back', 'leave']);

/** The keys of a command and what it does, with its word; a command without keys stands under its word. */
function toldOf(id: CommandId): Pick<HelpRow, 'keys' | 'does'> {
  const { keys, does, group } = BINDINGS[id];
  const usage = group === 'Move' || STEPS.has(id) ? null : usageOf(id);
  if (keys.length > 0) return { keys: keys.join(' '), does: usage === null ? does : `${does} (${usage})` };
  return usage !== null && usage.length < HELP_CELLS.keys
    ? { keys: usage, does }
    : { keys: usage?.split(' ')[0] ?? '', does: `${does} (${usage})` };
}

/** The help of the view under it, narrowed to `find`. */
export function helpLines(state: State, find: string): HelpLine[] {
  const wanted = find.toLowerCase();
  const shown = helpRows(viewPlace(state)).filter(({ keys, does, group }) =>
    `${keys} ${does} ${group}`.toLowerCase().includes(wanted),
  );
  const room = state.size.columns - HELP_CELLS.keys - HELP_CELLS.around;
  return shown.flatMap(({ keys, does, group }, at): HelpLine[] => {
    const [told, pressed] = [wrapText(does, room), wrapText(keys, HELP_CELLS.keys)];
    const lines = Math.max(told.length, pressed.length);
    const key = Array.from(
      { length: lines },
      (_, at): HelpLine => ({ kind: 'key', keys: pressed[at] ?? '', does: told[at] ?? '' }),
    );
    if (group === shown[at - 1]?.group) return key;
    const head = { kind: 'group', group } as const;
    return at === 0 ? [head, ...key] : [{ kind: 'blank' }, head, ...key];
  });
}

/** The first line of the help on screen after a command; null when the command does not scroll, or no help is open. */
export function helpScrollAction(state: State, command: CommandId): number | null {
  const { overlay } = state;
  if (overlay?.kind !== 'help') return null;
  return scrolled(overlay.top, command, helpLines(state, overlay.find).length, listHeight(state));
}
