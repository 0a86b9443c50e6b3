import { isClean } from '../../api/schemas/packed-bytes.ts';
import { createJsonPacker } from '../../api/schemas/packed-log.ts';
import { EARLIEST_TIMESTAMP, LATEST_TIMESTAMP, SECONDS_BELOW } from '../../api/timestamp.ts';
import type { CodedRows } from '../../domain/logs/columns/coded-rows.ts';
import { type KernelRules, RowKernel } from './row-kernel.ts';
import { type LineWindow, LONGEST_LINE } from './saved-lines.ts';

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const BRACE = 0x7b;

/** What the readers of lines outside of the kernel go by too. */
export const KERNEL_RULES: KernelRules = {
  longestLine: LONGEST_LINE,
  secondsBelow: SECONDS_BELOW,
  earliest: EARLIEST_TIMESTAMP,
  latest: LATEST_TIMESTAMP,
  isClean,
};

/** Lines in their order: rows of a known shape, or the place of one line that has none. */
export type LinePart = { kind: 'coded'; rows: CodedRows } | { kind: 'loose'; start: number; end: number };

/** Takes the lines of a window apart that have a known shape, and leaves the others. Knows nothing of other windows. */
export class LinePacker {
  readonly #kernel = new RowKernel(KERNEL_RULES);
  readonly #packJson = createJsonPacker();

  /** Windows of these bytes are taken where they are; those of others are copied. */
  get input(): Buffer {
    return this.#kernel.input;
  }

  /** Each part must be used before the next is asked for: its rows stand in a memory that the next ones take. */
  *pack({ bytes, start, end, isCut }: LineWindow): Generator<LinePart> {
    if (isCut) yield { kind: 'loose', start, end };
    else if (bytes === this.input) yield* this.#packed(start, end, 0);
    else
      for (let from = start; from <= end; ) {
        const to = this.#lastEnd(bytes, from, end);
        if (to - from >= this.input.length) yield { kind: 'loose', start: from, end: to };
        else {
          bytes.copy(this.input, 0, from, to);
          yield* this.#packed(0, to - from, from);
        }
        from = to + 1;
      }
  }

  /** Where the last line ends for which there is room from here on, or one that is longer than that. */
  #lastEnd(bytes: Buffer, from: number, end: number): number {
    const most = from + this.input.length - 1;
    if (end <= most) return end;
    const last = bytes.lastIndexOf(NEWLINE, most);
    if (last >= from) return last;
    const next = bytes.indexOf(NEWLINE, most);
    return next < 0 || next > end ? end : next;
  }

  /** The lines of the input; what stands at `n` there was read from `n + shift`. */
  *#packed(start: number, end: number, shift: number): Generator<LinePart> {
    const { input, rows } = this.#kernel;
    input[end] = NEWLINE;
    for (let at = start; at <= end; ) {
      if (input[at] !== BRACE) at = this.#kernel.takeLines(at, end);
      if (rows.isFull) {
        yield* this.#flush();
        continue;
      }
      if (at > end) break;
      const next = input.indexOf(NEWLINE, at);
      const last = next > at && input[next - 1] === RETURN ? next - 1 : next;
      if (last > at && !this.#isJson(at, last)) {
        yield* this.#flush();
        yield { kind: 'loose', start: at + shift, end: last + shift };
      }
      if (rows.isFull) yield* this.#flush();
      at = next + 1;
    }
    yield* this.#flush();
  }

  #isJson(start: number, end: number): boolean {
    const { input, rows } = this.#kernel;
    return input[start] === BRACE && end - start <= LONGEST_LINE && this.#packJson(rows, start, end);
  }

  *#flush(): Generator<LinePart> {
    if (this.#kernel.rows.count === 0) return;
    yield { kind: 'coded', rows: this.#kernel.finished() };
    this.#kernel.begin();
  }
}
