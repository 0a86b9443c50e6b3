import { type CommandId, TOGGLES, type Toggle } from '../keys/bindings.ts';
import { noticed, type State } from './model.ts';

/** Turned on, or off again; null: the command is no toggle. */
export function toggled(state: State, command: CommandId): State | null {
  if (!isToggle(command)) return null;
  const on = state.on.symmetricDifference(new Set([command]));
  return noticed({ ...state, on }, 'info', TOGGLES[command][on.has(command) ? 'on' : 'off']);
}

function isToggle(command: CommandId): command is Toggle {
  return Object.hasOwn(TOGGLES, command);
}

/** The zone in which times are shown. */
export function clockZone({ on }: Pick<State, 'on'>): 'utc' | 'local' {
  return on.has('localTime') ? 'local' : 'utc';
}
