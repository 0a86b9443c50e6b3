import type { LogRecord } from '../log.ts';
import type { Term } from '../query/query.ts';
import type { Gap, TimeRange } from '../tail/coverage.ts';
import type { Anonymisation } from '../zone.ts';
import { type CodedRows, createCodedReader } from './coded-rows.ts';
import { FOUND, HELD, IN_VIEW, LATE, LogColumns, MATCHES, sortableTime } from './log-columns.ts';
import { type DistinctValue, distinctValues } from './log-distinct.ts';
import { LogGaps } from './log-gaps.ts';
import { groupRows, type LogGroup, type LogGroups } from './log-group.ts';
import { sampledRows } from './log-group-rows.ts';
import { type BookItem, itemsOf } from './log-items.ts';
import { LogOrder } from './log-order.ts';
import { type LogStats, statsOf } from './log-stats.ts';
import { RowTest } from './log-terms.ts';
import { TrafficMeter } from './log-traffic.ts';
import { LogView } from './log-view.ts';

/** Rows evicted for one that comes: more than one, so that a surplus shrinks, but few, so that no key waits for it. */
const MOST_EVICTED = 3;

export type BookRow = { id: number; record: LogRecord; late: boolean };

/**
 * The log rows that are kept, and the view over them: rows that match the filter and are not held back by `freeze`,
 * by (timestamp, arrival), oldest first, with the gaps between them. Ids of rows are never used again.
 */
export class LogBook {
  readonly #capacity: number;
  readonly #frozenCapacity: number;
  readonly #columns = new LogColumns();
  readonly #meter = new TrafficMeter(this.#columns);
  readonly #order = new LogOrder(this.#columns, this.#meter);
  readonly #view = new LogView(this.#columns, this.#order);
  #filter: RowTest | null = null;
  #search: { needle: string; test: RowTest } | null = null;
  readonly #gaps = new LogGaps(this.#order, this.#view);
  #grouped: LogGroups & { question: string } = { question: '', groups: [], total: 0 };
  #isFrozen = false;
  #version = 0;
  #evicted = 0;

  /**
   * `capacity`: rows kept; the oldest beyond it are evicted and counted. `frozenCapacity`: rows kept while frozen, so
   * that what is being read is not pushed out by what arrives; the surplus goes little by little after `thaw`.
   */
  constructor(o: { capacity: number; frozenCapacity?: number }) {
    this.#capacity = Math.max(1, Math.floor(o.capacity));
    this.#frozenCapacity = Math.max(this.#capacity, Math.floor(o.frozenCapacity ?? 0));
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
    return this.#evicted;
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
    return this.#isFrozen ? this.#view.newer : 0;
  }

  /** Rows in the view; `length` counts the gaps between them too. */
  get rowsInView(): number {
    return this.#view.shown;
  }

  get isFrozen(): boolean {
    return this.#isFrozen;
  }

  /** Items in the view. */
  get length(): number {
    return this.#view.shown + this.#gaps.count;
  }

  /** Each row goes to its place in time, behind those of the same time. */
  append(rows: readonly { record: LogRecord; late: boolean }[]): void {
    if (rows.length === 0) return;
    for (const { record, late } of rows) this.#insert(record, late);
    this.#version++;
  }

  /** The same for rows that still stand in the bytes they were read from; none of them is late. */
  appendCoded(rows: CodedRows): void {
    if (rows.count === 0) return;
    const limit = this.#isFrozen ? this.#frozenCapacity : this.#capacity;
    if (this.#columns.hasFreeSlots || this.#order.size + rows.count > limit) {
      // Where rows have to go, each that comes may send another away.
      const record = createCodedReader(rows);
      for (let i = 0; i < rows.count; i++) this.#insert(record(i), false);
    } else {
      const first = this.#columns.addCoded(rows);
      for (let slot = first; slot < first + rows.count; slot++) this.#enter(slot);
      this.#order.insertAll(first, rows.count);
    }
    this.#version++;
  }

  setGaps(gaps: readonly Gap[]): void {
    this.#gaps.set(gaps);
    this.#version++;
  }

