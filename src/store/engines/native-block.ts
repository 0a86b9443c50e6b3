import { ID_BYTES } from '../../domain/logs/columns/coded-rows.ts';
import { COLUMN_NAMES, COLUMNS, type ColumnType, isNumber, typeOf } from '../sql/columns.ts';
import { DIALECTS } from '../sql/dialect.ts';
import { statementOf } from '../sql/sql.ts';
import type { StoredColumns, StoredNumber, StoredText } from '../sql/stored-columns.ts';
import type { StoredRow } from '../sql/stored-row.ts';

/**
 * Rows as a block of ClickHouse's format Native, which is what its tables are made of: column after column, and of those that are dictionaries
 * each word once. It has least to do then, and so have we. Names and types stand in it, so that a table of another form refuses it.
 */
export function nativeBlock(rows: StoredColumns): Buffer {
  const out = new Bytes(rows.count * USUAL_ROW);
  out.length(COLUMN_NAMES.length);
  out.length(rows.count);
  for (const name of COLUMN_NAMES) {
    out.text(name);
    out.text(TYPES[name]);
    if (name === 'id') out.bytes(rows.ids.subarray(0, rows.count * ID_BYTES));
    else if (isNumber(name))
      writeNumbers(out, rows.numbers[name as StoredNumber].subarray(0, rows.count), name);
    else writeTexts(out, rows.texts[name as StoredText], rows.count, COLUMNS[name]);
  }
  return out.taken();
}

const TYPES = Object.fromEntries(
  COLUMN_NAMES.map((name) => [
    name,
    statementOf(typeOf(name, 'clickhouse'), DIALECTS.clickhouse.placeholder).text,
  ]),
) as Record<keyof StoredRow, string>;

function writeNumbers(out: Bytes, values: Float64Array, name: keyof StoredRow): void {
  const type = COLUMNS[name];
  const write = type === 'small' ? out.number8 : type === 'status' ? out.number16 : out.number64;
  for (const value of values) write.call(out, value);
}

/** The form of a dictionary, that its words follow and that they are its own, and the width of the places in it: 32 bits. */
const [DICTIONARY, OWN_WORDS] = [1, 0x600 + 2];

function writeTexts(
  out: Bytes,
  { words, codes }: StoredColumns['texts'][StoredText],
  count: number,
  type: ColumnType,
): void {
  if (type === 'word') {
    for (const each of [DICTIONARY, OWN_WORDS, words.length]) out.number64(each);
    for (const word of words) out.text(word);
    out.number64(count);
    out.bytes(new Uint8Array(codes.buffer, 0, count * codes.BYTES_PER_ELEMENT));
    return;
  }
  // Each is encoded once.
  const encoded = words.map((word) => {
    const each = new Bytes(word.length * LETTER + LENGTH);
    if (type === 'address') each.bytes(Buffer.from(word, 'hex'));
    else each.text(word);
    return each.taken();
  });
  for (const code of codes.subarray(0, count)) out.bytes(encoded[code] as Buffer);
}

/** Bytes of a letter in UTF-8, and of the length of a text. */
const [LETTER, LENGTH] = [3, 5];
/** Bytes of a row, of nearly all rows. */
const USUAL_ROW = 256;

/** Bytes that grow as they are written. */
class Bytes {
  #buffer: Buffer;
  #at = 0;

  constructor(size: number) {
    this.#buffer = Buffer.allocUnsafe(size);
  }

  taken(): Buffer {
    return this.#buffer.subarray(0, this.#at);
  }

  #room(bytes: number): void {
    if (this.#at + bytes <= this.#buffer.length) return;
    this.#buffer = Buffer.concat([this.#buffer], Math.max(this.#buffer.length * 2, this.#at + bytes));
  }

  number8(value: number): void {
    this.#room(1);
    this.#buffer[this.#at++] = value;
  }

  number16(value: number): void {
    this.#room(2);
    this.#at = this.#buffer.writeUInt16LE(value, this.#at);
  }

  number32(value: number): void {
    this.#room(4);
    this.#at = this.#buffer.writeUInt32LE(value, this.#at);
  }

  /** Below zero, too. */
  number64(value: number): void {
    this.#room(8);
    const high = Math.floor(value / 2 ** 32);
    this.#at = this.#buffer.writeUInt32LE(value - high * 2 ** 32, this.#at);
    this.#at = this.#buffer.writeInt32LE(high, this.#at);
  }

  bytes(of: Uint8Array): void {
    this.#room(of.length);
    this.#buffer.set(of, this.#at);
    this.#at += of.length;
  }

  text(value: string): void {
    if (value === '') {
      this.number8(0);
      return;
    }
    this.#room(value.length * LETTER + LENGTH);
    // Nearly all are so short that their length is one byte.
    const length = this.#buffer.write(value, this.#at + 1);
    if (length < 128) this.#buffer[this.#at++] = length;
    else {
      this.length(length);
      this.#buffer.write(value, this.#at);
    }
    this.#at += length;
  }

  length(value: number): void {
    this.#room(LENGTH);
    let rest = value;
    for (; rest > 127; rest = Math.floor(rest / 128)) this.#buffer[this.#at++] = (rest % 128) + 128;
    this.#buffer[this.#at++] = rest;
  }
}
