import type { LogRecord } from '../log.ts';
import { NO_CAUSES } from '../origin-cause.ts';
import { isCauseTerm } from '../query/cause-terms.ts';
import type { Term } from '../query/query.ts';
import type { Gap, TimeRange } from '../tail/coverage.ts';
import type { AddressCuts } from '../zone.ts';
import { HELD, IN_VIEW, LATE, LogColumns, sortableTime } from './columns/log-columns.ts';
import { LogFilter } from './filter/log-filter.ts';
import { LogSearch } from './filter/log-search.ts';
import { RowTest } from './filter/row-test.ts';
import { allWork, BookWork, type Parts } from './groups/book-work.ts';
import { type DistinctValue, distinctValues } from './groups/distinct-values.ts';
import { sampleParts } from './groups/group-sample.ts';
import { type BookGroups, groupParts, type LogGroup } from './groups/log-group.ts';
import { type ArrivedPart, arrivedCount } from './log-rows.ts';
import { LogArrivals } from './order/log-arrivals.ts';
import { type BookItem, itemsOf, LogGaps, type ReadingPlace } from './order/log-gaps.ts';
import { LogOrder } from './order/log-order.ts';
import { type HeldRows, MatchedRows, rowsBetween } from './order/matched-rows.ts';
import { TimelineCounts } from './sums/timeline-counts.ts';
import type { LogStats } from './sums/traffic.ts';
import { TrafficMeter } from './sums/traffic-meter.ts';

/**
 * The kept log rows and the view over them: the rows that match the filter and are not held back by `freeze`, ordered by
 * (timestamp, arrival), oldest first, with the gaps between them. Row ids are never reused.
 */
