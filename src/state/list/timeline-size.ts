import { TIMED, WITH_TIMELINE } from '../../keys/places.ts';
import type { LogView, State, TimelineSize } from '../model.ts';
import type { ShieldListView } from '../shield-model.ts';
import { topOf, viewsOf } from '../view-stack.ts';

/** Columns to the left of the timeline: its scale and what it is divided by. */
export const GUTTER = 9;

/** The line of times is one of the low ones; the high ones have a line for what the colours mean, too. */
const LOW = 2;
const HIGH = { least: 6, most: 10, of: 6 } as const;

/** Screens of fewer rows have a timeline only when asked for; from the second number on it is high unasked, and can be. */
const ROWS = { low: 20, high: 36, canBeHigh: 22, canBeLow: 12 } as const;

/** A view whose rows a timeline counts. */
export type TimelineView = LogView | ShieldListView;

/** The view that the timeline counts, that of the nearest rows; null = there is no timeline. */
export function timelineView(state: State): TimelineView | null {
  if (topOf(state, ...WITH_TIMELINE) === null) return null;
  return viewsOf(state.views, ...TIMED).at(-1) ?? null;
}

/** Whether this screen is high enough for one. */
export function hasRoom({ size }: State): boolean {
  return size.rows >= ROWS.canBeLow;
}

/** How high it is on this screen, where a view has one. */
function sizeOnScreen({ timeline, size: { rows } }: State): Exclude<TimelineSize, 'auto'> {
  const asked = timeline.size;
  if (rows < ROWS.canBeLow || asked === 'off') return 'off';
  if (asked === 'low' || (asked === 'high' && rows < ROWS.canBeHigh)) return 'low';
  if (asked === 'high') return 'high';
  return rows >= ROWS.high ? 'high' : rows >= ROWS.low ? 'low' : 'off';
}

/** Whether this view has one on this screen, be it covered by what lies over the view or not. */
export function hasTimeline(state: State): boolean {
  const view = timelineView(state);
  // What is not counted needs no room to say so.
  const isCounted = view?.kind !== 'shieldGroups' || view.histogram !== null;
  return view !== null && isCounted && sizeOnScreen(state) !== 'off';
}

/** What lies over a list takes the rows of its timeline, too, but for what is about to leave again or acts on the rows. */
const OVER_TIMELINE: ReadonlySet<string> = new Set(['palette', 'timeline', 'topValues']);

/** Screen rows of the timeline; 0 = there is none. */
export function timelineRows(state: State): number {
  if (state.overlay !== null && !OVER_TIMELINE.has(state.overlay.kind)) return 0;
  const view = timelineView(state);
  if (view === null || !hasTimeline(state)) return 0;
  if (sizeOnScreen(state) === 'low') return LOW;
  return Math.max(HIGH.least, Math.min(HIGH.most, Math.floor(state.size.rows / HIGH.of)));
}

/** Cells across which time is drawn: the last column stays free. */
export function timelineCells({ size: { columns } }: State): number {
  return Math.max(1, columns - GUTTER - 1);
}

/** The next size that this screen has room for. */
export function sizeAfter(state: State): TimelineSize {
  const next = { off: 'low', low: 'high', high: 'off' } as const;
  const wanted = next[sizeOnScreen(state)];
  return wanted === 'high' && state.size.rows < ROWS.canBeHigh ? 'off' : wanted;
}
