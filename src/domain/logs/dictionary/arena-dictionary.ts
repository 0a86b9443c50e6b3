import { Dictionary, twiceAsLong } from './dictionary.ts';
import { MOST_TEXT_BYTES, TextPages } from './text-pages.ts';

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

  override eachContaining(needle: string, visit: (code: number) => void): void {
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
