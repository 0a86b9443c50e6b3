import { createJsonPacker } from '../../api/schemas/packed-log.ts';
import { packLineV1 } from '../../api/schemas/packed-log-v1.ts';
import { PackedRows } from '../../domain/logs/packed-rows.ts';
import { MOST_CODED } from '../../domain/logs/row-coder.ts';
import { type LineWindow, LONGEST_LINE } from './saved-lines.ts';

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const BRACE = 0x7b;
const QUOTE = 0x22;

/** Lines in their order: rows of a known shape, or the place of one line that has none. */
export type LinePart = { kind: 'packed'; rows: PackedRows } | { kind: 'loose'; start: number; end: number };

/** Takes the lines of a window apart that have a known shape, and leaves the others. Knows nothing of other windows. */
export class LinePacker {
  readonly #packed = new PackedRows(MOST_CODED);
  readonly #packJson = createJsonPacker();

  /** Each part must be used before the next is asked for: packed rows stand in the bytes of the window. */
  *pack({ bytes, start, end, isCut }: LineWindow): Generator<LinePart> {
    const rows = this.#packed;
    rows.reset(bytes);
    for (let at = start; at <= end; ) {
      const found = bytes.indexOf(NEWLINE, at);
      const next = found < 0 || found > end ? end : found;
      const last = next > at && bytes[next - 1] === RETURN ? next - 1 : next;
      if (last > at) {
        if (!isCut && last - at <= LONGEST_LINE && this.#isPacked(bytes, at, last)) {
          if (rows.isFull) yield* this.#flush();
        } else {
          yield* this.#flush();
          yield { kind: 'loose', start: at, end: last };
        }
      }
      at = next + 1;
    }
    yield* this.#flush();
  }

  #isPacked(bytes: Buffer, start: number, end: number): boolean {
    const first = bytes[start];
    if (first === BRACE) return this.#packJson(this.#packed, start, end);
    return first !== QUOTE && packLineV1(this.#packed, start, end);
  }

  *#flush(): Generator<LinePart> {
    const rows = this.#packed;
    if (rows.count === 0) return;
    yield { kind: 'packed', rows };
    rows.reset(rows.bytes);
  }
}
