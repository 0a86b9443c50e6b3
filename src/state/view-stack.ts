import type { Query } from '../domain/query/query.ts';
import type { State, View } from './model.ts';

type ViewKind = View['kind'];
type ViewOf<K extends ViewKind> = Extract<View, { kind: K }>;

export function topView(state: State): View {
  const view = state.views.at(-1);
  if (!view) throw new Error('the view stack is never empty');
  return view;
}

export function withTop(state: State, view: View): State {
  return { ...state, views: [...state.views.slice(0, -1), view] };
}

/** Whether a view is of one of these kinds; all else in which kinds differ stands in their `Screen`. */
function isKind<K extends ViewKind>(
  view: View | null | undefined,
  ...kinds: readonly K[]
): view is ViewOf<K> {
  return view != null && (kinds as readonly ViewKind[]).includes(view.kind);
}

/** The query that a view asks; null: it has none of its own. */
export function queryOfView(view: View): Query | null {
  return 'query' in view ? view.query : null;
}

/** The view on top where it is of one of these kinds. */
export function topOf<K extends ViewKind>(state: State, ...kinds: readonly K[]): ViewOf<K> | null {
  const view = topView(state);
  return isKind(view, ...kinds) ? view : null;
}

/** All views of these kinds, the lowest first. */
export function viewsOf<K extends ViewKind>(views: readonly View[], ...kinds: readonly K[]): ViewOf<K>[] {
  return views.filter((view): view is ViewOf<K> => isKind(view, ...kinds));
}

/** The view of a kind that is nearest to the top, of those that `matches` takes. */
export function nearestOf<K extends ViewKind>(
  views: readonly View[],
  kind: K,
  matches: (view: ViewOf<K>) => boolean = () => true,
): ViewOf<K> | null {
  return views.findLast((view): view is ViewOf<K> => isKind(view, kind) && matches(view)) ?? null;
}

/** The views of a kind changed, the others as they are. */
export function withEach<K extends ViewKind>(
  views: readonly View[],
  kind: K,
  change: (view: ViewOf<K>) => View,
): View[] {
  return views.map((view) => (isKind(view, kind) ? change(view) : view));
}

/** The state with one view replaced, on screen or parked. */
export function withView(state: State, before: View, after: View): State {
  const replaced = (views: readonly View[]) => views.map((each) => (each === before ? after : each));
  return { ...state, views: replaced(state.views), parked: replaced(state.parked) };
}

/** A view over those on screen. */
export function pushed(state: State, view: View): State {
  return { ...state, views: [...state.views, view] };
}

/** Back to a view on the stack. */
export function cutTo(state: State, view: View): State {
  return { ...state, views: state.views.slice(0, state.views.indexOf(view) + 1) };
}

/** Back to the nearest view of a kind; null: the stack has none. */
export function backTo(state: State, kind: ViewKind): State | null {
  const [view] = viewsOf(state.views, kind);
  return view ? cutTo(state, view) : null;
}
