import { NO_SHAPE } from '../../domain/logs/groups/group-shape.ts';
import { asksCause, NO_CAUSE_OF_SAVED } from '../../domain/query/cause-terms.ts';
import type { Query, Term } from '../../domain/query/query.ts';
import { termSought } from '../../domain/query/terms.ts';
import type { CommandId } from '../../keys/bindings.ts';
import { FILTER_MODES, type FilterMode } from '../../state/list/value-filter.ts';
import { noticed, type State } from '../../state/model.ts';
import { logChanged, shownLog } from '../../state/sessions/session.ts';
import { cutTo, pushed, queryOfView, topOf, topView, withTop } from '../../state/view-stack.ts';
import { openGroups, recounted } from './group-commands.ts';
import { stoppedToChoose } from './log-commands.ts';
import { requestioned } from './query-history.ts';

/**
 * What a command does with the filters of the log on top, or of the nearest one beneath; null = no filter command.
 * `filtered`: the terms after `+ - =` on the value under the cursor, or why there are none.
 */
export function filterCommanded(
  state: State,
  command: CommandId,
  filtered: (mode: FilterMode) => readonly Term[] | string,
): State | null {
  const mode = FILTER_MODES[command];
  if (mode !== undefined) {
    const stopped = stoppedToChoose(state, 'the arrows choose the value, then the key again');
    if (stopped) return stopped;
    const terms = filtered(mode);
    return typeof terms === 'string' ? noticed(state, 'info', terms) : refiltered(state, () => terms);
  }
  switch (command) {
    case 'dropFilter':
      return refiltered(state, (terms) => terms.slice(0, -1));
    case 'dropFilters':
      return refiltered(state, () => []);
    case 'findToFilter':
      return searchToFilter(state);
    default:
      return null;
  }
}

/** Changed terms act on the log below; the view they were chosen in stays where that makes sense. */
export function refiltered(state: State, change: (terms: readonly Term[]) => readonly Term[]): State {
  const terms = change(queryOfView(topView(state))?.terms ?? []);
  const log = shownLog(state);
  if (!log) return state;
  const under = requestioned(cutTo(state, log), { ...log.query, terms });
  const groups = topOf(state, 'groups');
  if (!groups) return under;
  const query = { ...groups.query, terms };
  const changed = { ...groups, query, shape: NO_SHAPE, computedAt: 0, taggedAt: 0, work: null };
  return withGroupsRecounted(pushed(under, changed));
}

/** The search as a filter. */
function searchToFilter(state: State): State {
  const view = topOf(state, 'log');
  if (!view?.search) return state;
  const term = termSought('logs', view.search);
  const next = refiltered(state, (terms) => [...terms, term]);
  return logChanged(next, { search: null });
}

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
  return openGroups(asked, query.groupBy, topOf(state, 'groups') ?? undefined);
}
