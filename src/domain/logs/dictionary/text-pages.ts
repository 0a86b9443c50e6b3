import { containing } from './dictionary.ts';

const PAGE_WORDS = 1 << 14;
/** Words before the text of an entry: its code, its length in bytes. */
const HEAD = 2;
/** The longest text that a page takes. */
export const MOST_TEXT_BYTES = 1_000;
/** What such a text may take in UTF-8 before it is known not to be ASCII. */
const ROOM_WORDS = (MOST_TEXT_BYTES * 3) / 4;
/** Words used for each word alive before pages are emptied. */
const MOST_USED = 1.5;

type Page = { words: Uint32Array; bytes: Buffer; used: number; live: number };

/** Who knows where the text of each code stands. An entry is alive when its own place is what it tells. */
type EntryLocator = { placeOf(code: number): number; moved(code: number, place: number): void };

/**
 * ASCII texts in pages of bytes, outside the collected heap. A place counts words from the first page on. Pages of
 * which most is dead are emptied into the newest one, so that room follows what is alive.
 */
export class TextPages {
  readonly #keeper: EntryLocator;
  readonly #pages: Page[] = [];
  readonly #spare: number[] = [];
  #tail = this.#newPage();
  #usedWords = 0;
  #liveWords = 0;

  constructor(keeper: EntryLocator) {
    this.#keeper = keeper;
  }

  /** What entries that are alive take. */
  get liveBytes(): number {
    return this.#liveWords * Uint32Array.BYTES_PER_ELEMENT;
  }

  /** Writes a text of at most MOST_BYTES where the next entry will stand; false when it is not ASCII. */
  write(text: string): boolean {
    const page = this.#roomyPage();
    const start = page.used + HEAD;
    page.words[start + wordsOf(text.length) - 1] = 0;
    return page.bytes.write(text, start * 4) === text.length;
  }

  /** The same for a text of printable ASCII that stands in these bytes. */
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

  /** Whether the text written last is the one at this place, which has the same length. */
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

  /** To be called when the entry at this place is dead. */
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

  /** One scan through each page for a needle of printable ASCII, instead of one through each text. */
  eachContaining(needle: string, visit: (code: number) => void): void {
    const pattern = containing(needle);
    this.#pages.forEach((page, number) => {
      const text = page.bytes.toString('latin1', 0, page.used * 4);
      let at = 0;
      pattern.lastIndex = 0;
      while (pattern.test(text)) {
        const end = pattern.lastIndex;
        const start = end - needle.length;
        while (after(page, at) * 4 <= start) at = after(page, at);
        const first = (at + HEAD) * 4;
        const isInside = start >= first && end <= first + (page.words[at + 1] as number);
        if (isInside && this.#isAlive(page, number, at)) visit(page.words[at] as number);
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

  /** Counts words written behind the last entry of the newest page, and returns their place. */
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

  /** Moves what is alive in the emptiest page to the newest page. */
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
