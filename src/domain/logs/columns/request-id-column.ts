import { ArenaDictionary } from '../dictionary/arena-dictionary.ts';
import { CHUNK_BITS, CHUNK_MASK, CHUNK_ROWS, CodedColumn } from './value-columns.ts';

/** Bytes of a packed id, and its hex digits. */
const BYTES = 16;
const ID_DIGITS = 32;

/** The value of each lower-case hex digit by character code; -1 for anything else. */
const DIGIT_VALUES = Int8Array.from({ length: 256 }, (_, code) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(code)),
);

/** Room for an id of 32 UTF-16 units of three bytes each. */
const scratch = Buffer.alloc(ID_DIGITS * 3);

/**
 * Request ids: nearly all differ, so they take 16 bytes each instead of a dictionary. An id that is not 32 lower-case hex digits is
 * kept as a text in `odd`.
 */
export class RequestIdColumn {
  readonly packed: Buffer[] = [];
  readonly odd = new CodedColumn<string>(new ArenaDictionary());

  /** True when the id was packed; the caller keeps that bit for `value`. */
  put(slot: number, id: string | null): boolean {
    if (id !== null && id.length === ID_DIGITS && pack(id, this.#chunk(slot), (slot & CHUNK_MASK) * BYTES))
      return true;
    this.odd.put(slot, id);
    return false;
  }

  /** Puts the packed bytes of ids into slots of one chunk from `slot` on. */
  putPacked(slot: number, ids: Uint8Array, from: number, to: number): void {
    this.#chunk(slot).set(ids.subarray(from * BYTES, to * BYTES), (slot & CHUNK_MASK) * BYTES);
  }

  value(slot: number, isPacked: boolean): string | null {
    if (!isPacked) return this.odd.value(slot);
    const at = (slot & CHUNK_MASK) * BYTES;
    return this.#chunk(slot).toString('hex', at, at + BYTES);
  }

  drop(slot: number): void {
    this.odd.drop(slot);
  }

  addChunk(): void {
    this.packed.push(Buffer.from(new ArrayBuffer(CHUNK_ROWS * BYTES)));
    this.odd.addChunk();
  }

  /** Visits the rows of a chunk whose packed id contains this needle of lower-case hex. */
  eachContaining(chunk: number, needle: string, visit: (row: number) => void): void {
    eachWithin((this.packed[chunk] as Buffer).toString('hex'), needle, ID_DIGITS, visit);
  }

  /** Visits the rows of a chunk that have this packed id. */
  eachEqual(chunk: number, id: string, visit: (row: number) => void): void {
    const wanted = Buffer.alloc(BYTES);
    if (id.length === ID_DIGITS && pack(id, wanted, 0))
      eachWithin(this.packed[chunk] as Buffer, wanted, BYTES, visit);
  }

  /** Visits every row of a chunk with its packed id, which is meaningless for rows without one. */
  each(chunk: number, visit: (row: number, id: string) => void): void {
    const text = (this.packed[chunk] as Buffer).toString('hex');
    for (let row = 0; row < CHUNK_ROWS; row++)
      visit(row, text.substring(row * ID_DIGITS, (row + 1) * ID_DIGITS));
  }

  #chunk(slot: number): Buffer {
    return this.packed[slot >>> CHUNK_BITS] as Buffer;
  }
}

/** Visits the rows, of so many units each, within which a needle stands. */
function eachWithin<T extends { length: number; indexOf(needle: T, from?: number): number }>(
  text: T,
  needle: T,
  width: number,
  visit: (row: number) => void,
): void {
  for (let at = text.indexOf(needle); at >= 0; ) {
    const end = (Math.floor(at / width) + 1) * width;
    const isInside = at + needle.length <= end;
    if (isInside) visit(end / width - 1);
    at = text.indexOf(needle, isInside ? end : at + 1);
  }
}

/** Packs an id of 32 lower-case hex digits; false for any other id, with `into` overwritten in part. */
function pack(id: string, into: Uint8Array, from: number): boolean {
  if (scratch.write(id) !== ID_DIGITS) return false;
  for (let i = 0; i < BYTES; i++) {
    const high = DIGIT_VALUES[scratch[2 * i] as number] as number;
    const low = DIGIT_VALUES[scratch[2 * i + 1] as number] as number;
    if ((high | low) < 0) return false;
    into[from + i] = (high << 4) | low;
  }
  return true;
}
