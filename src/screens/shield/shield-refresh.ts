import { rangeOf } from '../../domain/shield/shield-window.ts';
import { noticed, type State } from '../../state/model.ts';
import type { ShieldListView, ShieldRowsView } from '../../state/shield-model.ts';
import { askedOn, sparksOf, topShieldList } from './shield-ask.ts';
import { listOf } from './shield-lists.ts';

/** Between two questions of an auto-refresh, ms. */
export const REFRESH_EVERY = 10_000;

/** More searches than this at a time are asked for on order only, not by itself. */
const MOST_BY_ITSELF = 5;

/** What asking again costs, as the user reads it. */
function priceWords(view: ShieldListView): string {
  const { price, oneSearch } = listOf(view);
  return price(view) === 1 ? oneSearch : `${price(view)} searches, one for each page read`;
}

/** True when a view is asked again by itself: a relative window, at a price that may be paid again and again. */
export function isAutoRefreshed(state: State, view: ShieldListView): boolean {
  const isRelative = view.query.window?.kind === 'last';
  return (state.shield?.isAuto ?? false) && isRelative && listOf(view).price(view) <= MOST_BY_ITSELF;
}

/** Ctrl-r: the same again. A day goes on where it stopped. */
export function refreshed(state: State, view: ShieldListView): State {
  if (view.reading.loading.kind === 'asking') return noticed(state, 'info', 'already asking');
  if (view.day) return dayResumed(state, view);
  const next = shieldAskedAgain(state, view);
  return listOf(view).price(view) === 1 ? next : noticed(next, 'info', `asking again: ${priceWords(view)}`);
}

/** Asks the same again: for the present end of a relative window. What is shown stays until the answer. */
function shieldAskedAgain(state: State, view: ShieldListView): State {
  if (!state.shield || view.day) return state;
  return askedOn(
    state,
    { ...view, fresh: [] },
    {
      page: 0,
      range: rangeOf(view.query.window, state.now),
      isRefresh: view.reading.readAt !== null,
      sparks: sparksOf(state, view.reading.plan),
    },
  );
}

/** The timer of the auto-refresh rang: the list on top asks again, unless it is asking still. */
export function shieldRefreshed(state: State): State {
  const view = topShieldList(state);
  return !view || view.reading.loading.kind === 'asking' ? state : shieldAskedAgain(state, view);
}

export function toggledAuto(state: State, view: ShieldListView): State {
  if (!state.shield) return state;
  if (view.query.window?.kind !== 'last') {
    const text = 'a fixed window does not change; t chooses a relative one, such as last:15m';
    return noticed(state, 'info', text);
  }
  const isAuto = !state.shield.isAuto;
  if (isAuto && listOf(view).price(view) > MOST_BY_ITSELF) {
    return noticed(state, 'info', `not by itself: it would cost ${priceWords(view)}; Ctrl-r asks once`);
  }
  const text = isAuto ? `refreshing every 10 s: ${priceWords(view)}` : 'automatic refresh is off';
  return noticed({ ...state, shield: { ...state.shield, isAuto } }, 'info', text);
}

function dayResumed(state: State, view: ShieldRowsView): State {
  if (view.reading.isWhole)
    return noticed(state, 'info', 'the day is read whole; :day reads it anew or another one');
  if (view.reading.loading.kind === 'read') return noticed(state, 'info', 'the row limit is reached');
  return askedOn(state, view);
}
