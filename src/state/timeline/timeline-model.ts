import type { LogSeriesId } from '../../domain/timeline/series.ts';

/** `auto`: as much as the screen has room for. */
export type TimelineSize = 'auto' | 'off' | 'low' | 'high';

/** How the traffic over time is drawn above lists. */
export type TimelineState = {
  size: TimelineSize;
  /** What a log is divided by; Shield events are by their action. */
  series: LogSeriesId;
};

export const FIRST_TIMELINE: TimelineState = { size: 'auto', series: 'status' };

/**
 * A cursor on the timeline, Unix ms: the start of its step. `anchor`: the start of the step where a selection began; it goes
 * from there to the cursor, both included. Null = nothing is selected.
 */
export type Brush = { kind: 'timeline'; at: number; anchor: number | null };
