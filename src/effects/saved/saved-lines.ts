/** No line of a log is longer; what comes longer is cut and counted. */
export const LONGEST_LINE = 256 * 1024;

const NEWLINE = 0x0a;

/** Bytes that hold whole lines, from `start` up to `end`; the last of them may lack its line break. */
export type LineWindow = { bytes: Buffer; start: number; end: number; isCut: boolean };

/** Cuts chunks of bytes at line breaks. Holds no more than the beginning of one line. */
export class LineCutter {
  #rest: Buffer[] = [];
  #length = 0;
  #isCut = false;

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
    // Kept first: whoever gets the chunk may hand it to another thread.
    this.#keep(chunk.subarray(last + 1));
    if (start <= last) yield { bytes: chunk, start, end: last, isCut: false };
  }

  /** The line that lacks its line break, when there is one. */
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
