import { listHeight } from '../list/layout.ts';
import { logWindow } from '../logs/log-window.ts';
import type { Subscription } from '../messages.ts';
import type { LogView, State } from '../model.ts';
import { topView } from '../view-stack.ts';
import { hasDetail } from './beside-size.ts';

/** A cursor rests when it has stood on its line for so long, ms: a key that is held paints no detail. */
const REST = 150;

/** The line under the cursor of the list; null where none is. */
export function cursorKey(state: State): string | null {
  const view = topView(state);
  if (view.kind === 'shieldRows') return view.rows.shown[view.cursor]?.id ?? null;
  return view.kind === 'log' ? rowUnder(state, view) : null;
}

function rowUnder(state: State, view: LogView): string | null {
  const { session } = state;
  if (!session || !view.paused) return null;
  const item = session.book.at(logWindow(view, session.book, listHeight(state)).cursor);
  return item?.kind === 'row' ? String(item.id) : null;
}

/** The line under a cursor that rests is told in full. */
export function withDetail(state: State): State {
  const detail = hasDetail(state) ? cursorKey(state) : null;
  return detail === state.beside.detail ? state : { ...state, beside: { ...state.beside, detail } };
}

/** Each line that the cursor comes to begins the wait anew. */
export function detailSubscriptions(state: State): Subscription[] {
  const key = hasDetail(state) ? cursorKey(state) : null;
  return key === state.beside.detail ? [] : [{ kind: 'clock', key: `rest ${key}`, every: REST }];
}
