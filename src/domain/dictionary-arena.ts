import { CodeBook, containing, type Dictionary, type Memo, twiceAsLong } from './dictionary.ts';

const PAGE_BYTES = 1 << 16;
const PAGE_WORDS = PAGE_BYTES / 4;
/** Words before the text of an entry: its code, its length in bytes. */
const HEAD = 2;
/** Longer texts, and texts that are not ASCII, stay on the heap. */
const MOST_BYTES = 1_000;
/** What such a text may take in UTF-8 before it is known not to be ASCII. */
const ROOM_WORDS = (MOST_BYTES * 3) / 4;
/** Words used for each word alive before pages are emptied. */
const MOST_USED = 1.5;
const NOWHERE = 0xffffffff;

/** What is kept of each code, side by side since it is read together. */
const PLACE = 0;
const HASH = 1;
const LENGTH = 2;
const USES = 3;
const FIELDS = 4;

/** The table holds a code and the top bits of its hash, which spare most looks at other entries. */
const CODE_BITS = 24;
const CODE_MASK = (1 << CODE_BITS) - 1;

type Page = { words: Uint32Array; bytes: Buffer; used: number; live: number };

/**
 * For columns of many values: ASCII text in pages of bytes, outside the collected heap, found through a hash table.
 * Pages of which most is dead are emptied into the newest one, so that room follows what is alive.
 */
export class ArenaDictionary implements Dictionary<string> {
  readonly #book = new CodeBook();
  readonly #others = new Map<string, number>();
  readonly #otherValues = new Map<number, string>();
  #pages: Page[] = [];
  #spare: number[] = [];
  #tail = -1;
  /** FIELDS numbers a code. A place counts words from the first page on; NOWHERE for texts on the heap. */
  #facts = new Uint32Array(64 * FIELDS);
  /** By hash, 0 = empty; at most half full. */
  #table = new Uint32Array(128);
  #entries = 0;
  #usedWords = 0;
  #liveWords = 0;

  get size(): number {
    return this.#book.size;
  }

  get limit(): number {
    return this.#book.limit;
  }

  get freed(): number {
    return this.#book.freed;
  }

  intern(value: string): number {
    if (value.length > MOST_BYTES || this.#book.limit > CODE_MASK) return this.#internOther(value);
    const page = this.#roomyPage();
    const start = page.used + HEAD;
    const length = value.length;
    const end = start + wordsOf(length);
    page.words[end - 1] = 0;
    if (page.bytes.write(value, start * 4) !== length) return this.#internOther(value);
    const hash = hashOf(page.words, start, end, length);
    const table = this.#table;
    const facts = this.#facts;
    const mask = table.length - 1;
    let at = hash & mask;
    for (let found = table[at] as number; found !== 0; found = table[at] as number) {
      const code = found & CODE_MASK;
      if (
        (found ^ hash) >>> CODE_BITS === 0 &&
        facts[code * FIELDS + HASH] === hash &&
        this.#holds(code, page.words, start, length)
      ) {
        facts[code * FIELDS + USES] = (facts[code * FIELDS + USES] as number) + 1;
        return code;
      }
      at = (at + 1) & mask;
    }
    return this.#keep(page, length, hash, at);
  }

  release(code: number): void {
    const facts = this.#facts;
    const left = (facts[code * FIELDS + USES] as number) - 1;
    facts[code * FIELDS + USES] = left;
    if (left > 0) return;
    const place = facts[code * FIELDS + PLACE] as number;
    if (place === NOWHERE) {
      this.#others.delete(this.#otherValues.get(code) as string);
      this.#otherValues.delete(code);
    } else {
      this.#unlink(code);
      facts[code * FIELDS + PLACE] = NOWHERE;
      this.#drop(Math.floor(place / PAGE_WORDS), HEAD + wordsOf(facts[code * FIELDS + LENGTH] as number));
    }
    this.#book.free(code);
  }

  value(code: number): string {
    const place = this.#placeOf(code);
    if (place === NOWHERE) return this.#otherValues.get(code) as string;
    const { bytes } = this.#pages[Math.floor(place / PAGE_WORDS)] as Page;
    const start = ((place % PAGE_WORDS) + HEAD) * 4;
    return bytes.toString('latin1', start, start + (this.#facts[code * FIELDS + LENGTH] as number));
  }

  uses(code: number): number {
    return this.#facts[code * FIELDS + USES] ?? 0;
  }

  watch(memo: Memo): void {
    this.#book.watch(memo);
  }

  unwatch(memo: Memo): void {
    this.#book.unwatch(memo);
  }

  each(visit: (code: number, value: string) => void): void {
    for (const [code, value] of this.#otherValues) visit(code, value);
    this.#pages.forEach((page, number) => {
      const text = page.bytes.toString('latin1', 0, page.used * 4);
      for (let at = 0; at < page.used; at += HEAD + wordsOf(page.words[at + 1] as number)) {
        const code = page.words[at] as number;
        const start = (at + HEAD) * 4;
        if (this.#placeOf(code) === number * PAGE_WORDS + at) {
          visit(code, text.substring(start, start + (page.words[at + 1] as number)));
        }
      }
    });
  }

  /** One scan through each page instead of one through each text. */
  eachContaining(needle: string, visit: (code: number) => void): void {
    const pattern = containing(needle);
    for (const [code, value] of this.#otherValues) {
      pattern.lastIndex = 0;
      if (pattern.test(value)) visit(code);
    }
    this.#pages.forEach((page, number) => {
      const text = page.bytes.toString('latin1', 0, page.used * 4);
      let at = 0;
      pattern.lastIndex = 0;
      while (pattern.test(text)) {
        const end = pattern.lastIndex;
        const start = end - needle.length;
        let next = at + HEAD + wordsOf(page.words[at + 1] as number);
        while (next * 4 <= start) {
          at = next;
          next += HEAD + wordsOf(page.words[at + 1] as number);
        }
        const first = (at + HEAD) * 4;
        const isInside = start >= first && end <= first + (page.words[at + 1] as number);
        const code = page.words[at] as number;
        if (isInside && this.#placeOf(code) === number * PAGE_WORDS + at) visit(code);
        pattern.lastIndex = isInside ? next * 4 : start + 1;
      }
    });
  }

  #internOther(value: string): number {
    const known = this.#others.get(value);
    if (known !== undefined) {
      this.#facts[known * FIELDS + USES] = this.uses(known) + 1;
      return known;
    }
    const code = this.#take();
    this.#others.set(value, code);
    this.#otherValues.set(code, value);
    return code;
  }

