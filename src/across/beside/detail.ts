import { hasDetail, listHeight } from '../../state/list/screen-layout.ts';
import type { Subscription } from '../../state/messages.ts';
import type { State } from '../../state/model.ts';
import { logWindow } from '../../state/sessions/session.ts';
import { topOf } from '../../state/view-stack.ts';

/** A cursor rests after so long on its line, ms: a held key paints no detail. */
const REST = 150;

/** The line under the cursor of the list; null where none is. */
export function cursorKey(state: State): string | null {
  const events = topOf(state, 'shieldRows');
  return events ? (events.rows.shown[events.cursor]?.id ?? null) : rowUnder(state);
}

function rowUnder(state: State): string | null {
  const { session } = state;
  const view = topOf(state, 'log');
  if (!session || !view?.paused) return null;
  const item = session.book.at(logWindow(view, session.book, listHeight(state)).cursor);
  return item?.kind === 'row' ? String(item.id) : null;
}

/** The line under a resting cursor is shown in full. */
export function withDetail(state: State): State {
  const detail = hasDetail(state) ? cursorKey(state) : null;
  return detail === state.beside.detail ? state : { ...state, beside: { ...state.beside, detail } };
}

/** Each line that the cursor reaches restarts the wait. */
export function detailSubscriptions(state: State): Subscription[] {
  const key = hasDetail(state) ? cursorKey(state) : null;
  return key === state.beside.detail ? [] : [{ kind: 'clock', key: `rest ${key}`, every: REST }];
}
