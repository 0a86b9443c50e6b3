import { fuzzy } from '../domain/query/fuzzy.ts';
import { COMMANDS, type CommandId } from '../state/commands.ts';
import type { State } from '../state/model.ts';
import { BINDINGS, type Binding, viewPlace } from './bindings.ts';

export type PaletteRow = { command: CommandId; does: string; keys: string };

const rows: Record<CommandId, Binding> = BINDINGS;

/** Movement is faster by its key than by its name: the palette leaves it out. */
function isOffered(id: CommandId, state: State): boolean {
  return (
    rows[id].group !== 'Move' &&
    id !== 'palette' &&
    rows[id].where.includes(viewPlace(state)) &&
    !rows[id].whyNot?.(state)
  );
}

/** The commands that can act now and that the word in the palette finds, best first. */
export function paletteRows(state: State): PaletteRow[] {
  const offered = COMMANDS.filter((id) => isOffered(id, state)).map((id) => ({
    command: id,
    does: rows[id].does,
    keys: rows[id].keys.join(' '),
  }));
  return fuzzy(offered, (row) => `${row.does} ${row.command}`, state.prompt?.field.text ?? '');
}

/** The row under the palette's cursor. */
export function paletteChoice(state: State): PaletteRow | null {
  const found = paletteRows(state);
  return found[Math.min(state.prompt?.cursor ?? 0, found.length - 1)] ?? null;
}
