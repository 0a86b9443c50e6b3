import { withinKept } from '../../domain/log-retention.ts';
import { noticed, type State, type View } from '../../state/model.ts';
import { isShieldList, isShieldView } from '../../state/shield-model.ts';
import { remembered, wayOf } from './shield-ask.ts';
import { histogramResumed } from './shield-histogram.ts';

/** One step up, everything as it was left; null at the top of the explorer. */
export function climbed(state: State): State | null {
  const below = state.views.at(-2);
  if (!below || !isShieldView(below)) return null;
  const before = remembered(state);
  return { ...before, views: before.views.slice(0, -1) };
}

/** To the stack before or after this one. What was read is there again; what was under way is asked again. */
export function historyMoved(state: State, direction: 'past' | 'future'): State {
  const { shield } = state;
  if (!shield) return state;
  const isBack = direction === 'past';
  const way = isBack ? shield.past.at(-1) : shield.future[0];
  if (!way) return noticed(state, 'info', `there is no view ${isBack ? 'before' : 'after'} this one`);
  const here = wayOf(state.views);
  const past = isBack ? shield.past.slice(0, -1) : [...shield.past, here];
  const future = isBack ? [here, ...shield.future] : shield.future.slice(1);
  const others = state.views.slice(0, state.views.length - here.length);
  const views = [...others, ...way.map((view) => begunAnew(state, view))];
  return { ...state, views, shield: { ...shield, past, future } };
}

/**
 * The requests of a view that was away were cancelled; it asks for times that are still kept, and its clock restarts.
 */
export function begunAnew(state: State, view: View): View {
  if (!isShieldList(view)) return view;
  const { now } = state;
  const loading = { kind: 'asking', since: now } as const;
  const { reading, histogram } = view;
  const isReading = reading.loading.kind === 'asking';
  const isCounting = histogram?.loading.kind === 'asking';
  if (!isReading && !isCounting) return view;
  return {
    ...view,
    reading: isReading ? { ...reading, loading, range: withinKept(reading.range, now, 'shield') } : reading,
    histogram: isCounting ? histogramResumed(state, histogram) : histogram,
  };
}
