import { valuesCounted, valuesDue } from '../across/beside/top-values.ts';
import { withGroupsRecounted } from '../screens/log/log-commands.ts';
import { onTop } from '../screens/screens.ts';
import type { LogSession, State } from '../state/model.ts';
import type { Work } from '../state/screen.ts';
import { bumped, filtered, isFilteredBefore, shownLog } from '../state/sessions/session.ts';

/** The work under way; null: all rows are in what the screen shows. */
export function workOf(state: State): Work['of'] | null {
  return pendingWork(state)?.of ?? null;
}

/** One turn of the work. */
export function worked(state: State): State {
  return pendingWork(state)?.turn() ?? state;
}

function pendingWork(state: State): Work | null {
  const { session } = state;
  if (session !== null && (session.book.filtering !== null || isFilteredBefore(state)))
    return { of: 'filter', turn: () => filteredOn(state, session) };
  const own = onTop(state, 'work');
  if (own !== null) return own;
  const field = valuesDue(state);
  return field === null ? null : { of: 'values', turn: () => valuesCounted(state, field) };
}

/** Tests some more rows; all of them again where more is known of the causes that the filter asks for. */
function filteredOn(state: State, session: LogSession): State {
  const query = isFilteredBefore(state) ? shownLog(state)?.query : undefined;
  if (!query) session.book.work();
  const next = bumped(query ? filtered(state, session, query) : state);
  return workOf(next) === 'filter' ? next : withGroupsRecounted(next, true);
}
