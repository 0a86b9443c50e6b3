import { TEXT_NAMES } from '../../log.ts';
import { type CodedRows, ID_BYTES, NO_SPAN, type PackedRows, SPAN_WIDTH } from './coded-rows.ts';

/** Kinds of bytes for a reader of log lines that accepts only printable ASCII without escapes. */
export const PLAIN = 0;
/** A URL without any of these holds no secret: see `maskUrlSecrets`. */
export const SUSPICIOUS = 1;
export const QUOTE = 2;
/** A control character, a backslash or a byte beyond ASCII: such a line is left to the schema. */
export const ODD = 3;

export const BYTE_KINDS = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte < 0x20 || byte > 0x7e || byte === 0x5c) return ODD;
  const sign = String.fromCharCode(byte);
  if (sign === '"') return QUOTE;
  return '=%@'.includes(sign) ? SUSPICIOUS : PLAIN;
});

/** The most rows of a batch: their numbers must fit 16 bits, its tables the cache of a core, and a book takes them in a ms. */
const MOST_ROWS = 1 << 12;

const COLUMNS = TEXT_NAMES.length;
const REQUEST_ID = TEXT_NAMES.indexOf('requestId');
const URL = TEXT_NAMES.indexOf('url');

/** Numbers of texts begin with 1. */
const NUMBERS = MOST_ROWS + 1;
/** At most half full, so that what is not there is soon found not to be. */
const TABLE_SIZE = MOST_ROWS * 2;
const TABLE_MASK = TABLE_SIZE - 1;
/** An entry of a table is the number of a batch over that of a text, so that no batch clears the table. */
const BATCH_STEP = 1 << 16;
const NUMBER_MASK = BATCH_STEP - 1;

const GUESS_BITS = 8;
/** Texts that are held against one at most: those who write lines may make them alike. */
const MOST_GUESSES = 5;

/** Nobody who writes lines may know which texts collide. */
const SEED = Math.floor(Math.random() * 2 ** 32) | 0;
const FACTOR = 0x9e3779b1;

const SEPARATOR = 0x7c;
const fourOf = (byte: number) => Math.imul(byte, 0x01010101);
const ONES = fourOf(1);
const TOPS = fourOf(0x80);
const SEPARATORS = fourOf(SEPARATOR);

/** Separators behind the input, so that a search ends, and reads of words and ids stay in the memory. */
const SLACK = 64;

const NO_PAIR = 0x100;

export type RowCoder = ReturnType<typeof createRowCoder>;

/**
 * Finds the distinct texts of a batch of rows, column by column: each gets a number when it is first seen. `size`: bytes of
 * the input. Functions over arrays that are never replaced, since V8 compiles their places into the code.
 */
