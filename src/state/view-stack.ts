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

/** Whether a view is of one of these kinds: so a slice finds its own. All else that kinds differ in is in their `Screen`. */
function isKind<K extends ViewKind>(
  view: View | null | undefined,
  ...kinds: readonly K[]
): view is ViewOf<K> {
  return view != null && (kinds as readonly ViewKind[]).includes(view.kind);
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
  return viewsOf(views, kind).findLast(matches) ?? null;
}

/** The views of a kind changed, the others as they are. */
export function withEach<K extends ViewKind>(
  views: readonly View[],
  kind: K,
  change: (view: ViewOf<K>) => View,
): View[] {
  return views.map((view) => (isKind(view, kind) ? change(view) : view));
}

/** The state with one view replaced, on show or parked. */
export function withView(state: State, before: View, after: View): State {
  const replaced = (views: readonly View[]) => views.map((each) => (each === before ? after : each));
  return { ...state, views: replaced(state.views), parked: replaced(state.parked) };
}

/** A view over those on screen. */
export function pushed(state: State, view: View): State {
  return { ...state, views: [...state.views, view] };
}

/** Back to the view of a kind where the way already leads over it; null: it does not. */
export function backTo(state: State, kind: ViewKind): State | null {
  const at = state.views.findIndex((view) => isKind(view, kind));
  return at < 0 ? null : { ...state, views: state.views.slice(0, at + 1) };
}