  /** Makes an entry of the text that was written behind the last one of this page. */
  #keep(page: Page, length: number, hash: number, at: number): number {
    const code = this.#take();
    const words = HEAD + wordsOf(length);
    page.words[page.used] = code;
    page.words[page.used + 1] = length;
    this.#facts[code * FIELDS + PLACE] = this.#tail * PAGE_WORDS + page.used;
    this.#facts[code * FIELDS + HASH] = hash;
    this.#facts[code * FIELDS + LENGTH] = length;
    page.used += words;
    page.live += words;
    this.#usedWords += words;
    this.#liveWords += words;
    this.#table[at] = entryOf(code, hash);
    if (++this.#entries * 2 > this.#table.length) this.#growTable();
    return code;
  }

  #take(): number {
    const code = this.#book.take();
    if (code * FIELDS >= this.#facts.length) this.#facts = twiceAsLong(this.#facts);
    this.#facts[code * FIELDS + PLACE] = NOWHERE;
    this.#facts[code * FIELDS + USES] = 1;
    return code;
  }

  #placeOf(code: number): number {
    return this.#facts[code * FIELDS + PLACE] as number;
  }

  #holds(code: number, words: Uint32Array, start: number, length: number): boolean {
    if (this.#facts[code * FIELDS + LENGTH] !== length) return false;
    const place = this.#placeOf(code);
    const own = (this.#pages[Math.floor(place / PAGE_WORDS)] as Page).words;
    const first = (place % PAGE_WORDS) + HEAD;
    for (let i = wordsOf(length) - 1; i >= 0; i--) if (own[first + i] !== words[start + i]) return false;
    return true;
  }

  /** The newest page, with room for the longest text. */
  #roomyPage(): Page {
    const page = this.#pages[this.#tail];
    if (page !== undefined && PAGE_WORDS - page.used >= HEAD + ROOM_WORDS) return page;
    return this.#nextPage();
  }

  #nextPage(): Page {
    const spare = this.#spare.pop();
    if (spare !== undefined) {
      this.#tail = spare;
    } else {
      const words = new Uint32Array(PAGE_WORDS);
      this.#tail = this.#pages.push({ words, bytes: Buffer.from(words.buffer), used: 0, live: 0 }) - 1;
    }
    return this.#pages[this.#tail] as Page;
  }

  #drop(number: number, words: number): void {
    const page = this.#pages[number] as Page;
    page.live -= words;
    this.#liveWords -= words;
    if (page.live === 0 && number !== this.#tail) this.#clear(number);
    if (this.#usedWords > this.#liveWords * MOST_USED + PAGE_WORDS * 4) this.#evacuate();
  }

  #clear(number: number): void {
    const page = this.#pages[number] as Page;
    this.#usedWords -= page.used;
    page.used = 0;
    page.live = 0;
    this.#spare.push(number);
  }

  /** Moves what is alive in the emptiest page to the newest page. */
  #evacuate(): void {
    let number = -1;
    let least = PAGE_WORDS;
    this.#pages.forEach((page, i) => {
      if (i === this.#tail || page.used === 0 || page.live >= least) return;
      least = page.live;
      number = i;
    });
    const page = this.#pages[number];
    if (page === undefined) return;
    for (let at = 0; at < page.used; ) {
      const code = page.words[at] as number;
      const words = HEAD + wordsOf(page.words[at + 1] as number);
      if (this.#placeOf(code) === number * PAGE_WORDS + at) {
        const to = this.#roomyPage();
        to.words.set(page.words.subarray(at, at + words), to.used);
        this.#facts[code * FIELDS + PLACE] = this.#tail * PAGE_WORDS + to.used;
        to.used += words;
        to.live += words;
        this.#usedWords += words;
      }
      at += words;
    }
    this.#clear(number);
  }

  #growTable(): void {
    this.#table = new Uint32Array(this.#table.length * 2);
    const mask = this.#table.length - 1;
    for (let code = 1; code < this.#book.limit; code++) {
      if (this.uses(code) === 0 || this.#placeOf(code) === NOWHERE) continue;
      const hash = this.#facts[code * FIELDS + HASH] as number;
      let at = hash & mask;
      while (this.#table[at] !== 0) at = (at + 1) & mask;
      this.#table[at] = entryOf(code, hash);
    }
  }

  /** Takes a code out of the table; codes behind it move up, so that no search ends too early. */
  #unlink(code: number): void {
    const table = this.#table;
    const mask = table.length - 1;
    const homeOf = (entry: number) => (this.#facts[(entry & CODE_MASK) * FIELDS + HASH] as number) & mask;
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

function wordsOf(bytes: number): number {
  return (bytes + 3) >>> 2;
}

function hashOf(words: Uint32Array, from: number, to: number, seed: number): number {
  let hash = seed;
  for (let i = from; i < to; i++) {
    hash = Math.imul(hash ^ (words[i] as number), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash >>> 0;
}
