import { valuesCounted, valuesDue } from '../beside/top-values.ts';
import { type State, topView, withTop } from '../model.ts';
import { recalling } from '../questions/answer.ts';
import { withGroupsRecounted } from './filters.ts';
import { advanced } from './groups.ts';
import { bumped } from './session.ts';

/** What is worked on in turns since something on screen is known of some of the rows only. */
export type PendingWork = 'filter' | 'count' | 'tags' | 'recall' | 'values';

export function workOf(state: State): PendingWork | null {
  if (state.session !== null && state.session.book.filtering !== null) return 'filter';
  const view = topView(state);
  if (view.kind === 'answer') return view.stage.kind === 'recalling' ? 'recall' : null;
  const own = view.kind === 'groups' ? (view.work?.kind ?? null) : null;
  return own ?? (valuesDue(state) === null ? null : 'values');
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
    state.session.book.work();
    const next = bumped(state);
    return workOf(next) === 'filter' ? next : withGroupsRecounted(next, true);
  }
  return view.kind === 'groups' ? withTop(state, advanced(state, view)) : state;
}
