// The distinct texts of a batch, column by column: each gets a number when it is first seen.
import {
  CODES,
  COLUMN_AREA,
  COLUMN_SIZE,
  COLUMNS,
  HASHES,
  SPANS,
  TABLE,
  TABLE_SIZE,
  TEXTS_OF,
  USES,
} from './layout.ts';

/** Nobody who writes lines may know which texts collide. */
declare const seed: u64;

/** An entry of a table is the number of a batch over that of a text, so that no batch clears the table. */
const BATCH_STEP: u32 = 0x10000;
let batch: u32 = 0;

export function forgetTexts(): void {
  batch += BATCH_STEP;
  if (batch === 0) {
    batch = BATCH_STEP;
    for (let column = 0; column < COLUMNS; column++)
      memory.fill(COLUMN_AREA + column * COLUMN_SIZE + TABLE, 0, TABLE_SIZE * 4);
  }
  memory.fill(TEXTS_OF, 0, COLUMNS * 4);
}

export function textsOf(column: i32): i32 {
  return load<i32>(TEXTS_OF + (column << 2));
}

export function putNone(column: i32, row: i32): void {
  store<u16>(COLUMN_AREA + column * COLUMN_SIZE + CODES + (row << 1), 0);
}

/** Gives a row the text from `start` up to `end`. */
export function putText(column: i32, row: i32, start: i32, end: i32): void {
  const area = COLUMN_AREA + column * COLUMN_SIZE;
  const length = end - start;
  const hash = hashOf(start, length);
  let number = 0;
  for (let place = (hash ^ (hash >> 32)) as u32; ; place++) {
    const entry = area + TABLE + ((place & (TABLE_SIZE - 1)) << 2);
    const found = load<u32>(entry);
    number = found & (BATCH_STEP - 1);
    if ((found ^ number) !== batch) {
      number = added(column, start, end, hash);
      store<u32>(entry, batch | number);
      break;
    }
    if (load<u64>(area + HASHES + (number << 3)) === hash && isText(area, number, start, length)) break;
  }
  const uses = area + USES + (number << 2);
  store<u32>(uses, load<u32>(uses) + 1);
  store<u16>(area + CODES + (row << 1), number);
}

function added(column: i32, start: i32, end: i32, hash: u64): i32 {
  const area = COLUMN_AREA + column * COLUMN_SIZE;
  const number = textsOf(column) + 1;
  store<i32>(TEXTS_OF + (column << 2), number);
  store<u64>(area + HASHES + (number << 3), hash);
  store<i32>(area + SPANS + (number << 3), start);
  store<i32>(area + SPANS + (number << 3), end, 4);
  store<u32>(area + USES + (number << 2), 0);
  return number;
}

/** Whether a text that has the hash of another is the same. Of two short ones that are as long it always is. */
function isText(area: i32, number: i32, start: i32, length: i32): bool {
  const span = area + SPANS + (number << 3);
  const from = load<i32>(span);
  return load<i32>(span, 4) - from === length && (length < 8 || isSame(start, from, length));
}

/** Words, the last of which may overlap the one before; at least one. */
function isSame(a: i32, b: i32, length: i32): bool {
  if (load<u64>(a + length - 8) !== load<u64>(b + length - 8)) return false;
  let at = 0;
  for (; at + 16 <= length; at += 16)
    if (v128.any_true(v128.xor(v128.load(a + at), v128.load(b + at)))) return false;
  return at + 8 > length || load<u64>(a + at) === load<u64>(b + at);
}

/** Different for different texts of the same length below 8 bytes: both steps of `mixed` can be taken back. */
function hashOf(start: i32, length: i32): u64 {
  let hash = seed ^ length;
  if (length < 8) return mixed(hash, load<u64>(start) & maskOf(length));
  const last = start + length - 8;
  let at = start;
  // Two at a time, neither of which waits for the other.
  let other = ~hash;
  for (; at + 8 < last; at += 16) {
    hash = mixed(hash, load<u64>(at));
    other = mixed(other, load<u64>(at + 8));
  }
  if (at < last) hash = mixed(hash, load<u64>(at));
  return mixed(hash ^ other, load<u64>(last));
}

function mixed(hash: u64, word: u64): u64 {
  const product = (hash ^ word) * 0x9e3779b97f4a7c15;
  return product ^ (product >> 29);
}

/** The bits of a word that belong to a text of less than eight bytes. */
function maskOf(length: i32): u64 {
  return ((1 as u64) << (length << 3)) - 1;
}
