import { createJsonPacker } from '../../api/schemas/packed-log.ts';
import { createV1Packer } from '../../api/schemas/packed-v1.ts';
import type { CodedRows } from '../../domain/logs/columns/coded-rows.ts';
import { withoutSecrets } from '../../domain/logs/columns/masked-rows.ts';
import { createRowCoder } from '../../domain/logs/columns/row-coder.ts';
import { type LineWindow, LONGEST_LINE } from './saved-lines.ts';

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const BRACE = 0x7b;

/** Bytes of lines that are packed at once. */
const INPUT_SIZE = 3 << 19;

/** Lines in order: rows of a known shape, or a single line of another. */
export type LinePart =
  | { kind: 'coded'; rows: CodedRows }
  | { kind: 'loose'; line: Uint8Array; isCut: boolean };

/** Packs the lines of a window that have a known shape and passes on the others. Keeps nothing between windows. */
export class LinePacker {
  readonly #coder = createRowCoder(INPUT_SIZE);
  readonly #takeLines = createV1Packer(this.#coder, LONGEST_LINE);
  readonly #packJson = createJsonPacker();

  /** Windows of these bytes are read in place; others are copied. */
  get input(): Buffer {
    return this.#coder.rows.bytes;
  }

  /** Use each part before asking for the next: its memory is reused. */
  *pack({ bytes, start, end, isCut }: LineWindow): Generator<LinePart> {
    if (isCut) yield { kind: 'loose', line: bytes.subarray(start, end), isCut };
    else if (bytes === this.input) yield* this.#packed(start, end);
    else
      for (let from = start; from <= end; ) {
        const to = this.#lastEnd(bytes, from, end);
        if (to - from >= this.input.length) yield { kind: 'loose', line: bytes.subarray(from, to), isCut };
        else {
          bytes.copy(this.input, 0, from, to);
          yield* this.#packed(0, to - from);
        }
        from = to + 1;
      }
  }

  /** The end of the last line that fits, or of one that is too long to fit. */
  #lastEnd(bytes: Buffer, from: number, end: number): number {
    const most = from + this.input.length - 1;
    if (end <= most) return end;
    const last = bytes.lastIndexOf(NEWLINE, most);
    if (last >= from) return last;
    const next = bytes.indexOf(NEWLINE, most);
    return next < 0 || next > end ? end : next;
  }

  /** The lines of the input. */
  *#packed(start: number, end: number): Generator<LinePart> {
    const { input } = this;
    const { rows } = this.#coder;
    input[end] = NEWLINE;
    for (let at = start; at <= end; ) {
      if (input[at] !== BRACE) at = this.#takeLines(at, end);
      if (rows.count === rows.capacity) {
        yield* this.#flush();
        continue;
      }
      if (at > end) break;
      const next = input.indexOf(NEWLINE, at);
      const last = next > at && input[next - 1] === RETURN ? next - 1 : next;
      if (last > at && !this.#isJson(at, last)) {
        yield* this.#flush();
        yield { kind: 'loose', line: input.subarray(at, last), isCut: false };
      }
      if (rows.count === rows.capacity) yield* this.#flush();
      at = next + 1;
    }
    yield* this.#flush();
  }

  #isJson(start: number, end: number): boolean {
    const { rows } = this.#coder;
    const isRow =
      this.input[start] === BRACE && end - start <= LONGEST_LINE && this.#packJson(rows, start, end) === end;
    if (isRow) rows.count++;
    return isRow;
  }

  *#flush(): Generator<LinePart> {
    if (this.#coder.rows.count === 0) return;
    yield { kind: 'coded', rows: withoutSecrets(this.#coder.finished()) };
    this.#coder.begin();
  }
}
