import { containing, Dictionary, twiceAsLong } from './dictionary.ts';

const PAGE_WORDS = 1 << 14;
/** Words before the text of an entry: its code and its length in bytes. */
const HEAD = 2;
/** The longest text that a page takes. */
const MOST_TEXT_BYTES = 1_000;
/** The room such a text takes in UTF-8 before it turns out not to be ASCII. */
const ROOM_WORDS = (MOST_TEXT_BYTES * 3) / 4;
/** Words used per live word before pages are emptied. */
const MOST_USED = 1.5;

type Page = { words: Uint32Array; bytes: Buffer; used: number; live: number };

/** Knows the place of each code's text. An entry is live while its own place is that one. */
type EntryLocator = { placeOf(code: number): number; moved(code: number, place: number): void };

/**
 * ASCII texts in pages of bytes, outside the garbage-collected heap. A place counts words from the first page on. Mostly dead pages
 * are emptied into the newest one, so that memory follows what is live.
 */
class TextPages {
  readonly #keeper: EntryLocator;
  readonly #pages: Page[] = [];
  readonly #spare: number[] = [];
  #tail = this.#newPage();
  #usedWords = 0;
  #liveWords = 0;

  constructor(keeper: EntryLocator) {
    this.#keeper = keeper;
  }

  /** Memory of the live entries. */
  get liveBytes(): number {
    return this.#liveWords * Uint32Array.BYTES_PER_ELEMENT;
  }

  /** Writes a text of at most MOST_TEXT_BYTES where the next entry goes; false when it is not ASCII. */
  write(text: string): boolean {
    const page = this.#roomyPage();
    const start = page.used + HEAD;
    page.words[start + wordsOf(text.length) - 1] = 0;
    return page.bytes.write(text, start * 4) === text.length;
  }

  /** The same for printable ASCII in these bytes. */
  writeBytes(source: Buffer, from: number, to: number): void {
    const page = this.#roomyPage();
    const start = page.used + HEAD;
    page.words[start + wordsOf(to - from) - 1] = 0;
    source.copy(page.bytes, start * 4, from, to);
  }

  hashOfWritten(length: number, seed: number): number {
    const { words, used } = this.#pages[this.#tail] as Page;
    const end = used + HEAD + wordsOf(length);
    let hash = seed ^ length;
    for (let i = used + HEAD; i < end; i++) {
      hash = Math.imul(hash ^ (words[i] as number), 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    return hash >>> 0;
  }

  /** Whether the text written last equals the one at this place, which has the same length. */
  isWritten(place: number, length: number): boolean {
    const { words: written, used } = this.#pages[this.#tail] as Page;
    const { words } = this.#pages[Math.floor(place / PAGE_WORDS)] as Page;
    const at = place % PAGE_WORDS;
    for (let i = HEAD + wordsOf(length) - 1; i >= HEAD; i--)
      if (words[at + i] !== written[used + i]) return false;
    return true;
  }

  /** Makes an entry of the text written last and returns its place. */
  keep(code: number, length: number): number {
    const page = this.#pages[this.#tail] as Page;
    page.words[page.used] = code;
    page.words[page.used + 1] = length;
    return this.#extend(page, HEAD + wordsOf(length));
  }

  read(place: number, length: number): string {
    const { bytes } = this.#pages[Math.floor(place / PAGE_WORDS)] as Page;
    const start = ((place % PAGE_WORDS) + HEAD) * 4;
    return bytes.toString('latin1', start, start + length);
  }

  /** Call when the entry at this place is dead. */
  drop(place: number, length: number): void {
    const number = Math.floor(place / PAGE_WORDS);
    const page = this.#pages[number] as Page;
    page.live -= HEAD + wordsOf(length);
    this.#liveWords -= HEAD + wordsOf(length);
    if (page.live === 0 && number !== this.#tail) this.#clear(number);
    if (this.#usedWords > this.#liveWords * MOST_USED + PAGE_WORDS * 4) this.#emptyOne();
  }

  each(visit: (code: number, text: string) => void): void {
    this.#pages.forEach((page, number) => {
      const text = page.bytes.toString('latin1', 0, page.used * 4);
      for (let at = 0; at < page.used; at = after(page, at)) {
        const start = (at + HEAD) * 4;
        if (this.#isAlive(page, number, at)) {
          visit(page.words[at] as number, text.substring(start, start + (page.words[at + 1] as number)));
        }
      }
    });
  }

  /** Scans whole pages for a needle of printable ASCII instead of each text. */
  eachContaining(needle: string, visit: (code: number, value: string) => void): void {
    const pattern = containing(needle);
    this.#pages.forEach((page, number) => {
      const text = page.bytes.toString('latin1', 0, page.used * 4);
      let at = 0;
      pattern.lastIndex = 0;
      while (pattern.test(text)) {
        const end = pattern.lastIndex;
        const start = end - needle.length;
        while (after(page, at) * 4 <= start) at = after(page, at);
        const [first, length] = [(at + HEAD) * 4, page.words[at + 1] as number];
        const isInside = start >= first && end <= first + length;
        if (isInside && this.#isAlive(page, number, at))
          visit(page.words[at] as number, text.substring(first, first + length));
        pattern.lastIndex = isInside ? after(page, at) * 4 : start + 1;
      }
    });
  }

  #isAlive(page: Page, number: number, at: number): boolean {
    return this.#keeper.placeOf(page.words[at] as number) === number * PAGE_WORDS + at;
  }