export function createRowCoder(size: number) {
  const buffer = new ArrayBuffer(size + SLACK);
  new Uint8Array(buffer, size).fill(SEPARATOR);
  const view = new DataView(buffer);
  const rows: PackedRows = {
    capacity: MOST_ROWS,
    count: 0,
    bytes: Buffer.from(buffer, 0, size),
    view,
    spans: new Int32Array(MOST_ROWS * SPAN_WIDTH),
    times: new Float64Array(MOST_ROWS),
    statuses: new Uint16Array(MOST_ROWS),
    sent: new Float64Array(MOST_ROWS),
    bodies: new Float64Array(MOST_ROWS),
    authorized: new Uint8Array(MOST_ROWS),
    derived: new Uint8Array(MOST_ROWS),
  };
  const ids = new Uint8Array(MOST_ROWS * ID_BYTES);
  const hasId = new Uint8Array(MOST_ROWS);
  /** By column and row. */
  const codes = new Uint16Array(COLUMNS * MOST_ROWS);
  /** By column and number. */
  const spans = new Int32Array(COLUMNS * NUMBERS * 2);
  const hashes = new Int32Array(COLUMNS * NUMBERS);
  const kinds = new Uint8Array(COLUMNS * NUMBERS);
  const uses = new Uint32Array(COLUMNS * NUMBERS);
  /** By column. */
  const known = new Int32Array(COLUMNS);
  const numbers = new Int32Array(COLUMNS);
  const table = new Int32Array(COLUMNS * TABLE_SIZE);
  const guesses = new Uint16Array(COLUMNS << GUESS_BITS);
  // The texts of a url and of its parts may be the same bytes.
  const texts = new DataView(new ArrayBuffer(size * 2 + SLACK));
  let batch = 0;
  /** Rows whose texts were found. */
  let taken = 0;
  let textEnd = 0;
  let failed = 0;
  begin();
  return {
    /** Rows of the batch so far, and the input. Callers may add rows of which they set the spans. */
    rows,
    /** The number of each text of the next row; 0 = null. */
    numbers,
    begin,
    finished,
    takeSpans,
    addRow,
    dropRow,
    packId,
    guessed,
    guessNext,
    scanned,
    found,
    isOdd: (start: number, end: number) => kindOf(start, end) === ODD,
    hasId,
    /** Where the text ends that was guessed or scanned last. */
    end: () => textEnd,
    isSuspicious: (column: number) =>
      ((kinds[column * NUMBERS + (numbers[column] as number)] as number) & SUSPICIOUS) !== 0,
  };

  /** Begins a batch: the rows before are dropped, and results handed out become invalid. */
  function begin(): void {
    rows.count = 0;
    taken = 0;
    known.fill(0);
    batch = (batch + BATCH_STEP) | 0;
    if (batch !== 0) return;
    batch = BATCH_STEP;
    table.fill(0);
  }

  /**
   * The number of the text that begins here and ends before one of these bytes, if it is one that began alike lately; 0 = it
   * is none of them, or another. For columns in which a few texts come again and again: what is the same is not read twice.
   */
  function guessed(column: number, at: number, ends: Uint8Array): number {
    let key = view.getInt32(at, true);
    for (let tries = 0; tries < MOST_GUESSES; tries++) {
      failed = (column << GUESS_BITS) | (Math.imul(key, FACTOR) >>> (32 - GUESS_BITS));
      const number = guesses[failed] as number;
      if (number === 0 || number > (known[column] as number)) return 0;
      const place = (column * NUMBERS + number) * 2;
      const start = spans[place] as number;
      const length = (spans[place + 1] as number) - start;
      const same = sameFrom(start, at, length);
      if (same === length && ends[view.getUint8(at + length)] === 1) {
        textEnd = at + length;
        return number;
      }
      // The next guess goes on from where this one is wrong.
      const more = view.getInt32(at + same, true);
      key = (Math.imul(more, FACTOR) ^ view.getInt32(at + same + 4, true)) + same;
    }
    return 0;
  }

  /** The text that is to be guessed the next time. */
  function guessNext(number: number): void {
    guesses[failed] = number;
  }

  /** The number of the text that begins here and ends before the next separator; -1 = it is odd. */
  function scanned(column: number, start: number): number {
    let hash = SEED;
    let at = start;
    let word = view.getInt32(at, true);
    let rest = word ^ SEPARATORS;
    let ends = (rest - ONES) & ~rest & TOPS;
    while (ends === 0) {
      hash = Math.imul(hash ^ word, FACTOR);
      hash ^= hash >>> 15;
      at += 4;
      word = view.getInt32(at, true);
      rest = word ^ SEPARATORS;
      ends = (rest - ONES) & ~rest & TOPS;
    }
    const more = (31 - Math.clz32(ends & -ends)) >> 3;
    textEnd = at + more;
    return numbered(column, start, textEnd, ended(hash, word, more));
  }

  /** The number of the text between two places; -1 = it is odd. */
  function found(column: number, start: number, end: number): number {
    let hash = SEED;
    let at = start;
    for (; at + 4 <= end; at += 4) {
      hash = Math.imul(hash ^ view.getInt32(at, true), FACTOR);
      hash ^= hash >>> 15;
    }
    return numbered(column, start, end, ended(hash, view.getInt32(at, true), end - at));
  }

  function numbered(column: number, start: number, end: number, hash: number): number {
    const length = end - start;
    const next = (known[column] as number) + 1;
    for (let place = hash; ; place++) {
      const entry = column * TABLE_SIZE + (place & TABLE_MASK);
      const number = (table[entry] as number) & NUMBER_MASK;
      if (((table[entry] as number) ^ number) !== batch || number >= next) {
        const kind = kindOf(start, end);
        if (kind === ODD) return -1;
        table[entry] = batch | next;
        keep(column, next, start, end, hash, kind);
        return next;
      }
      const at = column * NUMBERS + number;
      if (hashes[at] !== hash) continue;
      const other = spans[at * 2] as number;
      if ((spans[at * 2 + 1] as number) - other !== length) continue;
      // Below four bytes, texts of one length that differ have hashes that do.
      if (length < 4 || sameFrom(other, start, length) === length) return number;
    }
  }

  function keep(
    column: number,
    number: number,
    start: number,
    end: number,
    hash: number,
    kind: number,
  ): void {
    const at = column * NUMBERS + number;
    known[column] = number;
    hashes[at] = hash;
    kinds[at] = kind;
    uses[at] = 0;
    spans[at * 2] = start;
    spans[at * 2 + 1] = end;
  }

  /** ODD where any byte is; else with the bit SUSPICIOUS where any is. */
  function kindOf(start: number, end: number): number {
    let kind = 0;
    for (let at = start; at < end; at++) {
      const sign = BYTE_KINDS[view.getUint8(at)] as number;
      if (sign === ODD) return ODD;
      kind |= sign;
    }
    return kind;
  }

  /** Adds a row of these `numbers`, whose other values are set. */
  function addRow(): void {
    putNumbers(rows.count);
    rows.count++;
    taken = rows.count;
  }

  /** Forgets the `numbers`, and the texts that no row has: they are the last. */
  function dropRow(): void {
    numbers.fill(0);
    for (let column = 0; column < COLUMNS; column++) {
      let last = known[column] as number;
      while (last > 0 && uses[column * NUMBERS + last] === 0) last--;
      known[column] = last;
    }
  }

  function putNumbers(row: number): void {
    for (let column = 0; column < COLUMNS; column++) {
      const number = numbers[column] as number;
      codes[column * MOST_ROWS + row] = number;
      if (number === 0) continue;
      const at = column * NUMBERS + number;
      uses[at] = (uses[at] as number) + 1;
      numbers[column] = 0;
    }
  }

  /** Finds the texts of rows whose spans were set. */
  function takeSpans(): void {
    const { spans: places, derived, count } = rows;
    for (; taken < count; taken++) {
      for (let column = 0; column < COLUMNS; column++) {
        const place = taken * SPAN_WIDTH + column * 2;
        const start = places[place] as number;
        const end = places[place + 1] as number;
        const isNone =
          start === NO_SPAN ||
          (column === URL && derived[taken] !== 0) ||
          (column === REQUEST_ID && end - start === ID_BYTES * 2 && packId(start, taken));
        if (column === REQUEST_ID) hasId[taken] = isNone && start !== NO_SPAN ? 1 : 0;
        if (!isNone) numbers[column] = found(column, start, end);
      }
      putNumbers(taken);
    }
  }

  /** Packs an id of 32 lower-case hex digits that begins here; whether it is one. */
  function packId(start: number, row: number): boolean {
    let seen = 0;
    for (let i = 0; i < ID_BYTES; i++) {
      const pair = HEX_PAIRS[view.getUint16(start + i * 2, true)] as number;
      seen |= pair;
      ids[row * ID_BYTES + i] = pair;
    }
    return seen < NO_PAIR;
  }

  /** The complete rows of the batch. Valid until the next one begins. */
  function finished(): CodedRows {
    takeSpans();
    const { count } = rows;
    const bodies = rows.bodies.subarray(0, count);
    const authorized = rows.authorized.subarray(0, count);
    let length = 0;
    for (let column = 0; column < COLUMNS; column++) length = movedTo(length, column);
    return {
      bytes: new Uint8Array(texts.buffer, 0, length),
      count,
      times: rows.times.subarray(0, count),
      statuses: rows.statuses.subarray(0, count),
      sent: rows.sent.subarray(0, count),
      bodies: bodies.every(Number.isNaN) ? null : bodies,
      authorized: authorized.includes(1) ? authorized : null,
      ids: ids.subarray(0, count * ID_BYTES),
      hasId: hasId.subarray(0, count),
      texts: TEXT_NAMES.map((_, column) => {
        const [first, last] = [column * NUMBERS, known[column] as number];
        if (last === 0) return null;
        return {
          codes: codes.subarray(column * MOST_ROWS, column * MOST_ROWS + count),
          spans: spans.subarray((first + 1) * 2, (first + 1 + last) * 2),
          uses: uses.subarray(first, first + last + 1),
        };
      }),
    };
  }

  /** Puts the texts of a column behind those of others; returns where they end. No row may follow. */
  function movedTo(place: number, column: number): number {
    let to = place;
    for (let number = 1; number <= (known[column] as number); number++) {
      const at = (column * NUMBERS + number) * 2;
      const from = spans[at] as number;
      const length = (spans[at + 1] as number) - from;
      // What is copied beyond the end is overwritten by the next.
      for (let i = 0; i < length; i += 8) texts.setFloat64(to + i, view.getFloat64(from + i, true), true);
      spans[at] = to;
      to += length;
      spans[at + 1] = to;
    }
    return to;
  }

  /** `length` where two texts are the same, one of which is printable ASCII; else a place up to which they are. */
  function sameFrom(a: number, b: number, length: number): number {
    if (length < 8) return isShortSame(a, b, length) ? length : 0;
    const last = length - 8;
    // Numbers made of printable ASCII are equal where their bytes are: eight at once.
    for (let i = 0; i < last; i += 8)
      if (view.getFloat64(a + i, true) !== view.getFloat64(b + i, true)) return i;
    return view.getFloat64(a + last, true) === view.getFloat64(b + last, true) ? length : last;
  }

  function isShortSame(a: number, b: number, length: number): boolean {
    const differing = view.getInt32(a, true) ^ view.getInt32(b, true);
    if (length < 4) return (differing & maskOf(length)) === 0;
    return differing === 0 && view.getInt32(a + length - 4, true) === view.getInt32(b + length - 4, true);
  }
}

