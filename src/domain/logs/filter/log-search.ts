import type { Term } from '../../query/query.ts';
import { FOUND, type LogColumns } from '../columns/log-columns.ts';
import type { LogGaps } from '../order/log-gaps.ts';
import type { LogOrder } from '../order/log-order.ts';
import type { MatchedRows } from '../order/matched-rows.ts';
import { RowTest } from './row-test.ts';

/** The rows that hold a needle, or pass a term; only what was asked for last is known. */
export class LogSearch {
  readonly #columns: LogColumns;
  readonly #order: LogOrder;
  readonly #view: MatchedRows;
  readonly #gaps: LogGaps;
  #asked: { needle: string | Term; test: RowTest } | null = null;

  constructor(columns: LogColumns, order: LogOrder, view: MatchedRows, gaps: LogGaps) {
    this.#columns = columns;
    this.#order = order;
    this.#view = view;
    this.#gaps = gaps;
  }

  /** Whether a row that comes now holds the needle; the bit of its state that says so. */
  enter(slot: number): number {
    return this.#asked?.test.passes(slot) ? FOUND : 0;
  }

  /** See `LogBook.search`. */
  next(needle: string | Term, from: number, direction: 1 | -1, times: number): number | null {
    if (!this.#find(needle)) return null;
    const before = this.#view.foundBelow(this.#gaps.rowsBefore(direction === 1 ? from : from + 1));
    const ordinal = direction === 1 ? before + times - 1 : before - times;
    if (ordinal < 0 || ordinal >= this.#view.found) return null;
    return this.#gaps.indexOfRank(this.#view.rankOfFound(ordinal));
  }

  /** See `LogBook.countMatches`. */
  count(needle: string | Term, at: number): { index: number; total: number } {
    if (!this.#find(needle)) return { index: 0, total: 0 };
    return { index: this.#view.foundBelow(this.#gaps.rowsBefore(at + 1)), total: this.#view.found };
  }

  /** Makes the search one for this needle; the empty needle ends the search and finds nothing. */
  #find(needle: string | Term): boolean {
    if (JSON.stringify(this.#asked?.needle) === JSON.stringify(needle)) return true;
    this.#asked?.test.close();
    this.#asked = null;
    if (needle === '') return false;
    const term: Term = typeof needle === 'string' ? { kind: 'text', value: needle, negated: false } : needle;
    const test = new RowTest(this.#columns, [term], 'none');
    this.#asked = { needle, test };
    test.markAll(FOUND);
    this.#order.recount();
    return true;
  }
}
