import { valuesCounted, valuesDue } from '../beside/top-values.ts';
import type { LogSession, State } from '../model.ts';
import { recalling } from '../questions/answer.ts';
import { topView, withTop } from '../view-stack.ts';
import { withGroupsRecounted } from './filters.ts';
import { advanced, groupsCounted, isCountedBefore } from './groups.ts';
import { bumped, filtered, isFilteredBefore, shownLog } from './session.ts';

/** What is worked on in turns since something on screen is known of some of the rows only. */
export type PendingWork = 'filter' | 'count' | 'tags' | 'recall' | 'values';

export function workOf(state: State): PendingWork | null {
  if (state.session !== null && (state.session.book.filtering !== null || isFilteredBefore(state)))
    return 'filter';
  const view = topView(state);
  if (view.kind === 'answer') return view.stage.kind === 'recalling' ? 'recall' : null;
  if (view.kind === 'groups' && view.work !== null) return view.work.kind;
  if (view.kind === 'groups' && isCountedBefore(state, view)) return 'count';
  return valuesDue(state) === null ? null : 'values';
}

/** One turn of the work. */
export function worked(state: State): State {
  const work = workOf(state);
  const view = topView(state);
  if (work === 'recall' && view.kind === 'answer') return recalling(state, view);
  if (work === null || !state.session) return state;
  if (work === 'values') {
    const field = valuesDue(state);
    return field === null ? state : valuesCounted(state, field);
  }
  if (work === 'filter') {
    const next = bumped(filteredOn(state, state.session));
    return workOf(next) === 'filter' ? next : withGroupsRecounted(next, true);
  }
  if (view.kind !== 'groups') return state;
  return withTop(state, isCountedBefore(state, view) ? groupsCounted(state, view) : advanced(state, view));
}

/** Some more rows tested; all of them anew where more was told of what the filter asks for. */
function filteredOn(state: State, session: LogSession): State {
  const query = isFilteredBefore(state) ? shownLog(state)?.query : undefined;
  if (query) return filtered(state, session, query);
  session.book.work();
  return state;
}