  #roomyPage(): Page {
    const page = this.#pages[this.#tail] as Page;
    if (PAGE_WORDS - page.used >= HEAD + ROOM_WORDS) return page;
    this.#tail = this.#spare.pop() ?? this.#newPage();
    return this.#pages[this.#tail] as Page;
  }

  #newPage(): number {
    const words = new Uint32Array(PAGE_WORDS);
    return this.#pages.push({ words, bytes: Buffer.from(words.buffer), used: 0, live: 0 }) - 1;
  }

  /** Counts words written after the last entry of the newest page, and returns their place. */
  #extend(page: Page, words: number): number {
    const place = this.#tail * PAGE_WORDS + page.used;
    page.used += words;
    page.live += words;
    this.#usedWords += words;
    this.#liveWords += words;
    return place;
  }

  #clear(number: number): void {
    const page = this.#pages[number] as Page;
    this.#usedWords -= page.used;
    this.#liveWords -= page.live;
    page.used = 0;
    page.live = 0;
    this.#spare.push(number);
  }

  /** Moves the live entries of the emptiest page to the newest one. */
  #emptyOne(): void {
    let number = -1;
    let least = PAGE_WORDS;
    this.#pages.forEach((page, i) => {
      if (i === this.#tail || page.used === 0 || page.live >= least) return;
      least = page.live;
      number = i;
    });
    const page = this.#pages[number];
    if (page === undefined) return;
    for (let at = 0; at < page.used; at = after(page, at)) {
      if (!this.#isAlive(page, number, at)) continue;
      const to = this.#roomyPage();
      to.words.set(page.words.subarray(at, after(page, at)), to.used);
      this.#keeper.moved(page.words[at] as number, this.#extend(to, after(page, at) - at));
    }
    this.#clear(number);
  }
}

function after(page: Page, at: number): number {
  return at + HEAD + wordsOf(page.words[at + 1] as number);
}

function wordsOf(bytes: number): number {
  return (bytes + 3) >>> 2;
}

/** The facts of a code, side by side because they are read together. */
const PLACE = 0;
const HASH = 1;
const LENGTH = 2;
const FACTS = 3;

/** The place of a text on the heap. */
const NOWHERE = 0xffffffff;

/** A table entry holds a code and the top bits of its hash, which rule out most other entries. */
const CODE_BITS = 24;
const CODE_MASK = (1 << CODE_BITS) - 1;

/** A text that would be further from its home in the table goes to the heap: clients may craft collisions. */
const MOST_STEPS = 64;

/**
 * For columns of many values: ASCII texts in pages, found through a hash table. Texts that are not ASCII, too long or crowded
 * out stay on the heap.
 */
