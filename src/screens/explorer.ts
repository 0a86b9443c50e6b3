import type { WindowMove } from '../domain/query/query.ts';
import { termSought } from '../domain/query/terms.ts';
import type { CommandId } from '../keys/bindings.ts';
import { type FilterMode, filteredBy } from '../state/list/value-filter.ts';
import { moved } from '../state/list.ts';
import { promptSubject } from '../state/log-zones.ts';
import { noticed, type State } from '../state/model.ts';
import type { CellUnder } from '../state/screen.ts';
import { topOf, topView, withTop } from '../state/view-stack.ts';
import { stoppedToChoose } from './log/log-commands.ts';
import { heightOf, queryOnTop, refiltered, screenOf, valueUnder } from './screens.ts';
import { remembered } from './shield/shield-ask.ts';

/** What a command does alike in every view, by what its row says; null: nothing. */
export function explored(state: State, command: CommandId): State | null {
  return movedInList(state, command) ?? EXPLORED[command]?.(state) ?? null;
}

/** Commands of lists, and of what both logs show. */
const EXPLORED: Partial<Record<CommandId, (state: State) => State | null>> = {
  filterIn: (state) => filtered(state, 'in'),
  filterOut: (state) => filtered(state, 'out'),
  filterOnly: (state) => filtered(state, 'only'),
  dropFilter: (state) => refiltered(state, (terms) => terms.slice(0, -1)),
  dropFilters: (state) => refiltered(state, () => []),
  findToFilter: searchToFilter,
  findNext: (state) => foundAgain(state, 1),
  findPrevious: (state) => foundAgain(state, -1),
  findSame: (state) => foundSame(state, 1),
  findSameBefore: (state) => foundSame(state, -1),
  earlier: (state) => windowMoved(state, 'earlier'),
  later: (state) => windowMoved(state, 'later'),
  zoomIn: (state) => windowMoved(state, 'zoomIn'),
  zoomOut: (state) => windowMoved(state, 'zoomOut'),
  sort: (state) => screenOf(topView(state)).order?.next(state, topView(state)) ?? null,
  reverse: (state) => screenOf(topView(state)).order?.reversed(state, topView(state)) ?? null,
};

function movedInList(state: State, command: CommandId): State | null {
  const view = topView(state);
  const { list } = screenOf(view);
  const length = list?.length(state, view) ?? null;
  if (list === null || length === null || !('top' in view)) return null;
  const place = moved(view, command, length, heightOf(state, view));
  if (place === null) return null;
  const next = { ...view, ...place };
  return list.moved?.(state, next) ?? withTop(state, next);
}

/** `+ - =` on the value under the cursor. */
function filtered(state: State, mode: FilterMode): State {
  return onValue(state, ({ subject, field, value }) =>
    refiltered(state, (terms) => filteredBy(terms, mode, field, value, subject)),
  );
}

function searchToFilter(state: State): State {
  const view = topView(state);
  const { search } = screenOf(view);
  const sought = search?.sought(view);
  if (!search || !sought) return state;
  const term = search.term?.(view) ?? termSought(promptSubject(state), sought);
  return refiltered(search.ended(state, view), (terms) => [...terms, term]);
}

function foundAgain(state: State, direction: 1 | -1): State {
  const view = topView(state);
  const { search } = screenOf(view);
  const sought = search?.sought(view);
  return search && sought ? search.next(state, view, sought, direction) : state;
}

/**
 * The next line with the value under the cursor in its field: a search as `/` makes it, which `n`, `N` and `&`
 * continue. From a single row or event it goes to the list beneath, which has the others.
 */
function foundSame(state: State, direction: 1 | -1): State {
  return onValue(state, ({ field, value: needle }) => {
    if (!needle) return noticed(state, 'info', 'there is no value here to search for');
    const isOne = topOf(state, 'record', 'shieldEvent') !== null;
    const list = isOne ? { ...remembered(state), views: state.views.slice(0, -1) } : state;
    const view = topView(list);
    return screenOf(view).search?.next(list, view, { needle, field }, direction) ?? state;
  });
}

function windowMoved(state: State, move: WindowMove): State | null {
  const view = topView(state);
  const own = queryOnTop(state);
  const window = screenOf(view).windowMoved?.(state, view, move);
  if (own === null || window === undefined) return null;
  return typeof window === 'string'
    ? noticed(state, 'info', window)
    : own.asked(state, { ...own.query, window });
}

/** What is done with the value under the cursor; a log that moves stops first, so that one can be chosen. */
function onValue(state: State, act: (asked: Exclude<CellUnder['asked'], string>) => State): State {
  const stopped = stoppedToChoose(state, 'the arrows choose the value, then the key again');
  if (stopped) return stopped;
  const asked = valueUnder(state);
  return typeof asked === 'string' ? noticed(state, 'info', asked) : act(asked);
}
