import type { TimeRange } from '../tail/coverage.ts';

/** Time in steps of equal length: `count` steps of `step` ms from `from` on. */
export type Steps = { from: number; step: number; count: number };

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Lengths of a step that people count in, ms. */
const LENGTHS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 20, 30].map((n) => n * SECOND),
  ...[1, 2, 3, 5, 10, 15, 20, 30].map((n) => n * MINUTE),
  ...[1, 2, 3, 6, 12].map((n) => n * HOUR),
];

/** A time that moves on is begun anew once in so many steps: what is painted then stays where it is in between. */
const ANCHOR = 8;

/**
 * The shortest steps of the clock that cover a range in at most `most`. `isMoving`: the range begins later and later, and the
 * first step stays the same meanwhile.
 */
export function stepsOf({ from, to }: TimeRange, most: number, isMoving = false): Steps {
  const anchor = isMoving ? ANCHOR : 1;
  const stepped = (step: number): Steps => {
    const first = Math.floor(from / (step * anchor)) * step * anchor;
    return { from: first, step, count: Math.max(1, Math.ceil((to - first) / step)) };
  };
  for (const length of LENGTHS) {
    const steps = stepped(length);
    if (steps.count <= most) return steps;
  }
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
 * What is known of a step. `part`: some of its time is not read, so that its counts are at least. `gap`: none of it is, and a gap
 * lies there. `ahead`: it has not come.
 */
export type StepCover = 'read' | 'part' | 'unread' | 'gap' | 'ahead';

/** What is known of each step. `read` and `gaps` are disjoint and oldest first; nothing after `end` has come. */
export function coverOf(
  steps: Steps,
  { read, gaps, end }: { read: readonly TimeRange[]; gaps: readonly TimeRange[]; end: number },
): StepCover[] {
  const sharedWith = (ranges: readonly TimeRange[]) => {
    let first = 0;
    return ({ from, to }: TimeRange): number => {
      while (first < ranges.length && (ranges[first] as TimeRange).to <= from) first++;
      let sum = 0;
      for (let at = first; at < ranges.length && (ranges[at] as TimeRange).from < to; at++) {
        const range = ranges[at] as TimeRange;
        sum += Math.min(to, range.to) - Math.max(from, range.from);
      }
      return sum;
    };
  };
  const [readIn, gapIn] = [sharedWith(read), sharedWith(gaps)];
  return Array.from({ length: steps.count }, (_, at): StepCover => {
    const range = stepAt(steps, at);
    if (range.from >= end) return 'ahead';
    const isRead = readIn(range);
    const isGap = gapIn(range);
    if (isRead >= Math.min(range.to, end) - range.from && range.to <= end) return 'read';
    if (isRead > 0) return 'part';
    return isGap > 0 ? 'gap' : 'unread';
  });
}
