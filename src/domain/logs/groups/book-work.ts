/** A part of some work: its cost, in units of reading one row's code (some 4 ns), and the share done so far, 0…1. */
type WorkPart = { cost: number; share: number };

/** Work over many rows, done part by part. */
export type Parts<T> = Generator<WorkPart, T>;

/** The default cost of a step, some 5 ms: a key pressed meanwhile waits for it. */
export const STEP_COST = 1_300_000;

/**
 * Work over the rows of a book, in steps between which the book may change. Rows may be added; any other change
 * restarts the work, the second time in a single step, since changes may never end.
 */
export class BookWork<T> {
  /** Null before the end. */
  result: T | null = null;
  share = 0;
  readonly #begin: () => Parts<T>;
  readonly #epoch: () => number;
  #parts: Parts<T>;
  #began: number;
  #isSecond = false;

  /** `epoch` changes with each change that invalidates the work. */
  constructor(begin: () => Parts<T>, epoch: () => number = () => 0) {
    this.#begin = begin;
    this.#epoch = epoch;
    this.#parts = begin();
    this.#began = epoch();
  }

  /** Works until this cost is spent; true = done. */
  step(cost = STEP_COST): boolean {
    if (this.result !== null) return true;
    let left = cost;
    if (this.#began !== this.#epoch()) {
      this.#parts = this.#begin();
      this.#began = this.#epoch();
      if (this.#isSecond) left = Number.POSITIVE_INFINITY;
      this.#isSecond = true;
    }
    while (left > 0) {
      const { done, value } = this.#parts.next();
      if (done) {
        this.result = value;
        return true;
      }
      left -= value.cost;
      this.share = value.share;
    }
    return false;
  }
}

/** All of the work at once. */
export function allWork<T>(parts: Parts<T>): T {
  for (;;) {
    const { done, value } = parts.next();
    if (done) return value;
  }
}
