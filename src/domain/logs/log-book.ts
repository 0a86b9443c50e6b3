import type { LogRecord } from '../log.ts';
import type { Term } from '../query/query.ts';
import type { Gap, TimeRange } from '../tail/coverage.ts';
import type { Anonymisation } from '../zone.ts';
import type { CodedRows } from './columns/coded-rows.ts';
import { HELD, LATE, LogColumns, sortableTime } from './columns/log-columns.ts';
import { LogFilter } from './filter/log-filter.ts';
import { LogSearch } from './filter/log-search.ts';
import { RowTest } from './filter/row-test.ts';
import type { BookWork } from './groups/book-work.ts';
import { type DistinctValue, distinctValues } from './groups/distinct-values.ts';
import type { LogGroup } from './groups/log-group.ts';
import { type BookGroups, LogGrouping } from './groups/log-grouping.ts';
import { LogArrivals } from './order/log-arrivals.ts';
import { type BookItem, itemsOf, LogGaps, type ReadingPlace } from './order/log-gaps.ts';
import { LogOrder } from './order/log-order.ts';
import { type HeldRows, MatchedRows, rowsBetween } from './order/matched-rows.ts';
import { type LogStats, statsOf } from './sums/log-stats.ts';
import { TrafficMeter } from './sums/traffic-meter.ts';

/** Rows that a filter decides of before its first screen is painted, if not so many match: these make it up. */
const ROWS_FIRST = 1 << 15;
const ROWS_OF_SCREENS = 1 << 9;
/** The same between two looks at the keys: some 2 ms. */
const ROWS_AT_ONCE = 1 << 17;

/**
 * The log rows that are kept, and the view over them: rows that match the filter and are not held back by `freeze`,
 * by (timestamp, arrival), oldest first, with the gaps between them. Ids of rows are never used again.
 */
