import type { TimeWindow, WindowMove } from '../query/query.ts';
import type { TimeRange } from '../tail/coverage.ts';

const SHORTEST = 1000;

/**
 * The time range of a window in saved logs, null = all. `last:15m` is the quarter of an hour before the newest row:
 * the logs may be from last week.
 */
export function savedRange(window: TimeWindow | null, span: TimeRange | null): TimeRange | null {
  if (window === null) return null;
  if (window.kind === 'absolute') return { from: window.from, to: window.to ?? Number.POSITIVE_INFINITY };
  return span === null ? null : { from: span.to - window.duration, to: Number.POSITIVE_INFINITY };
}

/** The window after a move, zoomed about a moment; null: all of the logs, undefined: none is further. */
export function movedSaved(
  move: WindowMove,
  window: TimeWindow | null,
  span: TimeRange,
  about: number | null,
): TimeWindow | null | undefined {
  if (move === 'earlier' || move === 'later')
    return shiftedSaved(window, move === 'later' ? 1 : -1, span) ?? undefined;
  return zoomedSaved(window, move === 'zoomIn' ? 'in' : 'out', span, about);
}

/** The window moved by half its length, earlier (-1) or later (+1); null = the logs have nothing there. */
function shiftedSaved(window: TimeWindow | null, direction: -1 | 1, span: TimeRange): TimeWindow | null {
  const { from, to } = cut(savedRange(window, span), span);
  const isEnd = direction < 0 ? from <= span.from : to > span.to;
  if (isEnd) return null;
  const start = Math.round(from + (direction * (to - from)) / 2);
  return { kind: 'absolute', from: start, to: start + (to - from) };
}

/**
 * The window of half or twice the length around a moment. Null = all of the logs, which is no window; undefined = no further zoom.
 */
function zoomedSaved(
  window: TimeWindow | null,
  direction: 'in' | 'out',
  span: TimeRange,
  about: number | null,
): TimeWindow | null | undefined {
  const range = cut(savedRange(window, span), span);
  const length = range.to - range.from;
  if (direction === 'out') {
    if (window === null) return undefined;
    const from = Math.round(range.from - length / 2);
    if (from <= span.from && from + 2 * length > span.to) return null;
    return { kind: 'absolute', from, to: from + 2 * length };
  }
  const half = Math.round(length / 2);
  if (half < SHORTEST) return undefined;
  const middle = about ?? range.to - half / 2;
  const from = Math.round(Math.max(range.from, Math.min(middle - half / 2, range.to - half)));
  return { kind: 'absolute', from, to: from + half };
}

/** The part of a range that has rows; ends are exclusive, so the newest row lies a millisecond inside. */
function cut(range: TimeRange | null, span: TimeRange): TimeRange {
  const all = { from: span.from, to: span.to + 1 };
  if (range === null) return all;
  return { from: range.from, to: Number.isFinite(range.to) ? range.to : Math.max(all.to, range.from + 1) };
}
