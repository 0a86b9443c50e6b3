export type FrameCause = 'key' | 'data';

/** At most ten repaints a second for data. */
const DATA_INTERVAL_MS = 100;
/** Bytes a millisecond for data: half of a 256 kbit/s line. */
const DATA_RATE = 16;
/** Keys are answered at once until this many bytes were sent faster than `KEY_RATE`: a held PgDn on a slow line. */
const KEY_BURST = 32_768;
const KEY_RATE = 64;
/** What keys have sent delays data no longer than this. */
const MAX_KEY_DEBT_MS = 250;

/** Says when a frame may go out. Each byte costs time, so that a big frame pushes the next data frame out. */
export class FramePace {
  #dataFrom = Number.NEGATIVE_INFINITY;
  #keyFrom = Number.NEGATIVE_INFINITY;

  /** The earliest time, in ms, for a frame of this cause. */
  earliest(cause: FrameCause): number {
    return cause === 'data' ? this.#dataFrom : this.#keyFrom - KEY_BURST / KEY_RATE;
  }

  wrote(cause: FrameCause, bytes: number, now: number): void {
    const debt = Math.max(0, this.#dataFrom - now);
    const cost = bytes / DATA_RATE;
    if (cause === 'data') this.#dataFrom = now + Math.max(DATA_INTERVAL_MS, cost);
    else {
      this.#dataFrom = now + Math.max(debt, Math.min(MAX_KEY_DEBT_MS, debt + cost));
      this.#keyFrom = Math.max(this.#keyFrom, now) + bytes / KEY_RATE;
    }
  }
}
