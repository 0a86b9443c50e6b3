import type { TimeRange } from '../../tail/coverage.ts';
import { LOG_SERIES, type LogSeriesId, partOfCache, partOfStatus, SERIES } from '../../timeline/series.ts';
import { type Steps, stepAt } from '../../timeline/steps.ts';
import { IN_VIEW, type LogColumns } from '../columns/log-columns.ts';
import { CHUNK_BITS, CHUNK_MASK, type Codes } from '../columns/value-columns.ts';
import { Memo } from '../dictionary/dictionary.ts';
import { type Block, eachRun } from '../order/block.ts';
import type { LogOrder, RowPosition } from '../order/log-order.ts';

/** As many codes as a real log has statuses. */
const FEW = 256;

/** Counts rows in view by the parts of one series at a time. */
class RowMix {
  series: LogSeriesId = LOG_SERIES[0];
  readonly #columns: LogColumns;
  /** By code, the part and one: 0 = not known yet. */
  readonly #parts: Record<LogSeriesId, Memo>;
  /** Rows by code, all 0 between two runs: a fifth of the cost of looking up each row's part. */
  readonly #uses = new Uint32Array(2 * FEW);

  constructor(columns: LogColumns) {
    this.#columns = columns;
    const { cacheStatus, statusCode } = columns.coded;
    this.#parts = {
      status: new Memo((code) => 1 + partOfStatus(code === 0 ? 0 : statusCode.dictionary.value(code))),
      cache: new Memo((code) => 1 + partOfCache(code === 0 ? '-' : cacheStatus.dictionary.value(code))),
    };
    statusCode.dictionary.watch(this.#parts.status);
    cacheStatus.dictionary.watch(this.#parts.cache);
  }

  /** A count of nothing. */
  none(): number[] {
    return SERIES[this.series].map(() => 0);
  }

  /** Adds the rows in view among consecutive slots of one chunk. `isAll`: every one of them is. */
  addRun(counts: number[], slot: number, count: number, isAll: boolean): void {
    const { coded, states } = this.#columns;
    const { chunks, dictionary } = this.series === 'status' ? coded.statusCode : coded.cacheStatus;
    const chunk = slot >>> CHUNK_BITS;
    const first = slot & CHUNK_MASK;
    const codes = chunks[chunk] as Codes;
    const memo = this.#parts[this.series];
    const { limit } = dictionary;
    if (isAll && limit <= FEW) {
      tally(this.#uses, codes, first, first + count);
      for (let code = 0; code < limit; code++) {
        const sum = (this.#uses[code] as number) + (this.#uses[code + FEW] as number);
        if (sum > 0) add(counts, memo.of(code) - 1, sum);
      }
      this.#uses.fill(0, 0, limit);
      this.#uses.fill(0, FEW, FEW + limit);
      return;
    }
    const own = states[chunk] as Uint8Array;
    for (let row = first; row < first + count; row++) {
      const isShown = isAll || ((own[row] as number) & IN_VIEW.mask) === IN_VIEW.bits;
      if (isShown) add(counts, memo.of(codes[row] as number) - 1, 1);
    }
  }
}

/** Rows by code. Every other row has its own table: adding to the same number again waits for the sum before. */
function tally(uses: Uint32Array, codes: Codes, from: number, to: number): void {
  let row = from;
  for (; row + 1 < to; row += 2) {
    const [one, other] = [codes[row] as number, FEW + (codes[row + 1] as number)];
    uses[one] = (uses[one] as number) + 1;
    uses[other] = (uses[other] as number) + 1;
  }
  if (row < to) uses[codes[row] as number] = (uses[codes[row] as number] as number) + 1;
}

function add(sums: number[], at: number, by: number): void {
  sums[at] = (sums[at] as number) + by;
}

/** One in so many rows at either end is left out of the bulk, one at least. */
const BULK = 100;

type Counted = { version: number; series: LogSeriesId; steps: Steps; counts: readonly (readonly number[])[] };

/** Rows in view by steps of time and by the parts of a series. Whole blocks are counted once. */
export class TimelineCounts {
  readonly #columns: LogColumns;
  readonly #order: LogOrder;
  readonly #mix: RowMix;
  #last: Counted | null = null;
  #bulk: { of: number; range: TimeRange | null } = { of: -1, range: null };

  constructor(columns: LogColumns, order: LogOrder) {
    this.#columns = columns;
    this.#order = order;
    this.#mix = new RowMix(columns);
  }

  /** The times of the rows held, in view or not, less a hundredth at either end; null of fewer than three. */
  get bulk(): TimeRange | null {
    const { size, version } = this.#order;
    if (this.#bulk.of !== version) {
      const out = Math.max(1, Math.floor(size / BULK));
      const range = size < 3 ? null : { from: this.#timeOf(out), to: this.#timeOf(size - 1 - out) };
      this.#bulk = { of: version, range };
    }
    return this.#bulk.range;
  }

  /** The times of the rows held, in view or not; null without any. */
  get held(): TimeRange | null {
    const { size, oldestTime, newestTime } = this.#order;
    return size === 0 ? null : { from: oldestTime, to: newestTime + 1 };
  }

  /**
   * The rows of the view in each step, by the parts of a series: as many numbers as `SERIES` has parts. Every key
   * paints them, and most keys change none.
   */
  of(steps: Steps, series: LogSeriesId): readonly (readonly number[])[] {
    const { version } = this.#order;
    const last = this.#last;
    const isLast = last?.version === version && last.series === series && isSame(last.steps, steps);
    if (last && isLast) return last.counts;
    const counts = this.#count(steps, series);
    this.#last = { version, series, steps, counts };
    this.#order.changed.timeline.clear();
    return counts;
  }

  #count(steps: Steps, series: LogSeriesId): (readonly number[])[] {
    if (this.#mix.series !== series) {
      this.#mix.series = series;
      for (const block of this.#order.blocks) block.mix = null;
    }
    let [time, place] = [Number.NaN, { block: 0, position: 0 }];
    return Array.from({ length: steps.count }, (_, at) => {
      const { from, to } = stepAt(steps, at);
      const known = this.#known(from, to, steps, series);
      if (known) return known;
      const begin = from === time ? place : this.#order.locate(from);
      [time, place] = [to, this.#order.locate(to)];
      return this.#between(begin, place);
    });
  }

  /** The last count of a step, unless rows of it came or went. */
  #known(from: number, to: number, { step }: Steps, series: LogSeriesId): readonly number[] | undefined {
    const last = this.#last;
    const { timeline } = this.#order.changed;
    if (last?.series !== series || last.steps.step !== step || timeline.touch({ from, to })) return;
    return last.counts[(from - last.steps.from) / step];
  }

  /** The time of a row held, by its rank. */
  #timeOf(rank: number): number {
    let left = rank;
    for (const { head, tail, slots } of this.#order.blocks) {
      if (left < tail - head) return this.#columns.time(slots[head + left] as number);
      left -= tail - head;
    }
    throw new RangeError(`no row has rank ${rank}`);
  }

  #between(from: RowPosition, to: RowPosition): number[] {
    const counts = this.#mix.none();
    for (const { block, first, end, isWhole } of this.#order.between(from, to)) {
      if (!isWhole) {
        this.#addPart(counts, block, first, end);
        continue;
      }
      block.mix ??= this.#addPart(this.#mix.none(), block, first, end);
      for (let part = 0; part < counts.length; part++)
        counts[part] = (counts[part] as number) + (block.mix[part] as number);
    }
    return counts;
  }

  #addPart(counts: number[], block: Block, from: number, to: number): number[] {
    const { shown, head, tail } = this.#order.counted(block);
    if (shown === 0) return counts;
    const isAll = shown === tail - head;
    eachRun(block, from, to, (slot, count) => this.#mix.addRun(counts, slot, count, isAll));
    return counts;
  }
}

function isSame(a: Steps, b: Steps): boolean {
  return a.from === b.from && a.step === b.step && a.count === b.count;
}
