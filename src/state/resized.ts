import { listHeight } from './layout.ts';
import { withCursorShown } from './list.ts';
import type { Step } from './messages.ts';
import type { State, View } from './model.ts';
import { screenOf } from './screens.ts';

/** In a window of another size every list keeps its cursor on screen; a log finds the row under its cursor by itself. */
export function resized(next: State): State {
  const settled = (view: View): View => {
    const under = { ...next, views: [view], overlay: null };
    return screenOf(view).resized(under, view);
  };
  const { overlay } = next;
  return {
    ...next,
    views: next.views.map(settled),
    parked: next.parked.map(settled),
    overlay: overlay && 'cursor' in overlay ? withCursorShown(overlay, listHeight(next)) : overlay,
  };
}

/** What is said at the foot takes rows from the list over it, which must not be the one under the cursor. */
export function withCursorsShown(before: State, [next, effects]: Step): Step {
  return listHeight(next) < listHeight(before) ? [resized(next), effects] : [next, effects];
}
