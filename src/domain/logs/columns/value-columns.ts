import type { Dictionary } from '../dictionary/dictionary.ts';
import { bufferOf, type CodedRows, type CodedTexts } from './coded-rows.ts';

/** Columns are chunks of this many rows, so that a book grows without copying. */
export const CHUNK_BITS = 14;
export const CHUNK_ROWS = 1 << CHUNK_BITS;
export const CHUNK_MASK = CHUNK_ROWS - 1;

export type Codes = Uint8Array | Uint16Array | Uint32Array;

/**
 * A column of codes, one a row; 0 = null. Codes take one, two or four bytes, the same for all rows: the width grows with the
 * dictionary, at most twice in the life of a column.
 */
export class CodedColumn<V extends string | number> {
  readonly dictionary: Dictionary<V>;
  chunks: Codes[] = [];
  #top = 0xff;

  constructor(dictionary: Dictionary<V>) {
    this.dictionary = dictionary;
  }

  /** The row must be empty: a value already there would never be released. */
  put(slot: number, value: V | null | undefined): void {
    if (value === null || value === undefined) return;
    const code = this.dictionary.intern(value);
    this.widenFor(code);
    (this.chunks[slot >>> CHUNK_BITS] as Codes)[slot & CHUNK_MASK] = code;
  }

  /**
   * Puts codes into slots of one chunk from `slot` on, and takes over their references: the i-th code is
   * `known[numbers[from + i]]`. The rows must be empty.
   */
  putCodes(slot: number, numbers: Uint16Array, from: number, to: number, known: Uint32Array): void {
    const chunk = this.chunks[slot >>> CHUNK_BITS] as Codes;
    for (let i = from, row = slot & CHUNK_MASK; i < to; i++, row++)
      chunk[row] = known[numbers[i] as number] as number;
  }

  /** Call before `putCodes`: makes the column wide enough for this code. */
  widenFor(code: number): void {
    if (code <= this.#top) return;
    this.#top = code > 0xffff ? 0xffffffff : 0xffff;
    this.chunks = this.chunks.map((narrow) => {
      const wide = codesUpTo(this.#top);
      wide.set(narrow);
      return wide;
    });
  }

  dropAll(slots: readonly number[]): void {
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i] as number;
      const chunk = this.chunks[slot >>> CHUNK_BITS] as Codes;
      const code = chunk[slot & CHUNK_MASK] as number;
      if (code === 0) continue;
      chunk[slot & CHUNK_MASK] = 0;
      this.dictionary.release(code);
    }
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
}

function codesUpTo(top: number): Codes {
  if (top <= 0xff) return new Uint8Array(CHUNK_ROWS);
  return top <= 0xffff ? new Uint16Array(CHUNK_ROWS) : new Uint32Array(CHUNK_ROWS);
}

/** Null in a narrow chunk; a real value this large makes the chunk wide. */
const NARROW_NULL = 0xffffffff;

/**
 * A column of numbers, four bytes a row; a chunk with a number that is not an integer below 2^32 - 1 takes eight. A wide null
 * is NaN, so NaN reads as null.
 */
export class NumberColumn {
  readonly chunks: (Uint32Array | Float64Array)[] = [];

  put(slot: number, value: number | null): void {
    const at = slot >>> CHUNK_BITS;
    let chunk = this.chunks[at] as Uint32Array | Float64Array;
    if (chunk instanceof Uint32Array) {
      const narrow = value === null ? NARROW_NULL : value >>> 0;
      if (value === null || (narrow === value && narrow !== NARROW_NULL)) {
        chunk[slot & CHUNK_MASK] = narrow;
        return;
      }
      chunk = this.chunks[at] = widened(chunk);
    }
    chunk[slot & CHUNK_MASK] = value ?? Number.NaN;
  }

  /** Puts these numbers, of which NaN is null, into slots of one chunk from `slot` on. */
  putAll(slot: number, values: Float64Array, from: number, to: number): void {
    const at = slot >>> CHUNK_BITS;
    for (let i = from, row = slot & CHUNK_MASK; i < to; i++, row++) {
      const value = values[i] as number;
      const chunk = this.chunks[at] as Uint32Array | Float64Array;
      const narrow = value >>> 0;
      if (chunk instanceof Uint32Array && narrow === value && narrow !== NARROW_NULL) chunk[row] = narrow;
      else this.put((at << CHUNK_BITS) + row, Number.isNaN(value) ? null : value);
    }
  }

  value(slot: number): number | null {
    const chunk = this.chunks[slot >>> CHUNK_BITS] as Uint32Array | Float64Array;
    const value = chunk[slot & CHUNK_MASK] as number;
    if (chunk instanceof Uint32Array) return value === NARROW_NULL ? null : value;
    return Number.isNaN(value) ? null : value;
  }

  addChunk(): void {
    this.chunks.push(new Uint32Array(CHUNK_ROWS));
  }
}

function widened(narrow: Uint32Array): Float64Array {
  const wide = new Float64Array(narrow.length);
  for (let i = 0; i < narrow.length; i++) {
    const value = narrow[i] as number;
    wide[i] = value === NARROW_NULL ? Number.NaN : value;
  }
  return wide;
}

/** Statuses are below it. */
export const STATUSES = 1000;

/** A column's codes for the texts of a batch, by number; the caller must put each use into a row. */
export function interned(
  column: CodedColumn<string>,
  { bytes }: CodedRows,
  { spans, uses }: CodedTexts,
): Uint32Array {
  const text = bufferOf(bytes);
  const codes = new Uint32Array(uses.length);
  let top = 0;
  for (let number = 1; number < uses.length; number++) {
    if (uses[number] === 0) continue;
    const [start, end] = [spans[number * 2 - 2] as number, spans[number * 2 - 1] as number];
    const code = column.dictionary.internBytes(text, start, end, uses[number] as number);
    codes[number] = code;
    if (code > top) top = code;
  }
  column.widenFor(top);
  return codes;
}

/** The same for the statuses of a batch, by status, written to `codes`. */
export function codeStatuses(
  column: CodedColumn<number>,
  { statuses, count }: CodedRows,
  codes: Uint32Array,
): void {
  codes.fill(0);
  for (let i = 0; i < count; i++) {
    const status = statuses[i] as number;
    const known = codes[status] as number;
    if (known === 0) codes[status] = column.dictionary.intern(status);
    else column.dictionary.retain(known);
  }
  column.widenFor(column.dictionary.limit - 1);
}
