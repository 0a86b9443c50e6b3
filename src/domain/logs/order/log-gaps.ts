import { firstWhere } from '../../sorted.ts';
import type { Gap } from '../../tail/coverage.ts';
import type { LogOrder } from './log-order.ts';
import type { MatchedRows } from './matched-rows.ts';

/** Gaps between the rows of a view, each placed after the rows that precede its start. */
export class LogGaps {
  readonly #order: LogOrder;
  readonly #view: MatchedRows;
  #gaps: readonly Gap[] = [];
  /** Index among the items of each gap, ascending; as of a version of the order. */
  #places: number[] = [];
  #version = -1;

  constructor(order: LogOrder, view: MatchedRows) {
    this.#order = order;
    this.#view = view;
  }

  get count(): number {
    return this.#gaps.length;
  }

  set(gaps: readonly Gap[]): void {
    this.#gaps = gaps.toSorted((a, b) => a.from - b.from);
    this.#version = -1;
  }

  /** The gaps among the items with these indexes, `to` exclusive. */
  between(from: number, to: number): ReadonlyMap<number, Gap> {
    const places = this.#placed();
    const gaps = new Map<number, Gap>();
    for (let at = countBelow(places, from); at < places.length && (places[at] as number) < to; at++)
      gaps.set(places[at] as number, this.#gaps[at] as Gap);
    return gaps;
  }

  indexOf(id: string): number | null {
    const at = this.#gaps.findIndex((gap) => gap.id === id);
    return at < 0 ? null : (this.#placed()[at] as number);
  }

  /** Index among the items of the row with this rank among the rows. */
  indexOfRank(rank: number): number {
    let index = rank;
    for (const place of this.#placed()) {
      if (place > index) break;
      index++;
    }
    return index;
  }

  /** Index of the first item at or after this time. */
  indexOfTime(time: number): number {
    const gaps = this.#gaps.filter((gap) => gap.from < time).length;
    return this.#view.rankOf(this.#order.locate(time)) + gaps;
  }

  /** Rows among the items with an index below this; any number will do. */
  rowsBefore(index: number): number {
    const end = Math.max(0, Math.min(index, this.#view.shown + this.#gaps.length));
    return end - countBelow(this.#placed(), end);
  }

  #placed(): readonly number[] {
    if (this.#version !== this.#order.version) {
      this.#version = this.#order.version;
      this.#places = this.#gaps.map((gap, i) => this.#view.rankOf(this.#order.locate(gap.from)) + i);
    }
    return this.#places;
  }
}

/** How many entries of an ascending list are below this value. */
function countBelow(sorted: readonly number[], value: number): number {
  return firstWhere(0, sorted.length, (at) => (sorted[at] as number) >= value);
}

export type BookItem = { kind: 'row'; id: number } | { kind: 'gap'; gap: Gap };

/** Where the reader is: at an item, or following the newest. */
export type ReadingPlace = BookItem | 'newest';

/** Items taken at once, so that a million are never objects at the same time. */
const AT_ONCE = 1024;

type Items = {
  window(from: number, to: number): BookItem[];
  has(id: number): boolean;
  readonly length: number;
};

/** Items of a view by index, as of the first call to `next`; rows evicted meanwhile are left out. */
export function* itemsOf(view: Items, from: number, to: number): Generator<BookItem> {
  const first = Math.max(0, from);
  const ids = new Float64Array(Math.max(0, Math.min(to, view.length) - first));
  const gaps: Gap[] = [];
  for (let done = 0; done < ids.length; done += AT_ONCE) {
    const items = view.window(first + done, first + Math.min(done + AT_ONCE, ids.length));
    items.forEach((item, at) => {
      ids[done + at] = item.kind === 'row' ? item.id : -gaps.push(item.gap);
    });
  }
  for (const id of ids) {
    if (id < 0) yield { kind: 'gap', gap: gaps[-id - 1] as Gap };
    else if (view.has(id)) yield { kind: 'row', id };
  }
}
