import { ArenaDictionary } from '../dictionary/arena-dictionary.ts';
import { CHUNK_BITS, CHUNK_MASK, CHUNK_ROWS, CodedColumn } from './value-columns.ts';

/** Bytes of a packed id, and the hex digits that it is printed with. */
const BYTES = 16;
const WORD = Uint32Array.BYTES_PER_ELEMENT;
const ID_DIGITS = 32;

/** The value of each hex digit by its code; -1 for what is none. */
const DIGIT_VALUES = Int8Array.from({ length: 256 }, (_, code) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(code)),
);

/** Room for an id whose 32 units are no digits and take three bytes each. */
const scratch = Buffer.alloc(ID_DIGITS * 3);

/**
 * Request ids: nearly all differ, so 16 bytes each instead of a dictionary. An id that is not 32 lower-case hex
 * digits is kept as it is, beside.
 */
export class RequestIdColumn {
  readonly packed: Buffer[] = [];
  readonly odd = new CodedColumn<string>(new ArenaDictionary());

  /** True when the id went into the packed bytes: the caller keeps that bit for `value`. */
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

  /** Visits the rows of a chunk whose packed bytes print as something that holds this needle of lower-case hex. */
  eachContaining(chunk: number, needle: string, visit: (row: number) => void): void {
    if (needle.length > ID_DIGITS) return;
    const text = (this.packed[chunk] as Buffer).toString('hex');
    for (let at = text.indexOf(needle); at >= 0; ) {
      const row = Math.floor(at / ID_DIGITS);
      const isInside = at + needle.length <= (row + 1) * ID_DIGITS;
      if (isInside) visit(row);
      at = text.indexOf(needle, isInside ? (row + 1) * ID_DIGITS : at + 1);
    }
  }

  /** Visits the rows of a chunk whose packed bytes print as this id. */
  eachEqual(chunk: number, id: string, visit: (row: number) => void): void {
    const wanted = new Uint32Array(BYTES / WORD);
    if (id.length !== ID_DIGITS || !pack(id, new Uint8Array(wanted.buffer), 0)) return;
    const [first, second, third, fourth] = wanted;
    const packed = this.packed[chunk] as Buffer;
    const words = new Uint32Array(packed.buffer, packed.byteOffset, (CHUNK_ROWS * BYTES) / WORD);
    for (let row = 0, at = 0; row < CHUNK_ROWS; row++, at += BYTES / WORD) {
      if (words[at] !== first || words[at + 1] !== second) continue;
      if (words[at + 2] === third && words[at + 3] === fourth) visit(row);
    }
  }

  /** Visits every row of a chunk with what its packed bytes print as, which means nothing for rows without. */
  each(chunk: number, visit: (row: number, id: string) => void): void {
    const text = (this.packed[chunk] as Buffer).toString('hex');
    for (let row = 0; row < CHUNK_ROWS; row++)
      visit(row, text.substring(row * ID_DIGITS, (row + 1) * ID_DIGITS));
  }

  #chunk(slot: number): Buffer {
    return this.packed[slot >>> CHUNK_BITS] as Buffer;
  }
}

/** Packs an id of 32 lower-case hex digits; false when it is another one, and `into` is then waste. */
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
