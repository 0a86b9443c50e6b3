/** A part of some work: what it cost, one being a row looked at by its code, some 4 ns; and the share done, 0…1. */
export type Part = { cost: number; share: number };

/** Work over many rows, done part by part. */
export type Parts<T> = Generator<Part, T>;

/** What a step of work costs by default: a key that comes meanwhile waits for it, some 5 ms. */
export const STEP_COST = 1_300_000;

/**
 * Work over the rows of a book, in steps between which the book may change. Rows may be added; work that a change of
 * another kind made worthless begins again, a second time in one step, since changes may come for ever.
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

  /** `epoch` is another number after each change that the work does not outlive. */
  constructor(begin: () => Parts<T>, epoch: () => number = () => 0) {
    this.#begin = begin;
    this.#epoch = epoch;
    this.#parts = begin();
    this.#began = epoch();
  }

  /** Goes on until this much was done; true = there is nothing left to do. */
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
export function allOf<T>(parts: Parts<T>): T {
  for (;;) {
    const { done, value } = parts.next();
    if (done) return value;
  }
}
