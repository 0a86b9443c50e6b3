import { DAY, HOUR, MINUTE, SECOND } from '../../text/units.ts';
import type { TimeRange } from '../tail/coverage.ts';

/** Time in steps of equal length: `count` steps of `step` ms from `from` on. */
export type Steps = { from: number; step: number; count: number };

/** Lengths of a step that people count in, ms. */
const LENGTHS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 20, 30].map((n) => n * SECOND),
  ...[1, 2, 3, 5, 10, 15, 20, 30].map((n) => n * MINUTE),
  ...[1, 2, 3, 6, 12].map((n) => n * HOUR),
];

/** A moving time begins anew once in so many steps: in between what is painted stays in place. */
const ANCHOR = 8;

/**
 * The shortest steps of the clock that cover a range in at most `most`, which is more than `ANCHOR`. `isMoving`: the
 * range's beginning moves; the first step stays in place meanwhile, and the length of steps does not depend on where
 * the range begins in it.
 */
export function stepsOf({ from, to }: TimeRange, most: number, isMoving = false): Steps {
  const anchor = isMoving ? ANCHOR : 1;
  const stepped = (step: number): Steps => {
    const first = Math.floor(from / (step * anchor)) * step * anchor;
    return { from: first, step, count: Math.max(1, Math.ceil((to - first) / step)) };
  };
  const fits = (step: number) =>
    isMoving ? Math.ceil((to - from) / step) + anchor <= most : stepped(step).count <= most;
  const length = LENGTHS.find(fits);
  if (length !== undefined) return stepped(length);
  const days = Math.max(1, Math.ceil((to - from) / DAY / Math.max(1, most - anchor)));
  return stepped(days * DAY);
}

/** The shortest lengths that people count in which cover a range from its very start in at most `most` steps. */
export function stepsFrom({ from, to }: TimeRange, most: number): Steps {
  const least = Math.max(1, (to - from) / most);
  const step = LENGTHS.find((length) => length >= least) ?? Math.ceil(least / DAY) * DAY;
  return { from, step, count: Math.max(1, Math.ceil((to - from) / step)) };
}

/** The times of a step. */
export function stepAt({ from, step }: Steps, at: number): TimeRange {
  return { from: from + at * step, to: from + (at + 1) * step };
}

/** The step that a time lies in; outside of the steps the nearest. */
export function stepOf({ from, step, count }: Steps, time: number): number {
  return Math.max(0, Math.min(count - 1, Math.floor((time - from) / step)));
}

/**
 * What is known of a step. `part`: some of its time is unread, so its counts are minimums. `open`: it is the newest
 * one, and not over. `gap`: none of it is read, and a gap lies there. `ahead`: it has not come.
 */
export type StepCover = 'read' | 'part' | 'open' | 'unread' | 'gap' | 'ahead';

/** Whether some of a step was read, so that its counts say something. */
export function isCounted(cover: StepCover): boolean {
  return cover === 'read' || cover === 'part' || cover === 'open';
}

/** What is known of time. Each list of ranges is oldest first. */
export type KnownTimes = {
  /** What was read of each source, disjoint. What all of them read is read, what some read is in part. */
  reads: readonly (readonly TimeRange[])[];
  /** Of all sources; they may overlap. */
  gaps: readonly TimeRange[];
  /** The time asked for: of a step that it cuts, only the part inside has to be read. */
  range: TimeRange;
  /** Nothing after it has come, Unix ms. */
  end: number;
};

/** What is known of each step. */
export function coverOf(steps: Steps, { reads, gaps, range, end }: KnownTimes): StepCover[] {
  const readIn = reads.map(timeIn);
  const gapIn = timeIn(gaps);
  const covers: StepCover[] = [];
  for (let at = 0; at < steps.count; at++) {
    const step = stepAt(steps, at);
    const asked = { from: Math.max(step.from, range.from), to: Math.min(step.to, range.to) };
    const isGap = gapIn(step) > 0;
    let [isKnown, isRead] = [false, true];
    for (const read of readIn) {
      const time = read(asked);
      isKnown ||= time > 0;
      isRead &&= time >= asked.to - asked.from;
    }
    if (step.from >= end) covers.push('ahead');
    else if (!isKnown) covers.push(isGap ? 'gap' : 'unread');
    else if (asked.to > end) covers.push('open');
    else covers.push(isRead ? 'read' : 'part');
  }
  return covers;
}

/** How much of a time lies in ranges ordered by time, ms. To be asked about later and later times. */
function timeIn(ranges: readonly TimeRange[]): (time: TimeRange) => number {
  let first = 0;
  return ({ from, to }) => {
    while (first < ranges.length && (ranges[first] as TimeRange).to <= from) first++;
    let sum = 0;
    for (let at = first; at < ranges.length && (ranges[at] as TimeRange).from < to; at++) {
      const range = ranges[at] as TimeRange;
      sum += Math.max(0, Math.min(to, range.to) - Math.max(from, range.from));
    }
    return sum;
  };
}

/** Counts by steps of time. */
type SteppedCounts = { steps: Steps; counts: readonly (readonly number[])[] };

/** At most `most` steps: neighbours become one. The last one stands for no more time than there was, where that is possible. */
export function folded({ steps, counts }: SteppedCounts, most: number): SteppedCounts {
  if (steps.count <= most) return { steps, counts };
  const least = Math.ceil(steps.count / most);
  const sizes = Array.from({ length: least }, (_, i) => least + i);
  const size = sizes.find((each) => steps.count % each === 0) ?? least;
  const count = Math.ceil(steps.count / size);
  return {
    steps: { from: steps.from, step: steps.step * size, count },
    counts: Array.from({ length: count }, (_, at) => summed(counts.slice(at * size, (at + 1) * size))),
  };
}

function summed(counts: readonly (readonly number[])[]): readonly number[] {
  return counts.reduce((all, parts) => all.map((sum, part) => sum + (parts[part] as number)));
}
