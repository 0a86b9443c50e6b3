import type { TimeRange } from '../domain/coverage.ts';
import type { FailureKind } from '../domain/failure.ts';
import { splitOf } from '../domain/tail-pace.ts';

/** Most rows of an answer that the API documents. */
export const LARGEST_PAGE = 10_000;

/** What a slice is meant to hold of the rows that fit into an answer: room for a density that rises. */
const FILL = 0.7;
/** The first slice finds out how dense the log is; wide windows are slow or time out (field report). */
const FIRST_SPAN = 3_600_000;
const SPAN_MOST = 12 * FIRST_SPAN;
const GROWTH = 8;
/** A slice of this length that timed out was not too wide. */
const SHORTEST_TIMED_OUT = 60_000;
const PIECES_MOST = 8;

/** Cuts a window into slices that each fit into one answer, by the density of what was read so far. */
export class WindowPlan {
  readonly #range: TimeRange;
  #next: number;
  #span = FIRST_SPAN;
  #widest = SPAN_MOST;
  /** Rows that the server was seen to put into one answer, at most. */
  #page: number;
  readonly #limit: number;
  #newest = Number.NEGATIVE_INFINITY;

  constructor(range: TimeRange, limit: number) {
    this.#range = range;
    this.#next = range.from;
    this.#page = limit;
    this.#limit = limit;
  }

  /** The next slice of the window, oldest first; null when it is planned to its end. */
  next(): TimeRange | null {
    const from = this.#next;
    const left = this.#range.to - from;
    if (left <= 0) return null;
    // A short rest joins the slice before it.
    const to = left <= this.#span * 1.25 ? this.#range.to : from + this.#span;
    this.#next = to;
    return { from, to };
  }

  /** Learns from a complete answer. */
  read(slice: TimeRange, rows: number): void {
    this.#page = Math.min(this.#limit, Math.max(rows, Math.ceil(this.#page * 1.25)));
    this.#learn(slice, rows, slice.to - slice.from);
  }

  /** The slices that take the place of one with more rows than came; null when it cannot be cut further. */
  cut(slice: TimeRange, times: readonly number[]): TimeRange[] | null {
    if (times.length > 0) this.#page = Math.min(this.#page, times.length);
    const split = splitOf(slice, times);
    if (split === null) return null;
    if (times.length > 0) this.#learn(slice, times.length, split - slice.from);
    const first = { from: slice.from, to: split };
    const pieces = Math.ceil((slice.to - split) / Math.max(1, split - slice.from));
    return [first, ...parts({ from: split, to: slice.to }, Math.min(PIECES_MOST, pieces))];
  }

  /** The slices that take the place of one whose answer was too slow or too large; null when that is no help. */
  narrowed(slice: TimeRange, kind: FailureKind): TimeRange[] | null {
    const length = slice.to - slice.from;
    const least =
      kind === 'timeout' ? SHORTEST_TIMED_OUT : kind === 'tooLarge' ? 1 : Number.POSITIVE_INFINITY;
    if (length <= least) return null;
    this.#widest = Math.max(1, Math.floor(length / 4));
    this.#span = Math.min(this.#span, this.#widest);
    return parts(slice, Math.min(4, length));
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

/** A range in equal parts, none of them empty. */
function parts(range: TimeRange, count: number): TimeRange[] {
  const length = range.to - range.from;
  const many = Math.max(1, Math.min(count, length));
  const edge = (at: number) => range.from + Math.floor((length * at) / many);
  return Array.from({ length: many }, (_, at) => ({ from: edge(at), to: edge(at + 1) }));
}
