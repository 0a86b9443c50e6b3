import type { Dictionary } from '../dictionary/dictionary.ts';

/** Columns are arrays of this many rows, so that a book grows without copying what it holds. */
export const CHUNK_BITS = 14;
export const CHUNK_ROWS = 1 << CHUNK_BITS;
export const CHUNK_MASK = CHUNK_ROWS - 1;

export type Codes = Uint8Array | Uint16Array | Uint32Array;

/**
 * One column of values, a code a row; 0 = null. Codes take one, two or four bytes, all rows alike: the width grows
 * when the dictionary does, which happens twice in the life of a column at most.
 */
export class CodedColumn<V extends string | number> {
  readonly dictionary: Dictionary<V>;
  chunks: Codes[] = [];
  #top = 0xff;

  constructor(dictionary: Dictionary<V>) {
    this.dictionary = dictionary;
  }

  /** The row must hold nothing: a value already there would never be released. */
  put(slot: number, value: V | null | undefined): void {
    if (value === null || value === undefined) return;
    const code = this.dictionary.intern(value);
    if (code > this.#top) this.#widen(code);
    (this.chunks[slot >>> CHUNK_BITS] as Codes)[slot & CHUNK_MASK] = code;
  }

  /**
   * Puts codes of the dictionary, of which the column takes over the references, into slots of one chunk from `slot` on:
   * the code of the i-th is `known[numbers[from + i]]`. The rows must hold nothing.
   */
  putCodes(slot: number, numbers: Uint16Array, from: number, to: number, known: Uint32Array): void {
    const chunk = this.chunks[slot >>> CHUNK_BITS] as Codes;
    for (let i = from, row = slot & CHUNK_MASK; i < to; i++, row++)
      chunk[row] = known[numbers[i] as number] as number;
  }

  /** To be called before codes are put: makes room for a code as large as this. */
  widenFor(code: number): void {
    if (code > this.#top) this.#widen(code);
  }

  drop(slot: number): void {
    const chunk = this.chunks[slot >>> CHUNK_BITS] as Codes;
    const code = chunk[slot & CHUNK_MASK] as number;
    if (code === 0) return;
    chunk[slot & CHUNK_MASK] = 0;
    this.dictionary.release(code);
  }

  code(slot: number): number {
    return (this.chunks[slot >>> CHUNK_BITS] as Codes)[slot & CHUNK_MASK] as number;
  }

  value(slot: number): V | null {
    const code = this.code(slot);
    return code === 0 ? null : this.dictionary.value(code);
  }

  addChunk(): void {
    this.chunks.push(codesUpTo(this.#top));
  }

  #widen(code: number): void {
    this.#top = code > 0xffff ? 0xffffffff : 0xffff;
    this.chunks = this.chunks.map((narrow) => {
      const wide = codesUpTo(this.#top);
      wide.set(narrow);
      return wide;
    });
  }
}

function codesUpTo(top: number): Codes {
  if (top <= 0xff) return new Uint8Array(CHUNK_ROWS);
  return top <= 0xffff ? new Uint16Array(CHUNK_ROWS) : new Uint32Array(CHUNK_ROWS);
}
