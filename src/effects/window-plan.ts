import type { FailureKind } from '../domain/failure.ts';
import type { TimeRange } from '../domain/tail/coverage.ts';
import { shrunkSpan, splitOf, TAIL_TUNING } from '../domain/tail/tail-pace.ts';

/** The share of an answer that a slice should fill: the rest is room for a rising density. */
const FILL = 0.7;
/** The first slice finds out how dense the log is; wide windows are slow or time out (field report). */
const FIRST_SPAN = 3_600_000;
const SPAN_MOST = 12 * FIRST_SPAN;
const GROWTH = 8;

/** Cuts what is still to be read into slices that each fit into one answer, by the density of what was read so far. */
export class WindowPlan {
  #span = FIRST_SPAN;
  #widest = SPAN_MOST;
  /** Rows that the server was seen to put into one answer, at most. */
  #page: number;
  readonly #limit: number;
  #newest = Number.NEGATIVE_INFINITY;

  constructor(limit: number) {
    this.#page = limit;
    this.#limit = limit;
  }

  /** End of the slice with which to begin this range; a short rest joins it. */
  endOf({ from, to }: TimeRange): number {
    return to - from <= this.#span * 1.25 ? to : from + this.#span;
  }

  /** Learns from a complete answer. */
  read(slice: TimeRange, rows: number): void {
    this.#page = Math.min(this.#limit, Math.max(rows, Math.ceil(this.#page * 1.25)));
    this.#learn(slice, rows, slice.to - slice.from);
  }

  /** Where to cut a slice that has more rows than came; null when it cannot be cut. */
  cut(slice: TimeRange, times: readonly number[]): number | null {
    if (times.length > 0) this.#page = Math.min(this.#page, times.length);
    const split = splitOf(slice, times);
    if (split !== null && times.length > 0) this.#learn(slice, times.length, split - slice.from);
    return split;
  }

  /** Where to cut a slice whose answer was too slow or too large; null when that does not help. */
  narrowed(slice: TimeRange, kind: FailureKind): number | null {
    const length = slice.to - slice.from;
    const shorter = shrunkSpan(length, kind, TAIL_TUNING);
    if (shorter === length) return null;
    this.#widest = shorter;
    this.#span = Math.min(this.#span, shorter);
    return slice.from + shorter;
  }

  #learn(slice: TimeRange, rows: number, ms: number): void {
    // Answers come in any order, and the density now is that of the newest time.
    if (slice.from < this.#newest) return;
    this.#newest = slice.from;
    const fitting = rows === 0 ? Number.POSITIVE_INFINITY : (this.#page * FILL * ms) / rows;
    const grown = Math.max(1, slice.to - slice.from) * GROWTH;
    this.#span = Math.max(1, Math.floor(Math.min(fitting, grown, this.#widest)));
  }
}