  /** The view becomes the rows that match all terms and, when given, are of a range of time; see `matcher`. */
  setFilter(
    terms: readonly Term[],
    anonymisation: Anonymisation = 'none',
    range: TimeRange | null = null,
  ): void {
    this.#filter?.close();
    const isAll = terms.length === 0 && range === null;
    this.#filter = isAll ? null : new RowTest(this.#columns, terms, anonymisation, range);
    if (this.#filter === null) this.#columns.setAll(MATCHES);
    else this.#filter.markAll(MATCHES);
    this.#order.recount(true);
    this.#version++;
  }

  /** Rows that arrive from now on are kept but stay out of the view. */
  freeze(): void {
    this.#isFrozen = true;
    this.#version++;
  }

  thaw(): void {
    this.#isFrozen = false;
    this.#columns.clearAll(HELD);
    this.#order.recount(false);
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
    return this.#columns.record(this.#slotOf(id));
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
   * The nearest row from this index on, itself included, in which a text column holds the needle, case ignored.
   * Does not wrap; null when there is none or the needle is empty.
   */
  search(needle: string, from: number, direction: 1 | -1): number | null {
    if (!this.#find(needle)) return null;
    const before = this.#view.foundBelow(this.#gaps.rowsBefore(direction === 1 ? from : from + 1));
    const ordinal = direction === 1 ? before : before - 1;
    if (ordinal < 0 || ordinal >= this.#view.found) return null;
    return this.#gaps.indexOfRank(this.#view.rankOfFound(ordinal));
  }

  /** Rows in the view that hold the needle, and how many of them stand at or before the index `at`. */
  countMatches(needle: string, at: number): { index: number; total: number } {
    if (!this.#find(needle)) return { index: 0, total: 0 };
    return { index: this.#view.foundBelow(this.#gaps.rowsBefore(at + 1)), total: this.#view.found };
  }

  /** The view's rows by the values of these fields, the largest groups first. `total` = distinct groups. */
  groupBy(fields: readonly string[], limit: number): { groups: LogGroup[]; total: number; rows: number } {
    const question = `${this.#version} ${limit} ${fields.join(',')}`;
    if (this.#grouped.question !== question) {
      const groups = groupRows(this.#columns, this.#meter, fields, limit, IN_VIEW);
      this.#grouped = { question, ...groups };
    }
    return { groups: this.#grouped.groups, total: this.#grouped.total, rows: this.#view.shown };
  }

  /** Rows of these groups of the view, at most about `most` of each, spread evenly over the group's rows. */
  sample(fields: readonly string[], groups: readonly LogGroup[], most: number): LogRecord[][] {
    return sampledRows(this.#columns, fields, groups, most, IN_VIEW);
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
  items(from = 0, to = this.length): Generator<BookItem> {
    return itemsOf(this, from, to);
  }

  /** The rows among the items of the view. */
  *rows(from = 0, to = this.length): Generator<BookRow> {
    for (const item of this.items(from, to)) {
      if (item.kind === 'row')
        yield { id: item.id, record: this.record(item.id), late: this.isLate(item.id) };
    }
  }

  #insert(record: LogRecord, late: boolean): void {
    const limit = this.#isFrozen ? this.#frozenCapacity : this.#capacity;
    const isFull = this.#order.size >= limit;
    if (isFull && sortableTime(record.timestamp) < this.#order.oldestTime) {
      this.#evicted++;
      return;
    }
    for (let gone = 0; gone < MOST_EVICTED && this.#order.size >= limit; gone++) {
      this.#columns.remove(this.#order.shift());
      this.#evicted++;
    }
    this.#place(this.#columns.add(record, late));
  }

  /** Gives a new row its state and its place in the order. */
  #place(slot: number): void {
    this.#enter(slot);
    this.#order.insert(slot);
  }

  #enter(slot: number): void {
    let state = this.#columns.state(slot);
    if (this.#filter === null || this.#filter.passes(slot)) state |= MATCHES;
    if (this.#isFrozen) state |= HELD;
    if (this.#search?.test.passes(slot)) state |= FOUND;
    this.#columns.setState(slot, state);
  }

  /** Makes the search one for this needle; the empty needle ends the search and finds nothing. */
  #find(needle: string): boolean {
    if (this.#search?.needle === needle) return true;
    this.#search?.test.close();
    this.#search = null;
    if (needle === '') return false;
    const test = new RowTest(this.#columns, [{ kind: 'text', value: needle, negated: false }], 'none');
    this.#search = { needle, test };
    test.markAll(FOUND);
    this.#order.recount(false);
    return true;
  }

  #slotOf(id: number): number {
    const slot = this.#columns.slotOf(id);
    if (slot < 0) throw new RangeError(`row ${id} is no longer kept`);
    return slot;
  }
}
