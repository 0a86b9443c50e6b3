import type { LogRecord } from '../../log.ts';
import { type CodedRows, createCodedReader } from '../columns/coded-rows.ts';
import { grownNeeds, NO_NEEDS } from '../columns/column-needs.ts';
import { HELD, type LogColumns, sortableTime } from '../columns/log-columns.ts';
import type { LogFilter } from '../filter/log-filter.ts';
import type { LogSearch } from '../filter/log-search.ts';
import type { ArrivedPart } from '../log-rows.ts';
import type { LogOrder } from './log-order.ts';

/** Rows evicted per new row: more than one, so that a surplus shrinks, but few, so that no key waits. */
const MOST_EVICTED = 3;

/** Bytes of a row besides its texts: times, sizes, an id, codes, a place in the order. */
const ROW_BYTES = 120;

/** Rows kept, and rows kept while the view is frozen. */
type Capacity = { usual: number; frozen: number };

/** Adds new rows, with their states and places in time, and evicts the oldest to make room. */
export class LogArrivals {
  evicted = 0;
  /** The rows' needs of the screen: the same object until one of them grows. */
  needs = NO_NEEDS;
  /** See `LogBook.frozenAt`. */
  frozenAt: number | null = null;
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

  get isFrozen(): boolean {
    return this.frozenAt !== null;
  }

  freeze(): void {
    this.frozenAt ??= this.#order.newestTime;
  }

  thaw(): void {
    this.frozenAt = null;
  }

  /** The filter must have tested all rows, unless those that come are a batch that there is room for. */
  takeAll(arrivals: readonly ArrivedPart[], isHeld: boolean): void {
    for (const each of arrivals) {
      if ('coded' in each) this.#takeCoded(each.coded, each.late, isHeld);
      else this.#take(each.record, each.late, isHeld);
    }
    this.needs = grownNeeds(this.needs, this.#columns);
  }

  #take(record: LogRecord, late: boolean, isHeld: boolean): void {
    const isFull = this.#order.size >= this.#most;
    if (isFull && sortableTime(record.timestamp) < this.#order.oldestTime) {
      this.evicted++;
      return;
    }
    if (this.#order.size >= this.#most)
      this.#evict(Math.min(MOST_EVICTED, this.#order.size + 1 - this.#most));
    const slot = this.#columns.add(record, late);
    this.#enter(slot, isHeld);
    this.#order.insert(slot);
  }

  /** True = this many rows fit without eviction, so that the filter need not have tested all. */
  hasRoomFor(count: number): boolean {
    return !this.#columns.hasFreeSlots && this.#order.size + count <= this.#most;
  }

  #takeCoded(rows: CodedRows, late: Readonly<Uint8Array> | null, isHeld: boolean): void {
    if (!this.#makesRoomFor(rows)) {
      const recordOf = createCodedReader(rows);
      for (let row = 0; row < rows.count; row++) this.#take(recordOf(row), late?.[row] === 1, isHeld);
      return;
    }
    this.#filter.beforeRows();
    for (const { slot: first, count } of this.#columns.addCoded(rows, late)) {
      for (let slot = first; slot < first + count; slot++) this.#enter(slot, isHeld);
      this.#order.insertAll(first, count);
    }
  }

  /**
   * Evicts the rows that these would evict one by one; false where one of these is older than such a row, so that it may
   * have to go itself.
   */
  #makesRoomFor({ times, count }: CodedRows): boolean {
    const { size } = this.#order;
    const over = Math.min(size + count - this.#most, MOST_EVICTED * count);
    if (over <= 0) return true;
    if (over > size || leastOf(times) < this.#order.timeAt(over - 1)) return false;
    this.#evict(over);
    return true;
  }

  #evict(count: number): void {
    this.#columns.removeAll(Array.from({ length: count }, () => this.#order.shift()));
    this.evicted += count;
  }

  /** Approximate memory of the kept rows: their texts, and a fixed size for each row. */
  get bytes(): number {
    return this.#columns.textBytes + this.#order.size * ROW_BYTES;
  }

  /** Evicts the oldest rows until the rest fits in this many bytes; false when it already did. */
  evictDownTo(bytes: number): boolean {
    if (this.bytes <= bytes) return false;
    if (this.#filter.share !== null) this.#filter.settle();
    while (this.#order.size > 0 && this.bytes > bytes) this.#evict(1);
    return true;
  }

  get #most(): number {
    return this.isFrozen ? this.#capacity.frozen : this.#capacity.usual;
  }

  #enter(slot: number, isHeld: boolean): void {
    const held = isHeld && this.isFrozen ? HELD : 0;
    const bits = this.#filter.enter(slot) | this.#search.enter(slot) | held;
    this.#columns.setState(slot, this.#columns.state(slot) | bits);
  }
}

function leastOf(times: Float64Array): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < times.length; i++) least = Math.min(least, times[i] as number);
  return least;
}
