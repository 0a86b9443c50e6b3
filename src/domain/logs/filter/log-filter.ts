import { type LogColumns, MATCHES, PASSES, sortableTime } from '../columns/log-columns.ts';
import { CHUNK_BITS, CHUNK_MASK } from '../columns/value-columns.ts';
import { type Block, eachRun } from '../order/block.ts';
import type { ReadingPlace } from '../order/log-gaps.ts';
import type { LogOrder } from '../order/log-order.ts';
import type { RowTest } from './row-test.ts';

/** A new filter tests at most so many rows before the first paint, fewer once it has found a few screens of matches. */
const ROWS_FIRST = 1 << 15;
const ROWS_OF_SCREENS = 1 << 9;

/** Rows tested between two looks for keys: some 2 ms. */
const ROWS_AT_ONCE = 1 << 17;

/**
 * Decides which rows match, some blocks at a time, those nearest the reader first, so that rows show before a million
 * were tested. In an undecided block only rows that arrived since count as matches.
 */
export class LogFilter {
  readonly #columns: LogColumns;
  readonly #order: LogOrder;
  #test: RowTest | null = null;
  /** Sets or clears PASSES in the states of a chunk. */
  #answer: (chunk: number) => void = () => {};
  /** By chunk, 1 = not tested. Rows of later chunks are tested one by one on arrival. */
  #unanswered = new Uint8Array(0);
  /** The undecided blocks: the first `#before` of these, from the last backwards, and those from `#behind` on. */
  #blocks: readonly Block[] = [];
  #before = 0;
  #behind = 0;
  #isTurn = true;
  readonly #rowsAtOnce: number;

  constructor(columns: LogColumns, order: LogOrder, rowsAtOnce = ROWS_AT_ONCE) {
    this.#columns = columns;
    this.#order = order;
    this.#rowsAtOnce = rowsAtOnce;
  }

  /** The share of the blocks decided; null = all of them. */
  get share(): number | null {
    const left = this.#left;
    return left === 0 ? null : 1 - left / this.#order.blocks.length;
  }

  /**
   * Starts over with this test, null = every row passes, from the reader's place: with all rows at once where they
   * are few.
   */
  start(test: RowTest | null, place: ReadingPlace): void {
    this.#test?.close();
    this.#test = test;
    this.#order.forget();
    this.#unanswered = new Uint8Array(test === null ? 0 : this.#columns.states.length).fill(1);
    this.#blocks = this.#order.blocks.slice();
    this.#before = Math.min(this.#blockAt(place), this.#blocks.length);
    this.#behind = this.#before;
    this.#isTurn = true;
    if (test !== null && this.#left > 0) this.#answer = test.marker(PASSES);
    const first = Math.min(ROWS_FIRST, this.#rowsAtOnce);
    if (this.#order.size <= first) this.settle();
    else this.#decide(first, ROWS_OF_SCREENS);
  }

  /** Tests some more rows. */
  work(): void {
    this.#decide(this.#rowsAtOnce);
  }

  /** Tests all remaining rows. */
  settle(): void {
    this.#decide(Number.POSITIVE_INFINITY);
  }

  /** The state bits of a new row that say whether it matches. */
  enter(slot: number): number {
    return this.#test === null || this.#test.passes(slot) ? MATCHES | PASSES : 0;
  }

  /** Call before rows are added: the test marks the last chunk by the values that it knows now. */
  beforeRows(): void {
    if (this.share !== null) this.#answerChunk(this.#columns.states.length - 1);
  }

  /**
   * Decides blocks of at least this many rows, or until `enough` rows match on either side of the start. No row may have been
   * removed since.
   */
  #decide(rows: number, enough = Number.POSITIVE_INFINITY): void {
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
    // Halves of blocks split meanwhile.
    this.#blocks = this.#order.blocks.filter((each) => each.decision !== 'made');
    this.#before = 0;
    this.#behind = 0;
    if (this.#left > 0) this.#decide(rows, enough);
  }

  get #left(): number {
    return this.#before + this.#blocks.length - this.#behind;
  }

  get #isMoreBehind(): boolean {
    return this.#behind < this.#blocks.length;
  }

  #blockAt(place: ReadingPlace): number {
    if (place === 'newest') return Math.max(0, this.#order.blocks.length - 1);
    if (place.kind === 'gap') return this.#order.locate(sortableTime(place.gap.from)).block;
    const slot = this.#columns.slotOf(place.id);
    return slot < 0 ? 0 : this.#order.placeOf(slot).block;
  }

  #decideBlock(block: Block): void {
    eachRun(block, block.head, block.tail, (slot, count) => {
      const chunk = slot >>> CHUNK_BITS;
      const row = slot & CHUNK_MASK;
      this.#answerChunk(chunk);
      const states = this.#columns.states[chunk] as Uint8Array;
      decideRun(states, row, row + count, this.#test === null ? 0 : PASSES);
    });
    this.#order.decided(block);
  }

  #answerChunk(chunk: number): void {
    if (this.#unanswered[chunk] !== 1) return;
    this.#unanswered[chunk] = 0;
    this.#answer(chunk);
  }
}

/** Rows whose states have this bit match; with 0 all of them do. */
function decideRun(states: Uint8Array, from: number, to: number, bit: number): void {
  for (let row = from; row < to; row++) {
    const state = states[row] as number;
    states[row] = (state & bit) === bit ? state | MATCHES : state & ~MATCHES;
  }
}