export class LogBook {
  readonly #arrivals: LogArrivals;
  readonly #columns = new LogColumns();
  readonly #meter = new TrafficMeter(this.#columns);
  readonly #order = new LogOrder(this.#columns, this.#meter);
  /** The rows of the view over time. */
  readonly timeline = new TimelineCounts(this.#columns, this.#order);
  readonly #view = new MatchedRows(this.#columns, this.#order);
  readonly #filter: LogFilter;
  readonly #gaps = new LogGaps(this.#order, this.#view);
  readonly #search = new LogSearch(this.#columns, this.#order, this.#view, this.#gaps);
  /** Bumps when the view changes in any way but by new rows. */
  #epoch = 0;
  #version = 0;
  /** The filter in force, empty = none. */
  #asked = '';
  #rated: { range: TimeRange; version: number } = { range: { from: 0, to: 0 }, version: 0 };

  /**
   * `capacity`: rows kept; the oldest beyond it are evicted and counted. `frozenCapacity`: rows kept while frozen, so that new
   * rows do not push out what is being read; the surplus is evicted gradually after `thaw`. `rowsAtOnce`: rows that a filter
   * tests in one step of `work`.
   */
  constructor(o: { capacity: number; frozenCapacity?: number; rowsAtOnce?: number }) {
    this.#filter = new LogFilter(this.#columns, this.#order, o.rowsAtOnce);
    const usual = Math.max(1, Math.floor(o.capacity));
    this.#arrivals = new LogArrivals(
      { usual, frozen: Math.max(usual, Math.floor(o.frozenCapacity ?? 0)) },
      { columns: this.#columns, order: this.#order, filter: this.#filter, search: this.#search },
    );
  }

  /** Bumps at every visible change. */
  get version(): number {
    return this.#version;
  }

  /** What the screen needs to show these rows: see `RowNeeds`. */
  get needs() {
    return this.#arrivals.needs;
  }

  /** Rows kept. */
  get size(): number {
    return this.#order.size;
  }

  /** Rows evicted since the book was made. */
  get evicted(): number {
    return this.#arrivals.evicted;
  }

  /** Approximate memory of the kept rows. */
  get bytes(): number {
    return this.#arrivals.bytes;
  }

  /** Kept rows that the filter hides. */
  get hidden(): number {
    return this.#order.size - this.#view.matched;
  }

  /** Kept rows that match the filter but are held back by `freeze`. */
  get backlog(): number {
    return this.#view.matched - this.#view.shown;
  }

  /** The part of the `backlog` newer than the newest row in view; the rest is late rows, or history read meanwhile. */
  get newer(): number {
    return this.isFrozen ? this.#view.newer : 0;
  }

  /** Rows in the view. */
  get rowsInView(): number {
    return this.#view.shown;
  }

  get isFrozen(): boolean {
    return this.#arrivals.isFrozen;
  }

  /** The time of the newest row when the view was frozen, -Infinity without rows; null = it is not frozen. */
  get frozenAt(): number | null {
    return this.#arrivals.frozenAt;
  }

  /** Items in the view: rows and gaps. */
  get length(): number {
    return this.#view.shown + this.#gaps.count;
  }

  /** Inserts each row by its time, after rows of the same time. `isHeld`: a frozen view goes without them. */
  append(arrivals: readonly ArrivedPart[], isHeld = true): void {
    if (arrivals.length === 0) return;
    const isOfBatches = arrivals.every((each) => 'coded' in each);
    if (!isOfBatches || !this.#arrivals.hasRoomFor(arrivedCount(arrivals))) this.settle();
    this.#arrivals.takeAll(arrivals, isHeld);
    this.#version++;
  }

  /** Evicts the oldest rows until the rest fits in this many bytes. */
  evictDownTo(bytes: number): void {
    if (this.#arrivals.evictDownTo(bytes)) this.#version++;
  }

  setGaps(gaps: readonly Gap[]): void {
    this.#gaps.set(gaps);
    this.#version++;
  }

  /**
   * Narrows the view to the matching rows in the range, those near `place` first; set again when more causes are
   * known.
   */
  setFilter(
    terms: readonly Term[],
    cuts: AddressCuts = 'none',
    range: TimeRange | null = null,
    place: ReadingPlace = 'newest',
    causeOf = NO_CAUSES,
  ): void {
    const isAll = terms.length === 0 && range === null;
    // A step back asks for what stands as often as not, and to ask a million rows again is seen.
    const asked = isAll ? '' : JSON.stringify([terms, cuts, range]);
    if (asked === this.#asked && !terms.some(isCauseTerm)) return;
    this.#asked = asked;
    const test = isAll ? null : new RowTest(this.#columns, terms, cuts, range, causeOf);
    this.#epoch++;
    this.#filter.start(test, place);
    this.#version++;
  }

  /** The share of rows that the filter has tested; the others are not in the view yet. Null = all of them. */
  get filtering(): number | null {
    return this.#filter.share;
  }

  /** Tests some more rows. */
  work(): void {
    this.#filter.work();
    this.#version++;
  }

  /** Tests all remaining rows: done before the whole view is read or changed. */
  settle(): void {
    if (this.filtering === null) return;
    this.#filter.settle();
    this.#version++;
  }

  /** From now on new rows are kept but stay out of the view. */
  freeze(): void {
    this.#arrivals.freeze();
    this.#version++;
  }

  thaw(): void {
    this.#arrivals.thaw();
    this.#columns.clearAll(HELD);
    this.#epoch++;
    this.#order.recount();
    this.#version++;
  }

  at(index: number): BookItem | null {
    return Number.isInteger(index) && index >= 0 ? (this.window(index, index + 1)[0] ?? null) : null;
  }

  /** The items with these indexes, `to` exclusive, as far as there are any. */
  window(from: number, to: number): BookItem[] {
    const end = Math.min(to, this.length);
    const gaps = this.#gaps.between(from, end);
    const slots = this.#view.slotsFrom(this.#gaps.rowsBefore(from), end - from - gaps.size);
    const items: BookItem[] = [];
    for (let index = from, row = 0; index < end; index++) {
      const gap = gaps.get(index);
      if (gap !== undefined) items.push({ kind: 'gap', gap });
      else items.push({ kind: 'row', id: this.#columns.idOf(slots[row++] as number) });
    }
    return items;
  }

  has(id: number): boolean {
    return this.#columns.slotOf(id) >= 0;
  }

  /** Throws a RangeError for a row that is no longer kept: see `has`. */
  record(id: number): LogRecord {
    return this.#columns.record(this.#slotOf(id));
  }

  /** The event time of a row, Unix ms, for a tenth of what its record costs. Throws as `record` does. */
  timeOf(id: number): number {
    return this.#columns.time(this.#slotOf(id));
  }

  #slotOf(id: number): number {
    const slot = this.#columns.slotOf(id);
    if (slot < 0) throw new RangeError(`row ${id} is no longer kept`);
    return slot;
  }

  isLate(id: number): boolean {
    const slot = this.#columns.slotOf(id);
    return slot >= 0 && (this.#columns.state(slot) & LATE) !== 0;
  }

  /**
   * The index of the item. A hidden row or a closed gap gives the next item in time, or the last; an evicted row the first
   * row; an empty view 0.
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

  /** The nearest row from this index on, inclusive, with the needle in any case or passing the term; null = none. */
  search(needle: string | Term, from: number, direction: 1 | -1): number | null {
    this.settle();
    return this.#search.next(needle, from, direction);
  }

  /** How many rows of the view contain the needle, and how many of those are at or before the index `at`. */
  countMatches(needle: string | Term, at: number): { index: number; total: number } {
    this.settle();
    return this.#search.count(needle, at);
  }

  /** Groups the view by these fields, largest groups first. Throws a RangeError for an unknown field. */
  groupBy(fields: readonly string[], limit: number, causeOf = NO_CAUSES): BookGroups {
    this.settle();
    return allWork(this.#groupParts(fields, limit, causeOf));
  }

  /** The same in steps, of rows `since` a time; rows that arrive meanwhile are not counted. */
  countGroups(fields: readonly string[], limit: number, causeOf = NO_CAUSES, since: number | null = null) {
    return this.#work(() => this.#groupParts(fields, limit, causeOf, since));
  }

  /** Row ids of these groups of the view, about `most` of each at most, spread evenly over the group. */
  sample(fields: readonly string[], groups: readonly LogGroup[], most: number, causeOf = NO_CAUSES) {
    return this.#work(() => sampleParts(this.#columns, fields, groups, most, causeOf));
  }

  /**
   * The traffic of a time range, also in buckets of equal length. Rows held back count: the header stays live while
   * the view is frozen.
   */
  stats(range: TimeRange, buckets: number): LogStats {
    return this.#order.stats(range, buckets);
  }

  /** Bumps when the traffic of this range is another, for one reader who asks of the same range again and again. */
  versionOf({ from, to }: TimeRange): number {
    const { rates } = this.#order.changed;
    const { range } = this.#rated;
    if (from !== range.from || to !== range.to || rates.touch(range))
      this.#rated = { range: { from, to }, version: this.#version };
    rates.clear();
    return this.#rated.version;
  }

  /** Values of a field in all kept rows, most frequent first. */
  distinct(field: string, limit: number): DistinctValue[] {
    return distinctValues(this.#columns, this.#meter, field, limit);
  }

  /** Items of the view by index, as of the first call to `next`; rows evicted meanwhile are left out. */
  items(from = 0, to = Number.POSITIVE_INFINITY): Generator<BookItem> {
    this.settle();
    return itemsOf(this, from, to);
  }

  /** Kept rows of a time range, in the view or not. */
  between(range: TimeRange, most: number): HeldRows {
    return rowsBetween(this.#columns, this.#order, range, most);
  }

  /** Rows before this time may have been evicted; null = none was. */
  get keptFrom(): number | null {
    return this.evicted > 0 ? this.#order.oldestTime + 1 : null;
  }

  #groupParts(fields: readonly string[], limit: number, causeOf = NO_CAUSES, since: number | null = null) {
    return groupParts(this.#columns, this.#meter, fields, limit, IN_VIEW, causeOf, { since });
  }

  #work<T>(begin: () => Parts<T>): BookWork<T> {
    const settled = () => {
      this.settle();
      return begin();
    };
    return new BookWork(settled, () => this.#epoch + this.evicted);
  }
}
