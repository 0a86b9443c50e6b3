import { lengthOf, shared, type TimeRange } from '../../tail/coverage.ts';
import { sumOf, type Traffic } from './traffic.ts';

/** The traffic of a time, of which `read` ms were read. */
export type ReadTraffic = { sums: Traffic; read: number };

/** Fewer rows in a shorter time, ms, give no rate: two rows within 8 ms are no 250 a second. */
const LEAST = { read: 1000, rows: 100 } as const;

/** A part of which less than this was read says nothing about the rest. */
const LEAST_SHARE = 0.5;

/**
 * The traffic of a time and of `count` equal parts of it, from the rows of read time alone: an incomplete answer
 * brings rows of time that counts as unread. `whole`: the times of which every row is here, oldest first.
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

/** Rows a second of the time read for them, ms; null where that is too little. */
export function requestRate(rows: number, read: number): number | null {
  return read <= 0 || (read < LEAST.read && rows < LEAST.rows) ? null : (rows * 1000) / read;
}

/** Requests a ms read, of a part of this length; null where most of it was not read. */
export function requestsIn({ sums, read }: ReadTraffic, length: number): number | null {
  return read < length * LEAST_SHARE ? null : sums.requests / read;
}
