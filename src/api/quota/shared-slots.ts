import { isBusy } from '../../files/sqlite.ts';
import { type Book, isDamage, type LedgerPlace, openBook, removeBook } from './ledger-file.ts';
import { MemorySlots, type SlotOutcome, type SlotStore } from './memory-slots.ts';
import { type LaneView, type Limits, type Priority, shareOf } from './quota-rule.ts';

/** After this many refusals in a row the file counts as broken, not busy. */
const BUSY_TRIES = 40;
/** How long an unusable file is left alone, ms. */
const RETRY = 10_000;

/**
 * The sliding log shared by all processes of the user on this host. Opened at the first request, and again where
 * another file, or none, stands in its place, with what this process has sent. A damaged file is replaced. Without a
 * usable one this process keeps to a share that eight may take, and says so in `degraded`.
 */
export class SharedSlots implements SlotStore {
  degraded = false;
  readonly #place: LedgerPlace;
  readonly #own = new MemorySlots();
  /** Settled while the file was busy: slot → when it becomes free; null = dropped. */
  readonly #unsettled = new Map<string, number | null>();
  /** A slot's name in the open file; two files may use one name for two slots. */
  #names = new Map<string, string>();
  #book: Book | null = null;
  /** How many times a file was opened. */
  #opened = 0;
  #brokenUntil = Number.NEGATIVE_INFINITY;
  #isClosed = false;
  #busy = 0;

  constructor(place: LedgerPlace = {}) {
    this.#place = place;
  }

  take(lane: string, limits: Limits, priority: Priority, now: number): SlotOutcome {
    const taken = this.#attempt(() => {
      const book = this.#bookAt(now);
      if (book === null) return 'broken';
      this.#settleLate(book);
      return book.take(lane, limits, priority, now);
    }, now);
    if (taken === 'busy') return { ok: false, retryAt: now + 5 + Math.random() * 20, isFrozen: false };
    if (taken === 'broken') return this.#own.take(lane, shareOf(limits), priority, now);
    if (!taken.ok) return taken;
    const slot = `${this.#opened}/${taken.slot}`;
    this.#names.set(slot, taken.slot);
    this.#own.put(slot, lane, now + limits.lease, priority, now);
    return { ok: true, slot };
  }

  renew(slot: string, freeAt: number): void {
    this.#own.settle(slot, freeAt);
    const name = this.#names.get(slot);
    if (name !== undefined) this.#insist(() => this.#book?.settle(name, freeAt));
  }

  settle(slot: string, freeAt: number): void {
    this.#own.settle(slot, freeAt);
    this.#tell(slot, freeAt);
  }

  drop(slot: string): void {
    this.#own.drop(slot);
    this.#tell(slot, null);
  }

  freeze(lane: string, until: number, now: number): void {
    this.#own.freeze(lane, until);
    this.#insist(() => this.#book?.freeze(lane, until, now));
  }

  view(lane: string, now: number): LaneView {
    // Looking at the budget must not open the file.
    const view = this.#attempt(() => this.#book?.view(lane, now));
    return view === undefined || typeof view === 'string' ? this.#own.view(lane, now) : view;
  }

  close(): void {
    this.#close();
    this.#isClosed = true;
  }

  /** The open ledger, reopened where another file stands in its place; null while it is left alone. */
  #bookAt(now: number): Book | null {
    if (this.#book?.isInPlace()) return this.#book;
    if (this.#isClosed || now < this.#brokenUntil) return null;
    this.#close();
    const book = openBook(this.#place, now);
    this.#book = book;
    this.#opened += 1;
    this.degraded = false;
    this.#unsettled.clear();
    this.#names = new Map(this.#own.held(now).map(([id, slot]) => [id, book.put(slot)]));
    for (const [lane, until] of this.#own.frozen(now)) book.freeze(lane, until, now);
    return book;
  }

  #attempt<T>(work: () => T, now?: number): T | 'busy' | 'broken' {
    for (let tries = 0; ; tries += 1) {
      try {
        const done = work();
        this.#busy = 0;
        return done;
      } catch (error) {
        this.#busy += 1;
        if (isBusy(error) && this.#busy < BUSY_TRIES) return 'busy';
        const isReplaceable = isDamage(error) && tries === 0;
        if (isReplaceable && this.#book?.isInPlace()) removeBook(this.#place);
        this.#close();
        if (isReplaceable && now !== undefined) continue;
        this.degraded = true;
        if (now !== undefined) this.#brokenUntil = now + RETRY;
        return 'broken';
      }
    }
  }

  /** For changes that no later request repeats. */
  #insist(work: () => void): void {
    for (let tries = 0; tries < 5; tries += 1) if (this.#attempt(work) !== 'busy') return;
  }

  #tell(slot: string, freeAt: number | null): void {
    const book = this.#book;
    const name = this.#names.get(slot);
    if (book === null || name === undefined) return;
    const told = this.#attempt(() => release(book, name, freeAt));
    if (told === 'busy') this.#unsettled.set(slot, freeAt);
    else this.#names.delete(slot);
  }

  /** A broken file may fail to close as well, and holds nothing left to lose. */
  #close(): void {
    try {
      this.#book?.close();
    } catch {}
    this.#book = null;
  }

  #settleLate(book: Book): void {
    for (const [slot, freeAt] of this.#unsettled) {
      const name = this.#names.get(slot);
      if (name !== undefined) release(book, name, freeAt);
      this.#unsettled.delete(slot);
      this.#names.delete(slot);
    }
  }
}

/** `freeAt`: null = the slot was never used. */
function release(book: Book, name: string, freeAt: number | null): void {
  if (freeAt === null) book.drop(name);
  else book.settle(name, freeAt);
}