export class ArenaDictionary extends Dictionary<string> {
  #facts = new Uint32Array(64 * FACTS);
  readonly #pages = new TextPages({
    placeOf: (code) => this.#facts[code * FACTS + PLACE] as number,
    moved: (code, place) => {
      this.#facts[code * FACTS + PLACE] = place;
    },
  });
  readonly #hash: (length: number) => number;
  /** By hash, 0 = empty; at most half full. */
  #table = new Uint32Array(128);
  #entries = 0;
  #isCrowded = false;

  /** `hash` of the text written to the pages last, by its length; seeded so that nobody can predict it. */
  constructor(hash?: (length: number) => number) {
    super();
    const seed = Math.floor(Math.random() * 2 ** 32);
    this.#hash = hash ?? ((length) => this.#pages.hashOfWritten(length, seed));
  }

  override get bytes(): number {
    return super.bytes + this.#pages.liveBytes;
  }

  override intern(value: string): number {
    const { length } = value;
    const isOnHeap = this.#isCrowded && this.isOnHeap(value);
    if (isOnHeap || length > MOST_TEXT_BYTES || this.limit > CODE_MASK || !this.#pages.write(value)) {
      return super.intern(value);
    }
    return this.#internWritten(length) ?? super.intern(value);
  }

  override internBytes(bytes: Buffer, start: number, end: number, uses: number): number {
    const length = end - start;
    if (length <= MOST_TEXT_BYTES && this.limit <= CODE_MASK && !this.#isCrowded) {
      this.#pages.writeBytes(bytes, start, end);
      const code = this.#internWritten(length);
      if (code !== null) {
        this.retain(code, uses - 1);
        return code;
      }
    }
    return super.internBytes(bytes, start, end, uses);
  }

  /** The code of the text written to the pages last; null = it belongs on the heap, or may be there. */
  #internWritten(length: number): number | null {
    const hash = this.#hash(length);
    const table = this.#table;
    const facts = this.#facts;
    const mask = table.length - 1;
    let at = hash & mask;
    for (let entry = table[at] as number; entry !== 0; entry = table[at] as number) {
      const fact = (entry & CODE_MASK) * FACTS;
      if (
        (entry ^ hash) >>> CODE_BITS === 0 &&
        facts[fact + HASH] === hash &&
        facts[fact + LENGTH] === length &&
        this.#pages.isWritten(facts[fact + PLACE] as number, length)
      ) {
        this.retain(entry & CODE_MASK);
        return entry & CODE_MASK;
      }
      at = (at + 1) & mask;
    }
    const isTooFar = ((at - hash) & mask) > MOST_STEPS;
    if (isTooFar) this.#isCrowded = true;
    return isTooFar ? null : this.#keep(length, hash, at);
  }

  override value(code: number): string {
    const place = this.#facts[code * FACTS + PLACE] as number;
    if (place === NOWHERE) return super.value(code);
    return this.#pages.read(place, this.#facts[code * FACTS + LENGTH] as number);
  }

  override each(visit: (code: number, value: string) => void): void {
    super.each(visit);
    this.#pages.each(visit);
  }

  override eachContaining(needle: string, visit: (code: number, value: string) => void): void {
    super.eachContaining(needle, visit);
    this.#pages.eachContaining(needle, visit);
  }

  #keep(length: number, hash: number, at: number): number {
    const code = this.take(length);
    this.#facts[code * FACTS + PLACE] = this.#pages.keep(code, length);
    this.#facts[code * FACTS + HASH] = hash;
    this.#facts[code * FACTS + LENGTH] = length;
    this.#table[at] = entryOf(code, hash);
    if (++this.#entries * 2 > this.#table.length) this.#growTable();
    return code;
  }

  protected override take(length: number): number {
    const code = super.take(length);
    if (code * FACTS >= this.#facts.length) this.#facts = twiceAsLong(this.#facts);
    this.#facts[code * FACTS + PLACE] = NOWHERE;
    return code;
  }

  protected override forget(code: number): void {
    const place = this.#facts[code * FACTS + PLACE] as number;
    if (place === NOWHERE) {
      super.forget(code);
      return;
    }
    this.#unlink(code);
    this.#facts[code * FACTS + PLACE] = NOWHERE;
    this.#pages.drop(place, this.#facts[code * FACTS + LENGTH] as number);
  }

  #growTable(): void {
    this.#table = new Uint32Array(this.#table.length * 2);
    const mask = this.#table.length - 1;
    for (let code = 1; code < this.limit; code++) {
      if (this.#facts[code * FACTS + PLACE] === NOWHERE) continue;
      const hash = this.#facts[code * FACTS + HASH] as number;
      let at = hash & mask;
      while (this.#table[at] !== 0) at = (at + 1) & mask;
      this.#table[at] = entryOf(code, hash);
    }
  }

  /** Removes a code from the table; codes behind it move up, so that no search ends too early. */
  #unlink(code: number): void {
    const table = this.#table;
    const mask = table.length - 1;
    const homeOf = (entry: number) => (this.#facts[(entry & CODE_MASK) * FACTS + HASH] as number) & mask;
    let hole = homeOf(code);
    while (((table[hole] as number) & CODE_MASK) !== code) hole = (hole + 1) & mask;
    for (let at = (hole + 1) & mask; table[at] !== 0; at = (at + 1) & mask) {
      const home = homeOf(table[at] as number);
      if (((at - home) & mask) < ((at - hole) & mask)) continue;
      table[hole] = table[at] as number;
      hole = at;
    }
    table[hole] = 0;
    this.#entries--;
  }
}

function entryOf(code: number, hash: number): number {
  return (code | (hash & ~CODE_MASK)) >>> 0;
}
