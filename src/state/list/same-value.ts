import type { CommandId } from '../../keys/bindings.ts';
import { stoppedToChoose } from '../logs/log.ts';
import { noticed, type State, topView } from '../model.ts';
import { screenOf, valueUnder } from '../screens.ts';

const DIRECTIONS: Partial<Record<CommandId, 1 | -1>> = { findSame: 1, findSameBefore: -1 };

/**
 * To the next line with the value under the cursor in its field: a search as `/` makes it, with which `n`, `N` and `&` go
 * on. From one row or event it goes to the list beneath, which has the others. Null = the command is another.
 */
export function sameSought(state: State, command: CommandId): State | null {
  const direction = DIRECTIONS[command];
  if (direction === undefined) return null;
  const stopped = stoppedToChoose(state, 'h and l choose the value, then the key again');
  if (stopped) return stopped;
  const view = topView(state);
  const under = valueUnder(state);
  if (typeof under === 'string') return noticed(state, 'info', under);
  const { field, value: needle } = under;
  if (!needle) return noticed(state, 'info', 'there is no value here to search for');
  return screenOf(view).same(state, view, { needle, field }, direction) ?? state;
}
