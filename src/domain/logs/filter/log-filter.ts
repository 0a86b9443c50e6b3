import { type LogColumns, MATCHES, PASSES } from '../columns/log-columns.ts';
import { CHUNK_BITS, CHUNK_MASK } from '../columns/value-columns.ts';
import { type Block, runEnd } from '../order/block.ts';
import type { LogOrder } from '../order/log-order.ts';
import type { RowTest } from './row-test.ts';

/**
 * Which rows of an order match. A filter is asked of some blocks at a time, those first that stand nearest to where a
 * reader is, so that he sees rows before a million were asked. Of blocks that were not, no row matches but those that came
 * since.
 */
export class LogFilter {
  readonly #columns: LogColumns;
  readonly #order: LogOrder;
  #test: RowTest | null = null;
  /** Sets PASSES in the states of a chunk. */
  #answer: (chunk: number) => void = () => {};
  /** By chunk, 1 = not answered. Rows of later chunks are asked one by one as they come. */
  #unanswered = new Uint8Array(0);
  /** Blocks to be decided are the first `#before` of these, taken from the last on, and those from `#behind` on. */
  #blocks: readonly Block[] = [];
  #before = 0;
  #behind = 0;
  #isTurn = true;

  constructor(columns: LogColumns, order: LogOrder) {
    this.#columns = columns;
    this.#order = order;
  }

  /** The share of the blocks that were decided, from 0 on; null = all were. */
  get share(): number | null {
    const left = this.#left;
    return left === 0 ? null : 1 - left / this.#order.blocks.length;
  }

  /** Forgets which rows match, and begins to ask this test, null = every row passes, from this block on. */
  start(test: RowTest | null, from: number): void {
    this.#test?.close();
    this.#test = test;
    this.#order.forget();
    this.#unanswered = new Uint8Array(test === null ? 0 : this.#columns.states.length).fill(1);
    this.#blocks = this.#order.blocks.slice();
    this.#before = Math.min(from, this.#blocks.length);
    this.#behind = this.#before;
    this.#isTurn = true;
    if (test !== null && this.#left > 0) this.#answer = test.marker(PASSES);
  }

  /** Whether a row that comes now is one of the view; the bits of its state that say so. */
  enter(slot: number): number {
    return this.#test === null || this.#test.passes(slot) ? MATCHES | PASSES : 0;
  }

  /** To be called before rows come: of their values nothing was known when the chunks were begun to be answered. */
  beforeRows(): void {
    if (this.share !== null) this.#answerChunk(this.#columns.states.length - 1);
  }

  /**
   * Decides blocks of this many rows or some more, or until `enough` rows match on either side of where it started. No row
   * may have been taken away since.
   */
  decide(rows: number, enough = Number.POSITIVE_INFINITY): void {
    const matched = { before: 0, behind: 0 };
    for (let left = rows; left > 0 && this.#left > 0; ) {
      const isFew = { before: matched.before < enough, behind: matched.behind < enough };
      if (!(isFew.before && this.#before > 0) && !(isFew.behind && this.#isMoreBehind)) return;
      const side = this.#isMoreBehind && (this.#before === 0 || this.#isTurn) ? 'behind' : 'before';
      this.#isTurn = side === 'before';
      const block = this.#blocks[side === 'behind' ? this.#behind++ : --this.#before] as Block;
      this.#decideBlock(block);
      left -= block.tail - block.head;
      matched[side] += block.matched;
    }
    if (this.#left > 0) return;
    // Halves of blocks that were split meanwhile.
    this.#blocks = this.#order.blocks.filter((each) => each.decision !== 'made');
    this.#before = 0;
    this.#behind = 0;
    if (this.#left > 0) this.decide(rows, enough);
  }

  get #left(): number {
    return this.#before + this.#blocks.length - this.#behind;
  }

  get #isMoreBehind(): boolean {
    return this.#behind < this.#blocks.length;
  }

  #decideBlock(block: Block): void {
    const { slots } = block;
    for (let i = block.head, to = i; i < block.tail; i = to) {
      to = runEnd(block, i, block.tail);
      const slot = slots[i] as number;
      const chunk = slot >>> CHUNK_BITS;
      const row = slot & CHUNK_MASK;
      this.#answerChunk(chunk);
      const states = this.#columns.states[chunk] as Uint8Array;
      decideRun(states, row, row + to - i, this.#test === null ? 0 : PASSES);
    }
    this.#order.decided(block);
  }

  #answerChunk(chunk: number): void {
    if (this.#unanswered[chunk] !== 1) return;
    this.#unanswered[chunk] = 0;
    this.#answer(chunk);
  }
}

/** Rows whose states have this bit match; with 0 all do. */
function decideRun(states: Uint8Array, from: number, to: number, bit: number): void {
  for (let row = from; row < to; row++) {
    const state = states[row] as number;
    states[row] = (state & bit) === bit ? state | MATCHES : state & ~MATCHES;
  }
}
