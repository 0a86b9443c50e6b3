import { FOUND, HELD, type LogColumns, MATCHES } from '../columns/log-columns.ts';
import { CHUNK_BITS, CHUNK_MASK } from '../columns/value-columns.ts';
import { addTraffic, noTraffic, type Traffic } from '../sums/traffic.ts';
import type { TrafficMeter } from '../sums/traffic-meter.ts';
import { BLOCK_ROWS, type Block, countStates, emptyBlock, place, runEnd, splitOff } from './block.ts';

export type RowPosition = { block: number; position: number };

/** The rows of a book by (timestamp, arrival), oldest first, in blocks. */
export class LogOrder {
  readonly blocks: Block[] = [];
  size = 0;
  /** Bumps at each change of rows or of their states. */
  version = 0;
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

  /** Puts a row behind all rows of its time or earlier. Its state must be set. */
  insert(slot: number): void {
    this.version++;
    this.size++;
    const time = this.#columns.time(slot);
    let at = this.blocks.length - 1;
    let block = this.blocks[at];
    if (block === undefined || (block.tail === BLOCK_ROWS && this.#timeAt(block, block.tail - 1) <= time)) {
      block = emptyBlock();
      this.blocks.push(block);
      place(block, 0, slot);
    } else if (this.#timeAt(block, block.tail - 1) <= time) {
      this.#begin(block);
      place(block, block.tail, slot);
    } else {
      at = this.#blockUpTo(time);
      block = this.blocks[at] as Block;
      if (block.tail - block.head === BLOCK_ROWS) {
        this.blocks.splice(at + 1, 0, splitOff(block));
        if (this.#timeAt(this.blocks[at + 1] as Block, 0) <= time) block = this.blocks[at + 1] as Block;
      }
      this.#begin(block);
      place(block, this.#positionAfter(block, time), slot);
    }
    this.#count(block, slot, 1);
  }

  /** The same for rows in slots that follow each other, one after the other. */
  insertAll(first: number, count: number): void {
    this.version++;
    const end = first + count;
    for (let slot = first; slot < end; ) {
      let block = this.blocks.at(-1);
      let newest = block === undefined ? Number.NEGATIVE_INFINITY : this.#timeAt(block, block.tail - 1);
      if (this.#columns.time(slot) < newest) {
        this.insert(slot++);
        continue;
      }
      if (block === undefined || block.tail === BLOCK_ROWS) {
        block = emptyBlock();
        this.blocks.push(block);
      }
      this.#begin(block);
      const before = slot;
      for (; slot < end && block.tail < BLOCK_ROWS; slot++) {
        const time = this.#columns.time(slot);
        if (time < newest) break;
        newest = time;
        place(block, block.tail, slot);
      }
      this.size += slot - before;
      this.#changed(block);
      // Now, and not all of them in the first frame that tells of a million rows.
      if (block.tail === BLOCK_ROWS) this.#sum(this.counted(block));
    }
  }

  /** Takes the oldest row away and returns its slot. There must be one. */
  shift(): number {
    this.version++;
    this.size--;
    const block = this.blocks[0] as Block;
    const slot = block.slots[block.head] as number;
    block.head++;
    this.#count(block, slot, -1);
    if (block.head === block.tail) this.blocks.shift();
    return slot;
  }

  /** To be called after rows were held back, let go or searched. */
  recount(): void {
    this.version++;
    for (const block of this.blocks) {
      block.isCounted = false;
      block.listed = null;
    }
  }

  /** Nobody knows any more which rows match: the filter is to decide of every block. */
  forget(): void {
    this.version++;
    for (const block of this.blocks) {
      block.decision = 'due';
      block.isCounted = true;
      block.matched = 0;
      block.shown = 0;
      block.found = 0;
      block.listed = null;
      block.traffic = noTraffic();
    }
  }

  /** To be called after the filter decided which rows of the block match. */
  decided(block: Block): void {
    this.version++;
    block.decision = 'made';
    this.#changed(block);
    this.#sum(this.counted(block));
  }

  /** Where the first row at or after this time stands; one past the last row when there is none. */
  locate(time: number): RowPosition {
    let low = 0;
    let high = this.blocks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const block = this.blocks[middle] as Block;
      if (this.#timeAt(block, block.tail - 1) < time) low = middle + 1;
      else high = middle;
    }
    const block = this.blocks[low];
    if (block === undefined) return { block: low, position: 0 };
    let from = block.head;
    let to = block.tail;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.#timeAt(block, middle) < time) from = middle + 1;
      else to = middle;
    }
    return { block: low, position: from };
  }

  /** Where a kept row stands. Rows of equal time are looked through one by one. */
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
      for (let i = block.head, to = i; i < block.tail; i = to) {
        to = runEnd(block, i, block.tail);
        const slot = block.slots[i] as number;
        const row = slot & CHUNK_MASK;
        countStates(block, states[slot >>> CHUNK_BITS] as Uint8Array, row, row + to - i);
      }
    }
    block.isCounted = true;
    return block;
  }

  /** Adds up the matching rows from one place up to another. */
  trafficBetween(from: RowPosition, to: RowPosition): Traffic {
    const sum = noTraffic();
    for (let at = from.block; at <= to.block && at < this.blocks.length; at++) {
      const block = this.blocks[at] as Block;
      const first = at === from.block ? from.position : block.head;
      const end = at === to.block ? to.position : block.tail;
      if (first === block.head && end === block.tail) {
        addTraffic(sum, this.#sum(block));
      } else {
        this.#traffic(block, first, end, sum);
      }
    }
    return sum;
  }

  /** The sums over a whole block. */
  #sum(block: Block): Traffic {
    block.traffic ??= this.#traffic(block, block.head, block.tail, noTraffic());
    return block.traffic;
  }

  #traffic(block: Block, from: number, to: number, sum: Traffic): Traffic {
    if (block.decision === 'due') return sum;
    for (let i = from, end = i; i < to; i = end) {
      end = runEnd(block, i, to);
      this.#meter.addRun(sum, block.slots[i] as number, end - i);
    }
    return sum;
  }

  /** Before a row comes that matches: those of which nobody knows must not be taken for ones that do. */
  #begin(block: Block): void {
    if (block.decision !== 'due') return;
    block.decision = 'begun';
    for (let i = block.head; i < block.tail; i++) {
      const slot = block.slots[i] as number;
      this.#columns.setState(slot, this.#columns.state(slot) & ~MATCHES);
    }
  }

  #changed(block: Block): void {
    block.isCounted = false;
    block.listed = null;
    block.traffic = null;
  }

  #count(block: Block, slot: number, sign: 1 | -1): void {
    block.listed = null;
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
    let low = 1;
    let high = this.blocks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const block = this.blocks[middle] as Block;
      if (this.#timeAt(block, block.head) <= time) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  #positionAfter(block: Block, time: number): number {
    let from = block.head;
    let to = block.tail;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.#timeAt(block, middle) <= time) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  #timeAt(block: Block, position: number): number {
    return this.#columns.time(block.slots[position] as number);
  }
}
