import { TOGGLES, type Toggle } from '../keys/bindings.ts';
import { noticed, type State } from './model.ts';

/** Turned on, or off again. */
export function toggled(state: State, toggle: Toggle): State {
  const on = state.on.symmetricDifference(new Set([toggle]));
  return noticed({ ...state, on }, 'info', TOGGLES[toggle][on.has(toggle) ? 'on' : 'off']);
}

/** The zone in which times are shown. */
export function clockZone({ on }: Pick<State, 'on'>): 'utc' | 'local' {
  return on.has('localTime') ? 'local' : 'utc';
}
