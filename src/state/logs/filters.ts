import { termSought } from '../../domain/query/terms.ts';
import type { CommandId } from '../commands.ts';
import { noticed, type State, topView, withTop } from '../model.ts';
import type { FilterMode } from '../value-filter.ts';
import { recounted, termsOfGroup } from './groups.ts';
import { pausedToChoose, termsUnderCursor } from './log.ts';
import { requestioned } from './log-history.ts';
import { termsOfRecord } from './record.ts';
import { shownLog } from './session.ts';

/** What a command does with the filters of the log on top, or beneath what is on top; null = it is none of theirs. */
export function filterCommanded(state: State, command: CommandId): State | null {
  switch (command) {
    case 'filterIn':
      return valueFiltered(state, 'in');
    case 'filterOut':
      return valueFiltered(state, 'out');
    case 'filterOnly':
      return valueFiltered(state, 'only');
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

/** The keys + - = on the value under the cursor. */
function valueFiltered(state: State, mode: FilterMode): State {
  const view = topView(state);
  // At the live end no value is marked: the first press shows which one the next would take.
  if (view.kind === 'log' && !view.paused) {
    return pausedToChoose(state, view, 'h and l choose the value, then the key again');
  }
  const terms =
    view.kind === 'log'
      ? termsUnderCursor(state, view, mode)
      : view.kind === 'groups'
        ? termsOfGroup(view, mode)
        : view.kind === 'record'
          ? termsOfRecord(state, view, mode)
          : 'there is nothing to filter here';
  if (typeof terms === 'string') return noticed(state, 'info', terms);
  return refiltered(state, () => terms);
}

/** Changed terms act on the log below; the view they were chosen in stays on screen where that makes sense. */
function refiltered(
  state: State,
  change: (terms: ReturnType<typeof termsOf>) => ReturnType<typeof termsOf>,
): State {
  const terms = change(termsOf(state));
  const at = state.views.findLastIndex((view) => view.kind === 'log');
  const log = state.views[at];
  if (log?.kind !== 'log') return state;
  const view = topView(state);
  const under = requestioned({ ...state, views: state.views.slice(0, at + 1) }, { ...log.query, terms });
  if (view.kind !== 'groups') return under;
  const groups = { ...view, query: { ...view.query, terms }, computedAt: 0, taggedAt: 0, work: null };
  return withGroupsRecounted({ ...under, views: [...under.views, groups] });
}

function termsOf(state: State) {
  const view = topView(state);
  return 'query' in view ? view.query.terms : [];
}

/** What was searched for, as a filter. */
function searchToFilter(state: State): State {
  const view = topView(state);
  if (view.kind !== 'log' || !view.search) return state;
  const term = termSought('logs', view.search);
  const next = refiltered(state, (terms) => [...terms, term]);
  const log = shownLog(next);
  return log ? withTop(next, { ...log, search: null }) : next;
}

/** The groups on top counted again, when it is time to or when it `isDue`. */
export function withGroupsRecounted(state: State, isDue = false): State {
  const view = topView(state);
  if (view.kind !== 'groups') return state;
  return withTop(state, recounted(state, isDue ? { ...view, computedAt: 0, taggedAt: 0 } : view));
}
