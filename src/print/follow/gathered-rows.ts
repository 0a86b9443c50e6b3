import type { LogRecord } from '../../domain/log.ts';
import type { Clock } from '../../time/clock.ts';

/** As long as a poll of a busy zone: a row waits no longer for those of other zones, ms. */
const HELD_MOST = 800;

/** `since`: when it came, ms of the clock. */
type Held = { record: LogRecord; since: number };

/**
 * Puts the rows of several zones that come side by side into one order of time. A row waits until every zone has been
 * read up to it, and at most a poll; then it goes out, whatever comes of other zones later.
 */
export class GatheredRows {
  readonly #clock: Clock;
  readonly #put: (records: readonly LogRecord[]) => void;
  /** Up to where each zone was read, Unix ms. */
  readonly #readTo: number[];
  /** In the order in which they came. */
  #held: Held[] = [];
  #cancel = () => {};

  constructor(o: { zones: number; clock: Clock; put: (records: readonly LogRecord[]) => void }) {
    this.#clock = o.clock;
    this.#put = o.put;
    this.#readTo = Array.from({ length: o.zones }, () => Number.NEGATIVE_INFINITY);
  }

  /** `zone` is its place among the zones; of the time before `readTo`, Unix ms, hardly a row of it is still to come. */
  add(zone: number, records: readonly LogRecord[], readTo: number): void {
    if (this.#readTo.length === 1) {
      this.#put(records);
      return;
    }
    const since = this.#clock.now();
    this.#readTo[zone] = Math.max(this.#readTo[zone] ?? readTo, readTo);
    for (const record of records) this.#held.push({ record, since });
    this.#release(Math.min(...this.#readTo));
  }

  /** Lets out what still waits. */
  flush(): void {
    this.#release(Number.POSITIVE_INFINITY);
  }

  /** Lets out what is older than a time, and what has waited long enough with all that stands before it. */
  #release(time: number): void {
    this.#cancel();
    const now = this.#clock.now();
    let to = time;
    for (const { record, since } of this.#held) {
      if (since > now - HELD_MOST) break;
      to = Math.max(to, record.timestamp + 1);
    }
    const ready = this.#held.filter(({ record }) => record.timestamp < to).map(({ record }) => record);
    this.#held = this.#held.filter(({ record }) => record.timestamp >= to);
    const [oldest] = this.#held;
    if (oldest) this.#cancel = this.#clock.after(oldest.since + HELD_MOST - now, () => this.#release(time));
    if (ready.length > 0) this.#put(ready.sort((a, b) => a.timestamp - b.timestamp));
  }
}
