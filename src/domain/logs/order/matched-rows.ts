import type { LogRecord } from '../../log.ts';
import { firstWhere } from '../../sorted.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import { FOUND, HELD, type LogColumns, MATCHES } from '../columns/log-columns.ts';
import type { Block } from './block.ts';
import type { LogOrder, RowPosition } from './log-order.ts';

const NONE = new Uint32Array(0);

/** The matching rows that are not held back, by rank. */
export class MatchedRows {
  readonly #columns: LogColumns;
  readonly #order: LogOrder;
  #version = -1;
  /** Shown and found rows before each block; one entry more than blocks. */
  #shownBefore = new Uint32Array(1);
  #foundBefore = new Uint32Array(1);
  #matched = 0;

  constructor(columns: LogColumns, order: LogOrder) {
    this.#columns = columns;
    this.#order = order;
  }

  get shown(): number {
    this.#refresh();
    return this.#shownBefore[this.#order.blocks.length] as number;
  }

  get found(): number {
    this.#refresh();
    return this.#foundBefore[this.#order.blocks.length] as number;
  }

  get matched(): number {
    this.#refresh();
    return this.#matched;
  }

  /** Matching rows after the last one shown. */
  get newer(): number {
    this.#refresh();
    let newer = 0;
    for (let at = this.#order.blocks.length - 1; at >= 0; at--) {
      const block = this.#order.blocks[at] as Block;
      if (block.shown === 0) newer += block.matched;
      else return newer + this.#matchedBehindShown(block);
    }
    return newer;
  }

  /** The slots of up to `count` shown rows from this rank on. */
  slotsFrom(rank: number, count: number): number[] {
    this.#refresh();
    const { blocks } = this.#order;
    const slots: number[] = [];
    let at = lastUpTo(this.#shownBefore, blocks.length, rank);
    let next = rank - (this.#shownBefore[at] as number);
    for (; at < blocks.length && slots.length < count; at++) {
      const listed = this.#listed(blocks[at] as Block);
      while (next < listed.length && slots.length < count) slots.push(listed[next++] as number);
      next = 0;
    }
    return slots;
  }

  /** Shown rows before this place. */
  rankOf(place: RowPosition): number {
    this.#refresh();
    const block = this.#order.blocks[place.block];
    return (this.#shownBefore[place.block] as number) + (block ? this.#countUpTo(block, place.position) : 0);
  }

  /** Found rows among the shown rows with a rank below this. */
  foundBelow(rank: number): number {
    this.#refresh();
    if (rank >= this.shown) return this.found;
    const at = lastUpTo(this.#shownBefore, this.#order.blocks.length, rank);
    const listed = this.#listed(this.#order.blocks[at] as Block);
    let found = this.#foundBefore[at] as number;
    for (let i = 0; i < rank - (this.#shownBefore[at] as number); i++) {
      if ((this.#columns.state(listed[i] as number) & FOUND) !== 0) found++;
    }
    return found;
  }

  /** The rank of the found row that has this many found rows before it. It must exist. */
  rankOfFound(ordinal: number): number {
    this.#refresh();
    const at = lastUpTo(this.#foundBefore, this.#order.blocks.length, ordinal);
    const listed = this.#listed(this.#order.blocks[at] as Block);
    let left = ordinal - (this.#foundBefore[at] as number);
    let i = 0;
    for (; i < listed.length; i++) {
      if ((this.#columns.state(listed[i] as number) & FOUND) !== 0 && left-- === 0) break;
    }
    return (this.#shownBefore[at] as number) + i;
  }

  #refresh(): void {
    if (this.#version === this.#order.version) return;
    this.#version = this.#order.version;
    const blocks = this.#order.blocks;
    if (this.#shownBefore.length <= blocks.length) {
      this.#shownBefore = new Uint32Array(blocks.length * 2 + 1);
      this.#foundBefore = new Uint32Array(blocks.length * 2 + 1);
    }
    this.#matched = 0;
    let shown = 0;
    let found = 0;
    for (let at = 0; at < blocks.length; at++) {
      const block = this.#order.counted(blocks[at] as Block);
      shown += block.shown;
      found += block.found;
      this.#matched += block.matched;
      this.#shownBefore[at + 1] = shown;
      this.#foundBefore[at + 1] = found;
    }
  }

  #listed(block: Block): Uint32Array {
    if (block.listed !== null) return block.listed;
    if (block.shown === 0) return NONE;
    const slots = block.slots.subarray(block.head, block.tail);
    block.listed =
      block.shown === slots.length ? slots : slots.filter((slot) => isShown(this.#columns.state(slot)));
    return block.listed;
  }

  #matchedBehindShown(block: Block): number {
    let matched = 0;
    for (let i = block.tail - 1; i >= block.head; i--) {
      const state = this.#columns.state(block.slots[i] as number);
      if (isShown(state)) break;
      if ((state & MATCHES) !== 0) matched++;
    }
    return matched;
  }

  #countUpTo(block: Block, position: number): number {
    if (block.shown === block.tail - block.head) return position - block.head;
    if (block.shown === 0) return 0;
    let shown = 0;
    for (let i = block.head; i < position; i++) {
      if (isShown(this.#columns.state(block.slots[i] as number))) shown++;
    }
    return shown;
  }
}

function isShown(state: number): boolean {
  return (state & (MATCHES | HELD)) === MATCHES;
}

/** The last of the first `count` entries that is at most `value`: the block in which the rank lies. */
function lastUpTo(before: Uint32Array, count: number, value: number): number {
  return firstWhere(0, count, (at) => (before[at + 1] as number) > value);
}

/** Rows in order of time, complete up to but excluding the time `to`. */
export type HeldRows = { records: LogRecord[]; to: number };

/** About `most` rows from the start of a range on, matching or not; all of a millisecond or none. */
export function rowsBetween(columns: LogColumns, order: LogOrder, range: TimeRange, most: number): HeldRows {
  const records: LogRecord[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const { block, first, end } of order.between(order.locate(range.from), order.locate(range.to))) {
    for (const slot of block.slots.subarray(first, end)) {
      const time = columns.time(slot);
      if (records.length >= most && time > last) return { records, to: time };
      records.push(columns.record(slot));
      last = time;
    }
  }
  return { records, to: range.to };
}
