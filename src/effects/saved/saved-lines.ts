import { readSync } from 'node:fs';

/** Longer lines are truncated and counted. */
export const LONGEST_LINE = 256 * 1024;

const NEWLINE = 0x0a;

/** Of the shortest lines this is as much work as may precede the next key, bytes. */
const STEP = 1 << 16;

/** Bytes with whole lines from `start` to `end`; the last may lack its line break. */
export type LineWindow = { bytes: Buffer; start: number; end: number; isCut: boolean };

/** Cuts chunks of bytes at line breaks, and holds back at most the beginning of one line. */
export class LineCutter {
  #rest: Buffer[] = [];
  #length = 0;
  #isCut = false;
  readonly #step: number;

  /** `step`: bytes passed on at once. */
  constructor(step = STEP) {
    this.#step = step;
  }

  /** The whole lines that end within this chunk. They must be read before the chunk changes. */
  *feed(chunk: Buffer): Generator<LineWindow> {
    const last = chunk.lastIndexOf(NEWLINE);
    if (last < 0) {
      this.#keep(chunk);
      return;
    }
    let start = 0;
    if (this.#length > 0) {
      start = chunk.indexOf(NEWLINE) + 1;
      this.#keep(chunk.subarray(0, start - 1));
      yield* this.end();
    }
    // Kept first: the receiver may hand the chunk to another thread.
    this.#keep(chunk.subarray(last + 1));
    for (let end: number; start <= last; start = end + 1) {
      end = last - start <= this.#step ? last : chunk.lastIndexOf(NEWLINE, start + this.#step);
      if (end < start) end = chunk.indexOf(NEWLINE, start + this.#step);
      yield { bytes: chunk, start, end, isCut: false };
    }
  }

  /** The line without its line break, if any. */
  *end(): Generator<LineWindow> {
    if (this.#length === 0) return;
    const bytes = Buffer.concat(this.#rest);
    const isCut = this.#isCut;
    this.#rest = [];
    this.#length = 0;
    this.#isCut = false;
    yield { bytes, start: 0, end: bytes.length, isCut };
  }

  #keep(part: Buffer): void {
    if (part.length === 0) return;
    const room = LONGEST_LINE - this.#length;
    if (part.length > room) this.#isCut = true;
    if (room > 0) {
      const kept = Buffer.from(part.subarray(0, room));
      this.#rest.push(kept);
      this.#length += kept.length;
    }
  }
}

/** Bytes read at once past a range to find the end of its last line. */
const BEYOND = 1 << 16;

/** The lines that begin in a range of a file. */
export type RangeLines = {
  /** Whole lines; null = none. */
  window: LineWindow | null;
  /** Behind them, the beginning of a line that is too long. */
  long: Buffer | null;
  /** Where the first unread line begins; null = none begins in the range. */
  next: number | null;
};

/**
 * Reads ranges of files whose other ranges others read, so that each line is read once. A line without a line break
 * is left, as it may still be growing. Lines are valid until the next range is read.
 */
export class RangeReader {
  #bytes: Buffer;

  /** `bytes`: read into these where there is room. */
  constructor(bytes: Buffer = Buffer.alloc(0)) {
    this.#bytes = bytes;
  }

  /** Throws what the file system throws. */
  read(fd: number, from: number, to: number): RangeLines {
    const most = to - from + 1 + LONGEST_LINE + 2 * BEYOND;
    if (this.#bytes.length < most) this.#bytes = Buffer.allocUnsafeSlow(most);
    const bytes = this.#bytes;
    // The byte before shows whether a line begins with the range.
    const base = Math.max(0, from - 1);
    const length = filled(fd, bytes, 0, to - base, base);
    const first = from === 0 ? 0 : bytes.subarray(0, length).indexOf(NEWLINE) + 1;
    if ((from > 0 && first === 0) || first >= length) return { window: null, long: null, next: null };
    const last = bytes.lastIndexOf(NEWLINE, length - 1);
    if (last === length - 1) return { window: windowOf(bytes, first, last), long: null, next: base + length };
    return this.#withEnd(fd, base, first, last, length);
  }

  /** Reads on to the end of the line that crosses the range. */
  #withEnd(fd: number, base: number, first: number, last: number, length: number): RangeLines {
    const bytes = this.#bytes;
    const start = Math.max(first, last + 1);
    const before = windowOf(bytes, first, last);
    for (let end = length; ; ) {
      const isTooLong = end - start > LONGEST_LINE;
      // Of a line that is too long only the end is searched.
      const at = isTooLong ? start + LONGEST_LINE : end;
      const position = base + end;
      const got = filled(fd, bytes, at, BEYOND, position);
      if (got === 0) return { window: before, long: null, next: base + start };
      const found = bytes.subarray(at, at + got).indexOf(NEWLINE);
      if (found < 0) end += got;
      else if (isTooLong)
        return {
          window: before,
          long: bytes.subarray(start, start + LONGEST_LINE),
          next: position + found + 1,
        };
      else return { window: windowOf(bytes, first, at + found), long: null, next: position + found + 1 };
    }
  }
}

function windowOf(bytes: Buffer, start: number, end: number): LineWindow | null {
  return start <= end ? { bytes, start, end, isCut: false } : null;
}

/** Reads until so many bytes are there or the file ends; returns how many are. */
function filled(fd: number, bytes: Buffer, at: number, most: number, position: number): number {
  let length = 0;
  while (length < most) {
    const got = readSync(fd, bytes, at + length, most - length, position + length);
    if (got === 0) break;
    length += got;
  }
  return length;
}
