import { COLUMN_NAMES, COLUMNS, type ColumnType, typeOf } from '../sql/columns.ts';
import { DIALECTS } from '../sql/dialect.ts';
import { statementOf } from '../sql/sql.ts';
import type { StoredRow } from '../sql/stored-row.ts';

/**
 * Rows as a block of ClickHouse's format Native, which is what its tables are made of: column after column, and of those that are dictionaries
 * each word once. It has least to do then, and so have we. Names and types stand in it, so that a table of another form refuses it.
 */
export function nativeBlock(rows: readonly StoredRow[]): Buffer {
  const out = new Bytes();
  out.length(COLUMN_NAMES.length);
  out.length(rows.length);
  for (const name of COLUMN_NAMES) {
    out.text(name);
    out.text(TYPES[name]);
    WRITERS[COLUMNS[name]](out, rows, name);
  }
  return out.taken();
}

const TYPES = Object.fromEntries(
  COLUMN_NAMES.map((name) => [
    name,
    statementOf(typeOf(name, 'clickhouse'), DIALECTS.clickhouse.placeholder).text,
  ]),
) as Record<keyof StoredRow, string>;

type Writer = (out: Bytes, rows: readonly StoredRow[], name: keyof StoredRow) => void;

const WRITERS: Record<ColumnType, Writer> = {
  text: (out, rows, name) => {
    for (const row of rows) out.text(row[name] as string);
  },
  word: writeWords,
  id: writeHex,
  address: writeHex,
  time: writeWide,
  size: writeWide,
  status: (out, rows, name) => {
    for (const row of rows) out.number16(row[name] as number);
  },
  small: (out, rows, name) => {
    for (const row of rows) out.number8(row[name] as number);
  },
};

function writeHex(out: Bytes, rows: readonly StoredRow[], name: keyof StoredRow): void {
  for (const row of rows) out.hex(row[name] as string);
}

function writeWide(out: Bytes, rows: readonly StoredRow[], name: keyof StoredRow): void {
  for (const row of rows) out.number64(row[name] as number);
}

/** The form of a dictionary, that its words follow and that they are its own, and the width of the places in it: 32 bits. */
const [DICTIONARY, OWN_WORDS] = [1, 0x600 + 2];

function writeWords(out: Bytes, rows: readonly StoredRow[], name: keyof StoredRow): void {
  const places = new Map<string, number>();
  const of = rows.map((row) => {
    const word = row[name] as string;
    const known = places.get(word);
    if (known !== undefined) return known;
    places.set(word, places.size);
    return places.size - 1;
  });
  for (const each of [DICTIONARY, OWN_WORDS, places.size]) out.number64(each);
  for (const word of places.keys()) out.text(word);
  out.number64(rows.length);
  for (const place of of) out.number32(place);
}

/** Bytes of a letter in UTF-8, and of the length of a text. */
const [LETTER, LENGTH] = [3, 5];
const FIRST_SIZE = 1 << 20;

/** Bytes that grow as they are written. */
class Bytes {
  #buffer = Buffer.allocUnsafe(FIRST_SIZE);
  #at = 0;

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

  hex(digits: string): void {
    this.#room(digits.length / 2);
    this.#at += this.#buffer.write(digits, this.#at, 'hex');
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
