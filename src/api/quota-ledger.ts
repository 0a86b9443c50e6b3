import { isBusy } from '../files/sqlite.ts';
import type { LedgerPlace } from './ledger-place.ts';
import { type Book, openBook } from './quota-book.ts';
import { type LaneView, type Limits, type Priority, quarterOf } from './quota-rule.ts';
import { MemorySlots, type SlotStore, type Taken } from './quota-store.ts';

/** After this many refusals in a row the file counts as broken rather than busy. */
const BUSY_TRIES = 40;

/**
 * The sliding log shared by all processes of the user on this host. Opened at the first request. When the file cannot
 * be used, this process falls back to a quarter of the cap, counting what it has already sent, and says so in
 * `degraded`.
 */
export class SharedSlots implements SlotStore {
  readonly #place: LedgerPlace;
  readonly #own = new MemorySlots();
  /** Settled while the file was busy: slot → when it becomes free; null = dropped. */
  readonly #unsettled = new Map<string, number | null>();
  #book: Book | null = null;
  #broken = false;
  #busy = 0;

  constructor(place: LedgerPlace) {
    this.#place = place;
  }

  get degraded(): boolean {
    return this.#broken;
  }

  take(lane: string, limits: Limits, priority: Priority, now: number): Taken {
    const taken = this.#attempt(now, (book) => {
      this.#settleLate(book);
      return book.take(lane, limits, priority, now);
    });
    if (taken === 'busy') return { ok: false, retryAt: now + 5 + Math.random() * 20 };
    if (taken === 'broken') return this.#own.take(lane, quarterOf(limits), priority, now);
    if (taken.ok) this.#own.put(taken.slot, lane, now + limits.lease, priority, now);
    return taken;
  }

  settle(slot: string, freeAt: number): void {
    this.#own.settle(slot, freeAt);
    const done = this.#attempt(freeAt, (book) => book.settle(slot, freeAt));
    if (done === 'busy') this.#unsettled.set(slot, freeAt);
  }

  drop(slot: string): void {
    this.#own.drop(slot);
    const done = this.#attempt(0, (book) => book.drop(slot));
    if (done === 'busy') this.#unsettled.set(slot, null);
  }

  freeze(lane: string, until: number): void {
    this.#own.freeze(lane, until);
    for (let tries = 0; tries < 5; tries += 1) {
      if (this.#attempt(until, (book) => book.freeze(lane, until)) !== 'busy') return;
    }
  }

  view(lane: string, now: number): LaneView {
    // Looking at the budget must not be what opens the file.
    if (this.#book === null) return this.#own.view(lane, now);
    const view = this.#attempt(now, (book) => book.view(lane, now));
    return typeof view === 'string' ? this.#own.view(lane, now) : view;
  }

  close(): void {
    this.#book?.close();
    this.#book = null;
    this.#broken = true;
  }

  #attempt<T>(now: number, work: (book: Book) => T): T | 'busy' | 'broken' {
    if (this.#broken) return 'broken';
    try {
      this.#book ??= openBook(this.#place, now);
      const done = work(this.#book);
      this.#busy = 0;
      return done;
    } catch (error) {
      this.#busy += 1;
      if (isBusy(error) && this.#busy < BUSY_TRIES) return 'busy';
      this.#broken = true;
      this.#close();
      return 'broken';
    }
  }

  /** A broken file may fail to close as well, and there is nothing left to lose in it. */
  #close(): void {
    try {
      this.#book?.close();
    } catch {}
    this.#book = null;
  }

  #settleLate(book: Book): void {
    for (const [slot, freeAt] of this.#unsettled) {
      if (freeAt === null) book.drop(slot);
      else book.settle(slot, freeAt);
      this.#unsettled.delete(slot);
    }
  }
}
