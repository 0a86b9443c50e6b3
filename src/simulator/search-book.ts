import type { SimRow } from './rows.ts';
import type { Group } from './shield-groups.ts';

/** What a search found: its rows newest first, and its groups in their order when it groups. */
export type Found = {
  rows: readonly SimRow[];
  groups: readonly Group[] | null;
  /** The server's time it was asked at, and from when on another row of its window shows. */
  at: number;
  until: number;
};

/** Searches whose next page may still be asked for. */
const KEPT_SEARCHES = 16;

/** Keeps what recent searches found, so that a page of one costs no more than its rows. */
export class SearchBook {
  private readonly kept = new Map<string, Found>();

  /** Null as soon as the same search would find another row. */
  find(question: string, now: number): Found | null {
    const found = this.kept.get(question);
    return found !== undefined && now >= found.at && now < found.until ? found : null;
  }

  keep(question: string, found: Found): void {
    this.kept.delete(question);
    this.kept.set(question, found);
    const [oldest] = this.kept.keys();
    if (this.kept.size > KEPT_SEARCHES && oldest !== undefined) this.kept.delete(oldest);
  }
}
