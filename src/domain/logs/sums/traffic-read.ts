import { lengthOf, shared, type TimeRange } from '../../tail/coverage.ts';
import { sumOf, type Traffic } from './traffic.ts';

/** The traffic of a time, less what was not read of it: `read` of it was, ms. */
export type ReadTraffic = { sums: Traffic; read: number };

/** Fewer rows in a shorter time, ms, tell no rate: two rows within 8 ms are no 250 a second. */
const LEAST = { read: 1000, rows: 100 } as const;

/** A part of which less than this was read tells nothing of the rest. */
const LEAST_SHARE = 0.5;

/**
 * The traffic of a time and of `count` equal parts of it, from the rows of what was read alone: an answer that is not complete has
 * brought rows of time that counts as not read yet. `whole`: the times of which every row is here, oldest first.
 */
export function trafficRead(
  trafficIn: (range: TimeRange) => Traffic,
  { from, to }: TimeRange,
  whole: readonly TimeRange[],
  count: number,
): { total: ReadTraffic; parts: readonly ReadTraffic[] } {
  const edge = (at: number) => (at === count ? to : from + ((to - from) / count) * at);
  const parts = Array.from({ length: count }, (_, at): ReadTraffic => {
    const known = shared({ from: edge(at), to: edge(at + 1) }, whole);
    return { sums: sumOf(known.map(trafficIn)), read: lengthOf(known) };
  });
  const total = { sums: sumOf(parts.map(({ sums }) => sums)), read: lengthOf(shared({ from, to }, whole)) };
  return { total, parts };
}

/** Rows a second of the time that was read for them, ms; null where that is too little to tell. */
export function requestRate(rows: number, read: number): number | null {
  return read <= 0 || (read < LEAST.read && rows < LEAST.rows) ? null : (rows * 1000) / read;
}

/** Requests for each ms that was read of a part, which is so long; null where most of it was not. */
export function requestsIn({ sums, read }: ReadTraffic, length: number): number | null {
  return read < length * LEAST_SHARE ? null : sums.requests / read;
}
