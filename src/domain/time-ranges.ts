import type { TimeRange } from './coverage.ts';

/** What of the range none of the others covers, oldest first. `others` are in order and apart, as `include` keeps them. */
export function without(range: TimeRange, others: readonly TimeRange[]): TimeRange[] {
  const rest: TimeRange[] = [];
  let { from } = range;
  for (const other of others) {
    if (other.to <= from) continue;
    if (other.from >= range.to) break;
    if (other.from > from) rest.push({ from, to: other.from });
    from = other.to;
  }
  if (from < range.to) rest.push({ from, to: range.to });
  return rest;
}

/** Adds a range to a list in order, in which ranges that touch are one. */
export function include(ranges: TimeRange[], range: TimeRange): void {
  const start = ranges.findIndex(({ to }) => to >= range.from);
  const first = start < 0 ? ranges.length : start;
  const past = ranges.findIndex(({ from }) => from > range.to);
  const end = past < 0 ? ranges.length : past;
  const touched = ranges.slice(first, end);
  const from = Math.min(range.from, touched[0]?.from ?? range.from);
  const to = Math.max(range.to, touched.at(-1)?.to ?? range.to);
  ranges.splice(first, end - first, { from, to });
}
