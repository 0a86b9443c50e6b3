import { LOG_RETENTION, oldestAsked, withinKept } from '../log-retention.ts';
import type { TimeWindow, WindowMove } from '../query/query.ts';
import { type ParsedQuery, parseQuery, placeOfWord } from '../query/query-text.ts';
import { aheadOf, printMoment, windowTimes } from '../query/query-time.ts';
import { type ParsedWindow, parseWindow } from '../query/window-text.ts';
import type { TimeRange } from '../tail/coverage.ts';

/** The window of a question without one, and the spans of zooming, ms. */
export const USUAL_SPAN = 3_600_000;
const SPANS = [300_000, 900_000, USUAL_SPAN, 6 * USUAL_SPAN, 24 * USUAL_SPAN, LOG_RETENTION.shield] as const;

const SHORTEST = 1000;

/** The beginning of what is kept, to the first whole minute, Unix ms. */
export function shownEdge(now: number): number {
  return Math.ceil((now - LOG_RETENTION.shield) / 60_000) * 60_000;
}

/** The times that a window stands for now, as far as they can be asked for. `isStored`: older ones can, too. */
export function rangeOf(window: TimeWindow | null, now: number, isStored = false): TimeRange {
  const range = windowTimes(window, now, USUAL_SPAN);
  return isStored ? range : withinKept(range, now, 'shield');
}

/** How much of a window's start the times asked for leave out, ms. */
export function cutOff(window: TimeWindow | null, range: TimeRange): number {
  return Math.max(0, range.from - windowTimes(window, range.to, USUAL_SPAN).from);
}

/** Reads a query for Shield: a window that Shield would refuse is an error at its place. */
export function parseShieldQuery(text: string, now: number): ParsedQuery {
  const parsed = parseQuery(text, 'shield', now);
  if (!parsed.ok) return parsed;
  const trouble = windowTrouble(parsed.query.window, now);
  return trouble === null ? parsed : { ok: false, error: { ...placeOfWord(text, trouble.word), ...trouble } };
}

/** Reads a window for Shield, as it is typed where nothing else is. */
export function parseShieldWindow(text: string, now: number): ParsedWindow {
  const parsed = parseWindow(text, now);
  const trouble = parsed.ok ? windowTrouble(parsed.window, now) : null;
  return trouble === null ? parsed : { ok: false, error: { ...placeOfWord(text, trouble.word), ...trouble } };
}

/** Why Shield would refuse a window; null when it would not. */
export function windowTrouble(
  window: TimeWindow | null,
  now: number,
): { word: 'last' | 'from' | 'to'; message: string; hint: string } | null {
  const edge = printMoment(shownEdge(now));
  const hint = `events are kept since ${edge}, 72 h`;
  if (window === null) return null;
  if (window.kind === 'last') {
    if (window.duration <= LOG_RETENTION.shield) return null;
    return { word: 'last', message: 'longer than events are kept', hint };
  }
  if (window.from < now - LOG_RETENTION.shield) {
    return { word: 'from', message: 'older than events are kept', hint };
  }
  const ahead = aheadOf(window, now);
  return ahead && { word: 'from', ...ahead };
}

/** The window after a move; null: none is further. */
export function movedWindow(
  move: WindowMove,
  window: TimeWindow | null,
  now: number,
  isStored = false,
): TimeWindow | null {
  if (move === 'earlier' || move === 'later')
    return shifted(window, move === 'later' ? 1 : -1, now, isStored);
  return zoomed(window, move === 'zoomIn' ? 'in' : 'out', now, isStored);
}

/**
 * The window half its length earlier (-1) or later (+1). One that would end after now, or within a tenth of its
 * length before, follows now again: there and back is where one was, however long one looked.
 */
export function shifted(
  window: TimeWindow | null,
  direction: -1 | 1,
  now: number,
  isStored = false,
): TimeWindow | null {
  const { from, to } = rangeOf(window, now, isStored);
  const span = to - from;
  const start = Math.max(from + (direction * span) / 2, oldestOf(now, isStored));
  if (direction < 0 && start >= from) return null;
  if (direction > 0 && window?.kind !== 'absolute') return null;
  if (start + span >= now - (direction > 0 ? span / 10 : 0))
    return {
      kind: 'last',
      duration: Math.max(SHORTEST, Math.round(Math.min(span, LOG_RETENTION.shield) / 1000) * 1000),
    };
  return { kind: 'absolute', from: Math.round(start), to: Math.round(start + span) };
}

/** The window zoomed: the next span of a relative one, half or double of an absolute one. Null = no further. */
export function zoomed(
  window: TimeWindow | null,
  direction: 'in' | 'out',
  now: number,
  isStored = false,
): TimeWindow | null {
  if (window?.kind !== 'absolute') {
    const duration = window?.duration ?? USUAL_SPAN;
    const next =
      direction === 'out'
        ? SPANS.find((span) => span > duration)
        : (SPANS.findLast((span) => span < duration) ?? null);
    return next ? { kind: 'last', duration: next } : null;
  }
  const { from, to } = rangeOf(window, now, isStored);
  const span = direction === 'in' ? (to - from) / 2 : (to - from) * 2;
  if (span < SHORTEST || (span > LOG_RETENTION.shield * 2 && !isStored)) return null;
  const middle = (from + to) / 2;
  const start = Math.round(Math.max(middle - span / 2, oldestOf(now, isStored)));
  const end = Math.round(Math.min(middle + span / 2, now));
  const isSame = start === from && end === to;
  // A window that has left what is kept cannot be zoomed back into it.
  return isSame || end - start < SHORTEST ? null : { kind: 'absolute', from: start, to: end };
}

function oldestOf(now: number, isStored: boolean): number {
  return isStored ? 0 : oldestAsked(now, 'shield');
}
