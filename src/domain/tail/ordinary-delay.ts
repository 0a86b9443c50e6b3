/** A row that comes within this is never called late, ms: polls and edges of a healthy stream differ by as much. */
const LEAST = 5_000;

/** The share of the rows lately that came in an ordinary time. */
const ORDINARY = 0.9;

/** Rows that the measure goes by: then half of what they told is forgotten. */
const REMEMBERED = 2_000;

/**
 * How late rows of this stream come ordinarily, measured by how late they came behind answers that covered their time.
 * What comes within it needs no sign: streams of many edges are never quite in order.
 */
export class OrdinaryDelay {
  /** Rows by the number of binary digits of their delay, ms. */
  readonly #rows = new Float64Array(48);
  #sum = 0;

  /** `delay`: ms since its time when the answer was asked for; 0 for a row of time that was not read before. */
  add(delay: number): void {
    const at = delay <= 0 ? 0 : Math.min(this.#rows.length - 1, Math.floor(Math.log2(delay)) + 1);
    this.#rows[at] = (this.#rows[at] ?? 0) + 1;
    this.#sum++;
    if (this.#sum <= REMEMBERED) return;
    this.#rows.forEach((count, index) => {
      this.#rows[index] = count / 2;
    });
    this.#sum /= 2;
  }

  /** A row that came later is late: nine in ten came sooner, up to a factor of two. */
  get bound(): number {
    let below = 0;
    const at = this.#rows.findIndex((count) => {
      below += count;
      return below >= this.#sum * ORDINARY;
    });
    return Math.max(LEAST, 2 ** Math.max(0, at));
  }
}