/** The hash of a text with its last bytes, less than four. For texts of one length below four all steps can be taken back. */
function ended(hash: number, word: number, more: number): number {
  const whole = Math.imul(hash ^ (word & maskOf(more)), FACTOR) + more;
  return whole ^ (whole >>> 15);
}

/** The bits of a word that belong to less than four bytes. */
function maskOf(length: number): number {
  return (1 << (length << 3)) - 1;
}

/** The byte that two lower-case hex digits stand for, by the 16 bits that they are. */
const HEX_PAIRS = hexPairs();

function hexPairs(): Uint16Array {
  const pairs = new Uint16Array(1 << 16).fill(NO_PAIR);
  for (let byte = 0; byte < 256; byte++) {
    const digits = byte.toString(16).padStart(2, '0');
    pairs[digits.charCodeAt(0) | (digits.charCodeAt(1) << 8)] = byte;
  }
  return pairs;
}

/** Copies the rows into a buffer from this place on; `end`: the first place behind them. There must be room. */
export function movedInto(
  buffer: ArrayBuffer | SharedArrayBuffer,
  from: number,
  rows: CodedRows,
): { rows: CodedRows; end: number } {
  let at = from;
  const placed = <A extends NumberList>(list: A): A => {
    at = Math.ceil(at / list.BYTES_PER_ELEMENT) * list.BYTES_PER_ELEMENT;
    const Own = list.constructor as new (buffer: ArrayBufferLike, at: number, length: number) => A;
    const own = new Own(buffer, at, list.length);
    own.set(list);
    at += list.byteLength;
    return own;
  };
  const moved = {
    count: rows.count,
    times: placed(rows.times),
    sent: placed(rows.sent),
    bodies: rows.bodies && placed(rows.bodies),
    texts: rows.texts.map(
      (coded) =>
        coded && { spans: placed(coded.spans), uses: placed(coded.uses), codes: placed(coded.codes) },
    ),
    statuses: placed(rows.statuses),
    ids: placed(rows.ids),
    hasId: placed(rows.hasId),
    authorized: rows.authorized && placed(rows.authorized),
    bytes: placed(rows.bytes),
  };
  return { rows: moved, end: at };
}

/** The most bytes that these rows take in one buffer. */
export function roomFor({ texts, ...rows }: CodedRows): number {
  const lists = [rows, ...texts].flatMap((of) =>
    Object.values(of ?? {}).filter((each) => ArrayBuffer.isView(each)),
  );
  return lists.reduce((room, { byteLength }) => room + byteLength + ALIGNMENT, 0);
}

/** The same rows, in memory of their own. */
export function keptRows(rows: CodedRows): CodedRows {
  return movedInto(new ArrayBuffer(roomFor(rows)), 0, rows).rows;
}

type NumberList = Uint8Array | Uint16Array | Int32Array | Uint32Array | Float64Array;

/** Bytes that alignment may cost a list. */
const ALIGNMENT = Float64Array.BYTES_PER_ELEMENT;
