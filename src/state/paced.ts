import type { Action, Step } from './messages.ts';
import type { State } from './model.ts';
import { begun, pressed } from './pace.ts';

/** What a key, or text that came like keys, may be. */
const PRESSES: ReadonlySet<Action['type']> = new Set([
  'commanded',
  'ordered',
  'offerChosen',
  'offerTaken',
  'refused',
  'typed',
  'pasted',
  'edited',
  'submitted',
  'cancelled',
  'completed',
  'promptMoved',
]);

/** Counts the keys of a line, and how fast they came, before they are acted on. */
export function paced(state: State, action: Action, told: (state: State, action: Action) => Step): Step {
  if (!PRESSES.has(action.type)) return told(state, action);
  const [next, effects] = told({ ...state, pace: pressed(state.pace, state.now) }, action);
  // What was pressed before a line was opened says nothing of what comes in it.
  const isOpened = state.prompt === null && next.prompt !== null;
  return [isOpened ? { ...next, pace: begun(state.now) } : next, effects];
}
