import type { LogRecord } from '../../log.ts';
import { type CodedRows, createCodedReader } from '../columns/coded-rows.ts';
import { HELD, type LogColumns, sortableTime } from '../columns/log-columns.ts';
import type { LogFilter } from '../filter/log-filter.ts';
import type { LogSearch } from '../filter/log-search.ts';
import type { LogOrder } from './log-order.ts';

/** Rows evicted for one that comes: more than one, so that a surplus shrinks, but few, so that no key waits for it. */
const MOST_EVICTED = 3;

/** Of a row, whatever its texts are: times, sizes, an id, codes, a place in the order. */
const ROW_BYTES = 120;

/** How many rows are kept, and while the view is frozen. */
type Capacity = { usual: number; frozen: number };

/** Rows that come, each of which gets its state and its place in time, and those that go for them. */
export class LogArrivals {
  isFrozen = false;
  evicted = 0;
  readonly #capacity: Capacity;
  readonly #columns: LogColumns;
  readonly #order: LogOrder;
  readonly #filter: LogFilter;
  readonly #search: LogSearch;

  constructor(
    capacity: Capacity,
    to: { columns: LogColumns; order: LogOrder; filter: LogFilter; search: LogSearch },
  ) {
    this.#capacity = capacity;
    this.#columns = to.columns;
    this.#order = to.order;
    this.#filter = to.filter;
    this.#search = to.search;
  }

  /** The filter must have been asked of all rows. */
  take(record: LogRecord, late: boolean): void {
    const isFull = this.#order.size >= this.#most;
    if (isFull && sortableTime(record.timestamp) < this.#order.oldestTime) {
      this.evicted++;
      return;
    }
    for (let gone = 0; gone < MOST_EVICTED && this.#order.size >= this.#most; gone++) {
      this.#columns.remove(this.#order.shift());
      this.evicted++;
    }
    const slot = this.#columns.add(record, late);
    this.#enter(slot);
    this.#order.insert(slot);
  }

  /** True = none has to go for so many rows, so that the filter need not have been asked of all. */
  hasRoomFor(count: number): boolean {
    return !this.#columns.hasFreeSlots && this.#order.size + count <= this.#most;
  }

  /** The same for rows that still stand in the bytes they were read from; none of them is late. */
  takeCoded(rows: CodedRows): void {
    if (this.hasRoomFor(rows.count)) {
      this.#filter.beforeRows();
      const first = this.#columns.addCoded(rows);
      for (let slot = first; slot < first + rows.count; slot++) this.#enter(slot);
      this.#order.insertAll(first, rows.count);
    } else {
      // Each that comes may send another away.
      const record = createCodedReader(rows);
      for (let i = 0; i < rows.count; i++) this.take(record(i), false);
    }
  }

  /** What the rows kept take, about: their texts, and so much for each. */
  get bytes(): number {
    return this.#columns.textBytes + this.#order.size * ROW_BYTES;
  }

  /** Evicts the oldest rows until the others take no more than so many bytes; false where none had to go. */
  evictDownTo(bytes: number): boolean {
    if (this.bytes <= bytes) return false;
    if (this.#filter.share !== null) this.#filter.decide(Number.POSITIVE_INFINITY);
    while (this.#order.size > 0 && this.bytes > bytes) {
      this.#columns.remove(this.#order.shift());
      this.evicted++;
    }
    return true;
  }

  get #most(): number {
    return this.isFrozen ? this.#capacity.frozen : this.#capacity.usual;
  }

  #enter(slot: number): void {
    const held = this.isFrozen ? HELD : 0;
    const bits = this.#filter.enter(slot) | this.#search.enter(slot) | held;
    this.#columns.setState(slot, this.#columns.state(slot) | bits);
  }
}
