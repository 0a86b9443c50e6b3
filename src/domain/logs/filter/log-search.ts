import type { Term } from '../../query/query.ts';
import { termSought } from '../../query/terms.ts';
import { FOUND, type LogColumns } from '../columns/log-columns.ts';
import type { LogGaps } from '../order/log-gaps.ts';
import type { LogOrder } from '../order/log-order.ts';
import type { MatchedRows } from '../order/matched-rows.ts';
import { RowTest } from './row-test.ts';

/** Finds the rows that contain a needle or pass a term; remembers the last search only. */
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

  /** The state bit of a new row that says whether the search finds it. */
  enter(slot: number): number {
    return this.#asked?.test.passes(slot) ? FOUND : 0;
  }

  /** See `LogBook.search`. */
  next(needle: string | Term, from: number, direction: 1 | -1): number | null {
    if (!this.#find(needle)) return null;
    const before = this.#view.foundBelow(this.#gaps.rowsBefore(direction === 1 ? from : from + 1));
    const ordinal = direction === 1 ? before : before - 1;
    if (ordinal < 0 || ordinal >= this.#view.found) return null;
    return this.#gaps.indexOfRank(this.#view.rankOfFound(ordinal));
  }

  /** See `LogBook.countMatches`. */
  count(needle: string | Term, at: number): { index: number; total: number } {
    if (!this.#find(needle)) return { index: 0, total: 0 };
    return { index: this.#view.foundBelow(this.#gaps.rowsBefore(at + 1)), total: this.#view.found };
  }

  /** Starts the search for this needle, unless it is the current one; the empty needle finds nothing. */
  #find(needle: string | Term): boolean {
    if (JSON.stringify(this.#asked?.needle) === JSON.stringify(needle)) return true;
    this.#asked?.test.close();
    this.#asked = null;
    if (needle === '') return false;
    const term = typeof needle === 'string' ? termSought('logs', { needle }) : needle;
    const test = new RowTest(this.#columns, [term], 'none');
    this.#asked = { needle, test };
    test.markAll(FOUND);
    this.#order.recount();
    return true;
  }
}
