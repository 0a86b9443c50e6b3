import type { CommandSource } from '../domain/handover/place.ts';
import type { Query } from '../domain/query/query.ts';
import {
  KEYS_SCREEN,
  STORAGE_EDIT_SCREEN,
  STORAGE_SCREEN,
  STORAGE_ZONE_SCREEN,
} from './account/account-screens.ts';
import { listHeight } from './list/layout.ts';
import { withCursorShown } from './list/list.ts';
import { GROUPS_SCREEN, LOG_SCREEN, RECORD_SCREEN } from './logs/log-screens.ts';
import type { State, View } from './model.ts';
import { ANSWER_SCREEN } from './questions/answer-screen.ts';
import type { CellUnder, Screen } from './screen.ts';
import { SHIELD_EVENT_SCREEN, SHIELD_GROUPS_SCREEN, SHIELD_ROWS_SCREEN } from './shield/shield-screens.ts';
import { topView } from './view-stack.ts';
import { ZONES_SCREEN } from './zones.ts';

/** Every kind of view. How each looks is in `ui/screens`. */
const SCREENS = {
  zones: ZONES_SCREEN,
  log: LOG_SCREEN,
  groups: GROUPS_SCREEN,
  record: RECORD_SCREEN,
  shieldGroups: SHIELD_GROUPS_SCREEN,
  shieldRows: SHIELD_ROWS_SCREEN,
  shieldEvent: SHIELD_EVENT_SCREEN,
  answer: ANSWER_SCREEN,
  storage: STORAGE_SCREEN,
  storageZone: STORAGE_ZONE_SCREEN,
  storageEdit: STORAGE_EDIT_SCREEN,
  keys: KEYS_SCREEN,
} as const satisfies { [K in View['kind']]: Screen<Extract<View, { kind: K }>> };

/** The row of a view. The one place where the compiler does not see that kind and row belong together. */
export function screenOf<V extends View>({ kind }: V): Screen<V> {
  return SCREENS[kind] as unknown as Screen<V>;
}

type Columns = Screen<View>;

/** Columns that say of every view what it shows. */
type Told = {
  [K in keyof Columns]-?: Columns[K] extends (state: State, view: View) => unknown ? K : never;
}[keyof Columns];

/** The query of the view on top, and the view asked another; null: it has none of its own. */
export function queryOnTop(state: State) {
  const view = topView(state);
  const { requeried } = screenOf(view);
  if (requeried === null || !('query' in view)) return null;
  return { query: view.query, asked: (next: State, query: Query) => requeried(next, view, query) };
}

/** The command that asks for the view on top again, or that opens it. */
export function againOnTop(state: State): CommandSource | string {
  const view = topView(state);
  const { again, command } = screenOf(view);
  return (again ?? command)(state, view);
}

/** What the row of the view on top says of it. */
export function onTop<K extends Told>(state: State, column: K): ReturnType<Columns[K]> {
  const view = topView(state);
  const say = screenOf(view)[column] as (state: State, view: View) => ReturnType<Columns[K]>;
  return say(state, view);
}

/** The value that a key would act on now: a query field of a subject, and its text; or why there is none. */
export function valueUnder(state: State): CellUnder['asked'] {
  const cell = onTop(state, 'cell');
  return typeof cell === 'string' ? cell : cell.asked;
}

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
    overlay: overlay && 'top' in overlay ? withCursorShown(overlay, listHeight(next)) : overlay,
  };
}

/** What is said at the foot takes rows from the list over it, which must not be the one under the cursor. */
export function withCursorsShown(before: State, next: State): State {
  return listHeight(next) < listHeight(before) ? resized(next) : next;
}
