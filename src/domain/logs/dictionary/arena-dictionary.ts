import { bytesOnHeap, containing, Dictionary, twiceAsLong } from './dictionary.ts';
import { MOST_TEXT_BYTES, TextPages } from './text-pages.ts';

/** The facts of a code, side by side because they are read together. */
const PLACE = 0;
const HASH = 1;
const LENGTH = 2;
const USES = 3;
const FACTS = 4;

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
  readonly #others = new Map<string, number>();
  readonly #otherValues = new Map<number, string>();
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
  #otherBytes = 0;
  #isCrowded = false;

  /** `hash` of the text written to the pages last, by its length; seeded so that nobody can predict it. */
  constructor(hash?: (length: number) => number) {
    super();
    const seed = Math.floor(Math.random() * 2 ** 32);
    this.#hash = hash ?? ((length) => this.#pages.hashOfWritten(length, seed));
  }

  get bytes(): number {
    return this.#otherBytes + this.#pages.liveBytes;
  }

  intern(value: string): number {
    const { length } = value;
    const isOnHeap = this.#isCrowded && this.#others.has(value);
    if (isOnHeap || length > MOST_TEXT_BYTES || this.limit > CODE_MASK || !this.#pages.write(value)) {
      return this.#internOther(value);
    }
    return this.#internWritten(length) ?? this.#internOther(value);
  }

  internBytes(bytes: Buffer, start: number, end: number, uses: number): number {
    const length = end - start;
    let code: number | null = null;
    if (length <= MOST_TEXT_BYTES && this.limit <= CODE_MASK && !this.#isCrowded) {
      this.#pages.writeBytes(bytes, start, end);
      code = this.#internWritten(length);
    }
    code ??= this.intern(bytes.toString('latin1', start, end));
    this.#facts[code * FACTS + USES] = this.uses(code) + uses - 1;
    return code;
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
        facts[fact + USES] = (facts[fact + USES] as number) + 1;
        return entry & CODE_MASK;
      }
      at = (at + 1) & mask;
    }
    const isTooFar = ((at - hash) & mask) > MOST_STEPS;
    if (isTooFar) this.#isCrowded = true;
    return isTooFar ? null : this.#keep(length, hash, at);
  }

  retain(code: number): void {
    this.#facts[code * FACTS + USES] = this.uses(code) + 1;
  }

  release(code: number): void {
    const facts = this.#facts;
    const fact = code * FACTS;
    const left = (facts[fact + USES] as number) - 1;
    facts[fact + USES] = left;
    if (left > 0) return;
    const place = facts[fact + PLACE] as number;
    if (place === NOWHERE) {
      const value = this.#otherValues.get(code) as string;
      this.#otherBytes -= bytesOnHeap(value);
      this.#others.delete(value);
      this.#otherValues.delete(code);
    } else {
      this.#unlink(code);
      facts[fact + PLACE] = NOWHERE;
      this.#pages.drop(place, facts[fact + LENGTH] as number);
    }
    this.free(code);
  }

  value(code: number): string {
    const place = this.#facts[code * FACTS + PLACE] as number;
    if (place === NOWHERE) return this.#otherValues.get(code) as string;
    return this.#pages.read(place, this.#facts[code * FACTS + LENGTH] as number);
  }

  uses(code: number): number {
    return this.#facts[code * FACTS + USES] ?? 0;
  }

  each(visit: (code: number, value: string) => void): void {
    for (const [code, value] of this.#otherValues) visit(code, value);
    this.#pages.each(visit);
  }

  eachContaining(needle: string, visit: (code: number) => void): void {
    const pattern = containing(needle);
    for (const [code, value] of this.#otherValues) {
      pattern.lastIndex = 0;
      if (pattern.test(value)) visit(code);
    }
    this.#pages.eachContaining(needle, visit);
  }

  #internOther(value: string): number {
    const known = this.#others.get(value);
    if (known !== undefined) {
      this.#facts[known * FACTS + USES] = this.uses(known) + 1;
      return known;
    }
    const code = this.#take(value.length);
    this.#others.set(value, code);
    this.#otherBytes += bytesOnHeap(value);
    this.#otherValues.set(code, value);
    return code;
  }

  #keep(length: number, hash: number, at: number): number {
    const code = this.#take(length);
    this.#facts[code * FACTS + PLACE] = this.#pages.keep(code, length);
    this.#facts[code * FACTS + HASH] = hash;
    this.#facts[code * FACTS + LENGTH] = length;
    this.#table[at] = entryOf(code, hash);
    if (++this.#entries * 2 > this.#table.length) this.#growTable();
    return code;
  }

  #take(length: number): number {
    const code = this.take(length);
    if (code * FACTS >= this.#facts.length) this.#facts = twiceAsLong(this.#facts);
    this.#facts[code * FACTS + PLACE] = NOWHERE;
    this.#facts[code * FACTS + USES] = 1;
    return code;
  }

  #growTable(): void {
    this.#table = new Uint32Array(this.#table.length * 2);
    const mask = this.#table.length - 1;
    for (let code = 1; code < this.limit; code++) {
      if (this.uses(code) === 0 || this.#facts[code * FACTS + PLACE] === NOWHERE) continue;
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
