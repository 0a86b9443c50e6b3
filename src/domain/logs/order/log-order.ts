import { firstWhere } from '../../sorted.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import { FOUND, HELD, type LogColumns, MATCHES } from '../columns/log-columns.ts';
import { CHUNK_BITS, CHUNK_MASK } from '../columns/value-columns.ts';
import { addTraffic, type LogStats, noTraffic, type Traffic } from '../sums/traffic.ts';
import type { TrafficMeter } from '../sums/traffic-meter.ts';
import {
  BLOCK_ROWS,
  type Block,
  countStates,
  eachRun,
  emptyBlock,
  forgetSums,
  place,
  splitOff,
} from './block.ts';

export type RowPosition = { block: number; position: number };

type BlockPart = { block: Block; first: number; end: number; isWhole: boolean };

/** The times in which rows came or went since its reader last cleared it, Unix ms. */
class ChangedTimes {
  /** Rows before `#from` and after `#to` are as they were. */
  #from = Number.NEGATIVE_INFINITY;
  #to = 0;

  came(time: number): void {
    if (time < this.#from) this.#from = time;
  }

  went(time: number): void {
    if (time > this.#to) this.#to = time;
  }

  /** Whether a row of this range, `to` excluded, may be another. */
  touch({ from, to }: TimeRange): boolean {
    return to > this.#from || from <= this.#to;
  }

  clear(): void {
    this.#from = Number.POSITIVE_INFINITY;
    this.#to = Number.NEGATIVE_INFINITY;
  }
}

/** The rows of a book by (timestamp, arrival), oldest first, in blocks. */
export class LogOrder {
  readonly blocks: Block[] = [];
  size = 0;
  /** Bumps when rows or their states change. */
  version = 0;
  /** One for each who sums up rows. */
  readonly changed = { timeline: new ChangedTimes(), rates: new ChangedTimes() };
  readonly #columns: LogColumns;
  readonly #meter: TrafficMeter;

  constructor(columns: LogColumns, meter: TrafficMeter) {
    this.#columns = columns;
    this.#meter = meter;
  }

  get oldestTime(): number {
    const first = this.blocks[0];
    return first === undefined ? Number.NEGATIVE_INFINITY : this.#timeAt(first, first.head);
  }

  get newestTime(): number {
    const last = this.blocks.at(-1);
    return last === undefined ? Number.NEGATIVE_INFINITY : this.#timeAt(last, last.tail - 1);
  }

  /** The time of the row that so many rows come before. There must be one. */
  timeAt(rank: number): number {
    let before = 0;
    let at = 0;
    for (; ; at++) {
      const { head, tail } = this.blocks[at] as Block;
      if (before + tail - head > rank) break;
      before += tail - head;
    }
    const block = this.blocks[at] as Block;
    return this.#timeAt(block, block.head + rank - before);
  }

  /** Inserts a row after all rows of its time or earlier. Its state must be set. */
  insert(slot: number): void {
    this.version++;
    this.size++;
    const time = this.#columns.time(slot);
    this.#came(time);
    let block: Block;
    if (this.newestTime <= time) {
      block = this.#lastWithRoom();
      this.#begin(block);
      place(block, block.tail, slot);
    } else {
      const at = this.#blockUpTo(time);
      block = this.blocks[at] as Block;
      if (block.tail - block.head === BLOCK_ROWS) {
        this.blocks.splice(at + 1, 0, splitOff(block, BLOCK_ROWS / 2));
        if (this.#timeAt(this.blocks[at + 1] as Block, 0) <= time) block = this.blocks[at + 1] as Block;
      }
      this.#begin(block);
      place(block, this.#positionAfter(block, time), slot);
    }
    this.#count(block, slot, 1);
  }

  /** The same for rows in consecutive slots. */
  insertAll(first: number, count: number): void {
    this.version++;
    const end = first + count;
    for (let slot = first; slot < end; ) {
      let newest = this.newestTime;
      if (this.#columns.time(slot) < newest) {
        slot = this.#insertRun(slot, end);
        continue;
      }
      const block = this.#lastWithRoom();
      this.#begin(block);
      this.#came(this.#columns.time(slot));
      const before = slot;
      for (; slot < end && block.tail < BLOCK_ROWS; slot++) {
        const time = this.#columns.time(slot);
        if (time < newest) break;
        newest = time;
        place(block, block.tail, slot);
      }
      this.size += slot - before;
      forgetSums(block);
      // Summed now, and not all in the first frame after a million rows.
      if (block.tail === BLOCK_ROWS) this.#sum(this.counted(block));
    }
  }

  /**
   * Inserts the row of a slot, which is not the newest, and the next ones as long as no row that is there comes between them;
   * returns the slot behind them. A page of history is blocks of its own.
   */
  #insertRun(first: number, end: number): number {
    const time = this.#columns.time(first);
    const { block: at, position } = this.#firstRow((each) => each > time);
    const block = this.blocks[at] as Block;
    const limit = this.#timeAt(block, position);
    let behind = first + 1;
    for (let newest = time; behind < end; behind++) {
      const each = this.#columns.time(behind);
      if (each < newest || each >= limit) break;
      newest = each;
    }
    if (behind - first < BLOCK_ROWS / 2) {
      for (let slot = first; slot < behind; slot++) this.insert(slot);
      return behind;
    }
    this.#came(time);
    this.size += behind - first;
    const run: Block[] = [];
    for (let slot = first; slot < behind; ) {
      const added = emptyBlock();
      for (; slot < behind && added.tail < BLOCK_ROWS; slot++) place(added, added.tail, slot);
      forgetSums(added);
      run.push(added);
    }
    const isInside = position > block.head;
    if (isInside) run.push(splitOff(block, position));
    this.blocks.splice(isInside ? at + 1 : at, 0, ...run);
    return behind;
  }

  #lastWithRoom(): Block {
    const last = this.blocks.at(-1);
    if (last !== undefined && last.tail < BLOCK_ROWS) return last;
    const block = emptyBlock();
    this.blocks.push(block);
    return block;
  }

  /** Removes the oldest row and returns its slot. There must be one. */
  shift(): number {
    this.version++;
    this.size--;
    const block = this.blocks[0] as Block;
    const slot = block.slots[block.head] as number;
    const time = this.#columns.time(slot);
    this.changed.timeline.went(time);
    this.changed.rates.went(time);
    block.head++;
    this.#count(block, slot, -1);
    if (block.head === block.tail) this.blocks.shift();
    return slot;
  }

  /** Call after rows were held back, released or searched. */
  recount(): void {
    this.#allChanged();
    for (const block of this.blocks) {
      block.isCounted = false;
      block.listed = null;
      block.mix = null;
    }
  }

  /** Forgets which rows match: the filter has to decide every block again. */
  forget(): void {
    this.#allChanged();
    for (const block of this.blocks) {
      block.decision = 'due';
      block.isCounted = true;
      block.matched = 0;
      block.shown = 0;
      block.found = 0;
      block.listed = null;
      block.mix = null;
      block.traffic = noTraffic();
    }
  }

  /** Call after the filter decided which rows of the block match. */
  decided(block: Block): void {
    this.#allChanged();
    block.decision = 'made';
    forgetSums(block);
    this.#sum(this.counted(block));
  }

  /** The place of the first row at or after this time; one past the last row when there is none. */
  locate(time: number): RowPosition {
    return this.#firstRow((each) => each >= time);
  }

  /** The place of the first row with such a time, as all later ones have. */
  #firstRow(isSo: (time: number) => boolean): RowPosition {
    const at = firstWhere(0, this.blocks.length, (each) => {
      const block = this.blocks[each] as Block;
      return isSo(this.#timeAt(block, block.tail - 1));
    });
    const block = this.blocks[at];
    if (block === undefined) return { block: at, position: 0 };
    const isAt = (position: number) => isSo(this.#timeAt(block, position));
    return { block: at, position: firstWhere(block.head, block.tail, isAt) };
  }

  /** The place of a kept row. Rows of the same time are searched one by one. */
  placeOf(slot: number): RowPosition {
    const { block: first, position } = this.locate(this.#columns.time(slot));
    for (let at = first; at < this.blocks.length; at++) {
      const block = this.blocks[at] as Block;
      const found = block.slots.subarray(0, block.tail).indexOf(slot, at === first ? position : block.head);
      if (found >= 0) return { block: at, position: found };
    }
    throw new Error('a kept row has no place in the order');
  }

  counted(block: Block): Block {
    if (block.isCounted) return block;
    const states = this.#columns.states;
    block.matched = 0;
    block.shown = 0;
    block.found = 0;
    if (block.decision !== 'due') {
      eachRun(block, block.head, block.tail, (slot, count) => {
        const row = slot & CHUNK_MASK;
        countStates(block, states[slot >>> CHUNK_BITS] as Uint8Array, row, row + count);
      });
    }
    block.isCounted = true;
    return block;
  }

  /** The parts of blocks between two places. `isWhole`: all of its block. */
  *between(from: RowPosition, to: RowPosition): Generator<BlockPart> {
    for (let at = from.block; at <= to.block && at < this.blocks.length; at++) {
      const block = this.blocks[at] as Block;
      const first = at === from.block ? from.position : block.head;
      const end = at === to.block ? to.position : block.tail;
      yield { block, first, end, isWhole: first === block.head && end === block.tail };
    }
  }

  /** Sums over the matching rows between two places. */
  #trafficBetween(from: RowPosition, to: RowPosition): Traffic {
    const sum = noTraffic();
    for (const { block, first, end, isWhole } of this.between(from, to)) {
      if (isWhole) addTraffic(sum, this.#sum(block));
      else this.#traffic(block, first, end, sum);
    }
    return sum;
  }

  /** See `LogBook.stats`. */
  stats(range: TimeRange, count: number): LogStats {
    const total = noTraffic();
    const step = (range.to - range.from) / count;
    let from = range.from;
    let place = this.locate(from);
    const buckets = Array.from({ length: count }, (_, i) => {
      const to = i === count - 1 ? range.to : range.from + step * (i + 1);
      const end = this.locate(to);
      const bucket = { from, to, ...this.#trafficBetween(place, end) };
      addTraffic(total, bucket);
      [from, place] = [to, end];
      return bucket;
    });
    return { total, buckets };
  }

  /** The sums over a whole block. */
  #sum(block: Block): Traffic {
    block.traffic ??= this.#traffic(block, block.head, block.tail, noTraffic());
    return block.traffic;
  }

  #traffic(block: Block, from: number, to: number, sum: Traffic): Traffic {
    if (block.decision === 'due') return sum;
    eachRun(block, from, to, (slot, count) => this.#meter.addRun(sum, slot, count));
    return sum;
  }

  /** Call before a matching row arrives: rows of an undecided block must not count as matches. */
  #begin(block: Block): void {
    if (block.decision !== 'due') return;
    block.decision = 'begun';
    for (let i = block.head; i < block.tail; i++) {
      const slot = block.slots[i] as number;
      this.#columns.setState(slot, this.#columns.state(slot) & ~MATCHES);
    }
  }

  #allChanged(): void {
    this.version++;
    this.#came(Number.NEGATIVE_INFINITY);
  }

  #came(time: number): void {
    this.changed.timeline.came(time);
    this.changed.rates.came(time);
  }

  #count(block: Block, slot: number, sign: 1 | -1): void {
    block.listed = null;
    block.mix = null;
    const state = this.#columns.state(slot);
    if ((state & MATCHES) === 0) return;
    block.matched += sign;
    if (block.traffic !== null) this.#meter.count(block.traffic, slot, sign);
    if ((state & HELD) !== 0) return;
    block.shown += sign;
    if ((state & FOUND) !== 0) block.found += sign;
  }

  /** The last block that begins at or before this time, or the first block. */
  #blockUpTo(time: number): number {
    const isLater = (at: number) => {
      const block = this.blocks[at] as Block;
      return this.#timeAt(block, block.head) > time;
    };
    return firstWhere(1, this.blocks.length, isLater) - 1;
  }

  #positionAfter(block: Block, time: number): number {
    return firstWhere(block.head, block.tail, (position) => this.#timeAt(block, position) > time);
  }

  #timeAt(block: Block, position: number): number {
    return this.#columns.time(block.slots[position] as number);
  }
}
