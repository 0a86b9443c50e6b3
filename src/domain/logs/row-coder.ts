import type { CodedRows, CodedTexts } from './coded-rows.ts';
import { packHexId } from './column-request-ids.ts';
import { NO_SPAN, PACKED_COLUMNS, type PackedRows, SPAN_WIDTH } from './packed-rows.ts';

/** The most rows of a batch: their numbers must fit 16 bits, its tables the cache of a core, and a book takes them in a ms. */
export const MOST_CODED = 1 << 12;

const ID_BYTES = 16;
const URL = PACKED_COLUMNS.indexOf('url');
const REQUEST_ID = PACKED_COLUMNS.indexOf('requestId');

/** Finds the distinct texts of packed rows, column by column, a batch at a time. */
export type RowCoder = {
  /** Throws a RangeError for too many. What it gives is good until it is asked again, or until the bytes of the rows change. */
  code(rows: PackedRows): CodedRows;
};

export function createRowCoder(): RowCoder {
  const columns = PACKED_COLUMNS.map(() => new TextCoder());
  const ids = new Uint8Array(MOST_CODED * ID_BYTES);
  const hasId = new Uint8Array(MOST_CODED);
  return {
    code(rows) {
      const { count, bytes } = rows;
      if (count > MOST_CODED) throw new RangeError(`more than ${MOST_CODED} rows in a batch`);
      packIds(rows, ids, hasId);
      return {
        bytes,
        count,
        times: rows.times.subarray(0, count),
        statuses: rows.statuses.subarray(0, count),
        sent: rows.sent.subarray(0, count),
        bodies: holdsNumber(rows.bodies, count) ? rows.bodies.subarray(0, count) : null,
        authorized: holdsOne(rows.authorized, count) ? rows.authorized.subarray(0, count) : null,
        ids: ids.subarray(0, count * ID_BYTES),
        hasId: hasId.subarray(0, count),
        texts: columns.map((coder, column) => {
          const isLeftOut = column === URL ? rows.derived : column === REQUEST_ID ? hasId : null;
          return coder.code(rows, column, isLeftOut);
        }),
      };
    },
  };
}

/** At most half full. An entry is the number of a batch over that of a text, so that no batch clears the table. */
const TABLE = MOST_CODED * 2;
const LAST_BATCH = 0xffff;

class TextCoder {
  readonly #table = new Uint32Array(TABLE);
  readonly #codes = new Uint16Array(MOST_CODED);
  readonly #spans = new Int32Array(MOST_CODED * 2);
  readonly #hashes = new Int32Array(MOST_CODED);
  readonly #uses = new Uint32Array(MOST_CODED + 1);
  readonly #seed = Math.floor(Math.random() * 2 ** 32);
  #batch = 0;

  /** Null when there is no text in the column; rows marked in `isLeftOut` have none. */
  code(rows: PackedRows, column: number, isLeftOut: Uint8Array | null): CodedTexts | null {
    const { view, spans: places, count } = rows;
    const [table, codes, spans, hashes, uses] = [
      this.#table,
      this.#codes,
      this.#spans,
      this.#hashes,
      this.#uses,
    ];
    const tag = this.#nextBatch();
    const seed = this.#seed;
    let known = 0;
    let before = 0;
    for (let row = 0, at = column * 2; row < count; row++, at += SPAN_WIDTH) {
      const start = places[at] as number;
      if (start === NO_SPAN || (isLeftOut !== null && isLeftOut[row] !== 0)) {
        codes[row] = 0;
        continue;
      }
      const end = places[at + 1] as number;
      if (before !== 0 && isSame(view, start, end, spans, before)) {
        codes[row] = before;
        uses[before] = (uses[before] as number) + 1;
        continue;
      }
      const hash = hashOf(view, start, end, seed);
      let place = (hash ^ (hash >>> 15)) & (TABLE - 1);
      for (;;) {
        const entry = table[place] as number;
        const code = entry & 0xffff;
        if ((entry ^ code) >>> 0 !== tag) {
          before = ++known;
          table[place] = (tag | before) >>> 0;
          hashes[before - 1] = hash;
          spans[before * 2 - 2] = start;
          spans[before * 2 - 1] = end;
          uses[before] = 1;
          break;
        }
        if (hashes[code - 1] === hash && isSame(view, start, end, spans, code)) {
          before = code;
          uses[code] = (uses[code] as number) + 1;
          break;
        }
        place = (place + 1) & (TABLE - 1);
      }
      codes[row] = before;
    }
    if (known === 0) return null;
    return {
      codes: codes.subarray(0, count),
      spans: spans.subarray(0, known * 2),
      uses: uses.subarray(0, known + 1),
    };
  }

  #nextBatch(): number {
    if (this.#batch === LAST_BATCH) {
      this.#batch = 0;
      this.#table.fill(0);
    }
    return (++this.#batch << 16) >>> 0;
  }
}

/** Words of four bytes, the last of which may overlap the one before; a text shorter than that byte by byte. */
function hashOf(view: DataView, start: number, end: number, seed: number): number {
  let hash = seed ^ (end - start);
  const last = end - 4;
  if (last < start) {
    for (let i = start; i < end; i++)
      hash = Math.imul(((hash << 5) | (hash >>> 27)) ^ view.getUint8(i), FACTOR);
    return hash;
  }
  let at = start;
  // Two at a time, neither of which waits for the other.
  for (let other = ~hash; at < last - 4; at += 8) {
    hash = Math.imul(((hash << 5) | (hash >>> 27)) ^ view.getInt32(at, true), FACTOR);
    other = Math.imul(((other << 7) | (other >>> 25)) ^ view.getInt32(at + 4, true), FACTOR);
    if (at >= last - 12) hash ^= other;
  }
  for (; at < last; at += 4)
    hash = Math.imul(((hash << 5) | (hash >>> 27)) ^ view.getInt32(at, true), FACTOR);
  return Math.imul(((hash << 5) | (hash >>> 27)) ^ view.getInt32(last, true), FACTOR);
}

const FACTOR = 0x9e3779b1;

function isSame(view: DataView, start: number, end: number, spans: Int32Array, code: number): boolean {
  const from = spans[code * 2 - 2] as number;
  const length = end - start;
  if ((spans[code * 2 - 1] as number) - from !== length) return false;
  const last = length - 4;
  if (last < 0) {
    for (let i = 0; i < length; i++) if (view.getUint8(start + i) !== view.getUint8(from + i)) return false;
    return true;
  }
  if (view.getInt32(start + last, true) !== view.getInt32(from + last, true)) return false;
  for (let i = 0; i < last; i += 4)
    if (view.getInt32(start + i, true) !== view.getInt32(from + i, true)) return false;
  return true;
}

function packIds({ bytes, spans, count }: PackedRows, ids: Uint8Array, hasId: Uint8Array): void {
  for (let row = 0, at = REQUEST_ID * 2; row < count; row++, at += SPAN_WIDTH) {
    const start = spans[at] as number;
    const isThere =
      start !== NO_SPAN && packHexId(bytes, start, spans[at + 1] as number, ids, row * ID_BYTES);
    hasId[row] = isThere ? 1 : 0;
  }
}

function holdsNumber(list: Float64Array, count: number): boolean {
  for (let i = 0; i < count; i++) if (!Number.isNaN(list[i])) return true;
  return false;
}

function holdsOne(list: Uint8Array, count: number): boolean {
  for (let i = 0; i < count; i++) if (list[i] !== 0) return true;
  return false;
}