export class LogBook {
  readonly #arrivals: LogArrivals;
  readonly #rowsAtOnce: number;
  readonly #columns = new LogColumns();
  readonly #meter = new TrafficMeter(this.#columns);
  readonly #order = new LogOrder(this.#columns, this.#meter);
  readonly #view = new MatchedRows(this.#columns, this.#order);
  readonly #filter = new LogFilter(this.#columns, this.#order);
  readonly #gaps = new LogGaps(this.#order, this.#view);
  readonly #search = new LogSearch(this.#columns, this.#order, this.#view, this.#gaps);
  readonly #grouping = new LogGrouping(this.#columns, this.#meter, {
    shown: () => this.#view.shown,
    settle: () => this.settle(),
    epoch: () => this.#epoch + this.evicted,
  });
  /** Bumps when other rows are in the view than before, but for those that are new. */
  #epoch = 0;
  #version = 0;

  /**
   * `capacity`: rows kept; the oldest beyond it are evicted and counted. `frozenCapacity`: rows kept while frozen, so
   * that what is being read is not pushed out by what arrives; the surplus goes little by little after `thaw`.
   * `rowsAtOnce`: of so many a filter decides at most before keys are looked at.
   */
  constructor(o: { capacity: number; frozenCapacity?: number; rowsAtOnce?: number }) {
    this.#rowsAtOnce = o.rowsAtOnce ?? ROWS_AT_ONCE;
    const usual = Math.max(1, Math.floor(o.capacity));
    this.#arrivals = new LogArrivals(
      { usual, frozen: Math.max(usual, Math.floor(o.frozenCapacity ?? 0)) },
      { columns: this.#columns, order: this.#order, filter: this.#filter, search: this.#search },
    );
  }

  /** Bumps at each change of what a reader can see. */
  get version(): number {
    return this.#version;
  }

  /** Rows kept. */
  get size(): number {
    return this.#order.size;
  }

  get evicted(): number {
    return this.#arrivals.evicted;
  }

  /** What the kept rows take, about. */
  get bytes(): number {
    return this.#arrivals.bytes;
  }

  /** Kept rows that the filter hides. */
  get hidden(): number {
    return this.#order.size - this.#view.matched;
  }

  /** Kept rows that match the filter and are held back by `freeze`. */
  get backlog(): number {
    return this.#view.matched - this.#view.shown;
  }

  /** Those of the `backlog` that stand behind the newest row in view; the others are late, or history that was read meanwhile. */
  get newer(): number {
    return this.isFrozen ? this.#view.newer : 0;
  }

  /** Rows in the view; `length` counts the gaps between them too. */
  get rowsInView(): number {
    return this.#view.shown;
  }

  get isFrozen(): boolean {
    return this.#arrivals.isFrozen;
  }

  /** Items in the view. */
  get length(): number {
    return this.#view.shown + this.#gaps.count;
  }

  /** Each row goes to its place in time, behind those of the same time. */
  append(rows: readonly { record: LogRecord; late: boolean }[]): void {
    if (rows.length === 0) return;
    this.settle();
    for (const { record, late } of rows) this.#arrivals.take(record, late);
    this.#version++;
  }

  /** The same for rows that still stand in the bytes they were read from; none of them is late. */
  appendCoded(rows: CodedRows): void {
    if (rows.count === 0) return;
    if (!this.#arrivals.hasRoomFor(rows.count)) this.settle();
    this.#arrivals.takeCoded(rows);
    this.#version++;
  }

  /** Evicts the oldest rows until the others take no more than so many bytes. */
  evictDownTo(bytes: number): void {
    if (this.#arrivals.evictDownTo(bytes)) this.#version++;
  }

  setGaps(gaps: readonly Gap[]): void {
    this.#gaps.set(gaps);
    this.#version++;
  }

  /**
   * The view becomes the rows that match all terms and, when given, are of a range of time; see `matcher`. In a large book
   * those near to `place` first: see `filtering`.
   */
  setFilter(
    terms: readonly Term[],
    anonymisation: Anonymisation = 'none',
    range: TimeRange | null = null,
    place: ReadingPlace = 'newest',
  ): void {
    const isAll = terms.length === 0 && range === null;
    const test = isAll ? null : new RowTest(this.#columns, terms, anonymisation, range);
    this.#epoch++;
    this.#filter.start(test, this.#blockAt(place));
    if (this.size <= Math.min(ROWS_FIRST, this.#rowsAtOnce)) this.settle();
    else this.#filter.decide(Math.min(ROWS_FIRST, this.#rowsAtOnce), ROWS_OF_SCREENS);
    this.#version++;
  }

  /** The share of the rows that the filter was asked of; the others are not in the view yet. Null = all were. */
  get filtering(): number | null {
    return this.#filter.share;
  }

  /** Asks the filter of some rows more. */
  work(): void {
    this.#filter.decide(this.#rowsAtOnce);
    this.#version++;
  }

  /** Asks the filter of all rows: whoever reads the whole view, or changes it, waits for it. */
  settle(): void {
    if (this.filtering === null) return;
    this.#filter.decide(Number.POSITIVE_INFINITY);
    this.#version++;
  }

  /** Rows that arrive from now on are kept but stay out of the view. */
  freeze(): void {
    this.#arrivals.isFrozen = true;
    this.#version++;
  }

  thaw(): void {
    this.#arrivals.isFrozen = false;
    this.#columns.clearAll(HELD);
    this.#epoch++;
    this.#order.recount();
    this.#version++;
  }

  at(index: number): BookItem | null {
    if (!Number.isInteger(index) || index < 0 || index >= this.length) return null;
    const gap = this.#gaps.at(index);
    if (gap !== null) return { kind: 'gap', gap };
    return { kind: 'row', id: this.#columns.idOf(this.#view.slotAt(this.#gaps.rowsBefore(index))) };
  }

  has(id: number): boolean {
    return this.#columns.slotOf(id) >= 0;
  }

  /** Throws a RangeError for a row that is no longer kept: see `has`. */
  record(id: number): LogRecord {
    const slot = this.#columns.slotOf(id);
    if (slot < 0) throw new RangeError(`row ${id} is no longer kept`);
    return this.#columns.record(slot);
  }

  isLate(id: number): boolean {
    const slot = this.#columns.slotOf(id);
    return slot >= 0 && (this.#columns.state(slot) & LATE) !== 0;
  }

  /**
   * Where the item stands. For a hidden row or a gap that is gone: the next item in time, or the last; for an evicted
   * row the first row. 0 when the view is empty.
   */
  indexOf(item: BookItem): number {
    const last = Math.max(0, this.length - 1);
    if (item.kind === 'gap') {
      return this.#gaps.indexOf(item.gap.id) ?? Math.min(last, this.#gaps.indexOfTime(item.gap.from));
    }
    const slot = this.#columns.slotOf(item.id);
    const rank = slot < 0 ? 0 : this.#view.rankOf(this.#order.placeOf(slot));
    return Math.min(last, this.#gaps.indexOfRank(rank));
  }

  /** The first item at or after this time; `length` when there is none. */
  indexOfTime(time: number): number {
    return this.#gaps.indexOfTime(sortableTime(time));
  }

  /**
   * The nearest row from this index on, itself included, in which a text column holds the needle, case ignored, or that
   * passes a term; the n-th of them where `times` says so. Does not wrap; null when there is none or the needle is empty.
   */
  search(needle: string | Term, from: number, direction: 1 | -1, times = 1): number | null {
    this.settle();
    return this.#search.next(needle, from, direction, times);
  }

  /** Rows in the view that hold the needle, and how many of them stand at or before the index `at`. */
  countMatches(needle: string | Term, at: number): { index: number; total: number } {
    this.settle();
    return this.#search.count(needle, at);
  }

  /** The view's rows by the values of these fields, the largest groups first. Throws a RangeError for an unknown one. */
  groupBy(fields: readonly string[], limit: number): BookGroups {
    this.settle();
    return this.#grouping.all(fields, limit, this.#version);
  }

  /** The same in steps. Of rows that come meanwhile nothing is counted. */
  countGroups(fields: readonly string[], limit: number): BookWork<BookGroups> {
    return this.#grouping.count(fields, limit);
  }

  /** Ids of rows of these groups of the view, at most about `most` of each, spread evenly over the group's rows. */
  sample(fields: readonly string[], groups: readonly LogGroup[], most: number): BookWork<number[][]> {
    return this.#grouping.sample(fields, groups, most);
  }

  /**
   * What the log did in a range of time, cut into buckets of equal length. Counts the kept rows that match the filter,
   * held back or not: a header stays live while the view is frozen.
   */
  stats(range: TimeRange, buckets: number): LogStats {
    return statsOf(this.#order, range, buckets);
  }

  /** Values of a field in the kept rows, filtered or not, the most frequent first. */
  distinct(field: string, limit: number): DistinctValue[] {
    return distinctValues(this.#columns, this.#meter, field, limit);
  }

  /** Items of the view by index, as they stand when it begins; rows evicted meanwhile are left out. */
  items(from = 0, to = Number.POSITIVE_INFINITY): Generator<BookItem> {
    this.settle();
    return itemsOf(this, from, to);
  }

  /** Kept rows of a range of time, in the view or not. */
  between(range: TimeRange, most: number): HeldRows {
    return rowsBetween(this.#columns, this.#order, range, most);
  }

  /** Of the time before this some rows went; null = none did. */
  get keptFrom(): number | null {
    return this.evicted > 0 ? this.#order.oldestTime + 1 : null;
  }

  #blockAt(place: ReadingPlace): number {
    if (place === 'newest') return Math.max(0, this.#order.blocks.length - 1);
    if (place.kind === 'gap') return this.#order.locate(sortableTime(place.gap.from)).block;
    const slot = this.#columns.slotOf(place.id);
    return slot < 0 ? 0 : this.#order.placeOf(slot).block;
  }
}
