import { asksCause, NO_CAUSE_OF_SAVED } from '../../domain/query/cause-terms.ts';
import type { Query } from '../../domain/query/query.ts';
import { noticed, type State } from '../../state/model.ts';
import { shownLog } from '../../state/sessions/session.ts';
import { cutTo, topOf, withTop } from '../../state/view-stack.ts';
import { openGroups, recounted } from './group-commands.ts';
import { requestioned } from './log-commands.ts';

/** The groups on top recounted, when it is time or `isDue`. */
export function withGroupsRecounted(state: State, isDue = false): State {
  const view = topOf(state, 'groups');
  if (!view) return state;
  return withTop(state, recounted(state, isDue ? { ...view, computedAt: 0, taggedAt: 0 } : view));
}

/** The query of a log or its groups was edited: the log asks it, and its groups lie on top. */
export function editedQuery(state: State, query: Query): State {
  if (state.session?.source.kind === 'files' && asksCause(query))
    return noticed(state, 'warning', NO_CAUSE_OF_SAVED.message);
  const log = shownLog(state);
  // The view that the line was opened over may be closed by now.
  if (!log) return state;
  const asked = requestioned(cutTo(state, log), { ...query, groupBy: [] });
  if (query.groupBy.length === 0) return asked;
  return openGroups(asked, query.groupBy, topOf(state, 'groups'));
}
