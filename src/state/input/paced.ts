import type { Action, Step, Uncounted } from '../messages.ts';
import { afterKey, type State } from '../model.ts';
import { toldLeft, withCount, withoutCount } from './count.ts';
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
  'helpScrolled',
]);

/** Counts the keys of a line, and how fast they came, before they are acted on; of digits before a key it keeps the count. */
export function paced(state: State, action: Action, told: (state: State, action: Uncounted) => Step): Step {
  const asked = { ...state, pace: pressed(state.pace, state.now) };
  if (action.type === 'counted') return [withCount(afterKey(asked), action.digit), []];
  if (!PRESSES.has(action.type)) return toldLeft(state, action, told);
  const [next, effects] = withoutCount(asked, action, () => told(asked, action));
  // What was pressed before a line was opened says nothing of what comes in it.
  const isOpened = state.prompt === null && next.prompt !== null;
  return [isOpened ? { ...next, pace: begun(state.now) } : next, effects];
}
