import { CHUNK_BITS, CHUNK_MASK, CHUNK_ROWS } from './coded-column.ts';

/** Stands for null in a narrow chunk; a real value this large takes a wide one. */
const NARROW_NULL = 0xffffffff;

/**
 * One column of numbers, four bytes a row; a chunk that meets a number which is not a whole one below 2^32 - 1 takes
 * eight. A wide null is NaN, so that NaN comes back as null.
 */
export class NumberColumn {
  readonly chunks: (Uint32Array | Float64Array)[] = [];

  put(slot: number, value: number | null): void {
    const at = slot >>> CHUNK_BITS;
    let chunk = this.chunks[at] as Uint32Array | Float64Array;
    if (chunk instanceof Uint32Array) {
      if (value === null) {
        chunk[slot & CHUNK_MASK] = NARROW_NULL;
        return;
      }
      const narrow = value >>> 0;
      if (narrow === value && narrow !== NARROW_NULL) {
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

  putNulls(slot: number, count: number): void {
    const chunk = this.chunks[slot >>> CHUNK_BITS] as Uint32Array | Float64Array;
    const row = slot & CHUNK_MASK;
    chunk.fill(chunk instanceof Uint32Array ? NARROW_NULL : Number.NaN, row, row + count);
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
