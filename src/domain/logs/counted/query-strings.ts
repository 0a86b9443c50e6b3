import { pageOf } from '../../log.ts';
import type { CountedParameter, CountedQueries, Counts } from '../counts.ts';

/** Query strings kept of one page, and characters of them kept in all. */
const MOST_OF_PAGE = 20_000;
const MOST_CHARACTERS = 8_000_000;

/** `queries`: rows with a query string. */
type Entry = { requests: number; queries: number; strings: Set<string>; isFull: boolean };

/**
 * Counts different query strings page by page, exactly up to the bounds and as `at least` beyond. Masked secrets are
 * alike. `room`: pages that are told apart.
 */
export class QueryStrings {
  readonly #room: number;
  readonly #pages = new Map<string, Entry>();
  #characters = 0;
  /** Rows with a query string, of pages that came after the room was full. */
  #left = 0;

  constructor(room: number) {
    this.#room = room;
  }

  add(path: string): void {
    const page = pageOf(path);
    const isPlain = path.length === page.length;
    let entry = this.#pages.get(page);
    if (entry === undefined) {
      if (this.#pages.size >= this.#room) {
        if (!isPlain) this.#left++;
        return;
      }
      entry = { requests: 0, queries: 0, strings: new Set(), isFull: false };
      this.#pages.set(page, entry);
    }
    entry.requests++;
    if (isPlain) return;
    entry.queries++;
    const query = path.slice(page.length + 1);
    if (entry.strings.has(query)) return;
    if (entry.strings.size >= MOST_OF_PAGE || this.#characters + query.length > MOST_CHARACTERS) {
      entry.isFull = true;
      return;
    }
    this.#characters += query.length;
    entry.strings.add(query);
  }

  counts(most: number): Extract<Counts, { kind: 'queryStrings' }> {
    const pages = [...this.#pages].flatMap(([page, { requests, queries, strings, isFull }]) => {
      const of: CountedQueries = { page, requests, distinct: strings.size };
      return strings.size === 0 ? [] : [isFull ? { ...of, mostDistinct: queries } : of];
    });
    const listed = pages.sort(byDistinct).slice(0, most);
    const unlisted = pages[most]?.distinct ?? 0;
    return {
      kind: 'queryStrings',
      pages: listed,
      total: pages.length,
      unlisted: Math.max(unlisted, this.#left),
    };
  }

  /** Of the query strings that are kept: the parameter with the most values first. */
  parameters(page: string): CountedParameter[] {
    const values = new Map<string, Set<string>>();
    for (const query of this.#pages.get(page)?.strings ?? []) {
      for (const part of query.split('&')) {
        const name = part.split('=', 1)[0] ?? '';
        if (name === '') continue;
        const known = values.get(name) ?? new Set();
        known.add(part);
        values.set(name, known);
      }
    }
    return [...values]
      .map(([name, { size }]) => ({ page, name, distinct: size }))
      .sort((a, b) => b.distinct - a.distinct || (a.name < b.name ? -1 : 1));
  }
}

export function byDistinct(a: CountedQueries, b: CountedQueries): number {
  return b.distinct - a.distinct || (a.page < b.page ? -1 : 1);
}
