import { isClean } from '../../api/schemas/packed-bytes.ts';
import { createJsonPacker } from '../../api/schemas/packed-log.ts';
import { EARLIEST_TIMESTAMP, LATEST_TIMESTAMP, SECONDS_BELOW } from '../../api/timestamp.ts';
import { TEXT_NAMES } from '../../domain/log.ts';
import {
  type CodedRows,
  type CodedTexts,
  type PackedRows,
  SPAN_WIDTH,
} from '../../domain/logs/columns/coded-rows.ts';
import { withoutSecrets } from '../../domain/logs/columns/masked-rows.ts';
import { ROW_KERNEL } from '../../kernel/row-kernel-code.ts';
import { type LineWindow, LONGEST_LINE } from './saved-lines.ts';

declare global {
  /** The few of the browser's types that are needed. */
  namespace WebAssembly {
    class Module {
      constructor(bytes: Uint8Array);
    }
    class Instance {
      /** By module: numbers of 64 bits are BigInts. */
      constructor(
        module: Module,
        imports: Record<string, Record<string, number | bigint | CallableFunction>>,
      );
      readonly exports: unknown;
    }
  }
}

/** See `kernel/assembly` for the names; places are byte offsets in its memory. */
type Exports = Record<Place | 'rows' | 'hasBody' | 'hasAuthorization', { readonly value: number }> & {
  memory: { readonly buffer: ArrayBuffer };
  begin(): void;
  takeLines(from: number, to: number, row: number): number;
  takePacked(from: number, to: number): void;
  finish(rows: number): number;
};

type Place =
  | ('INPUT' | 'INPUT_SIZE' | 'TEXT' | 'MOST_ROWS' | 'TEXTS_OF' | 'COLUMN_AREA' | 'COLUMN_SIZE' | 'CODES')
  | (
      | 'SPANS'
      | 'USES'
      | 'TIMES'
      | 'SENT'
      | 'BODIES'
      | 'IDS'
      | 'STATUSES'
      | 'HAS_ID'
      | 'AUTHORIZED'
      | 'DERIVED'
    )
  | 'PACKED_SPANS';

const ID_BYTES = 16;

/**
 * Parses lines of logs v1 and finds the distinct texts of a batch of rows, in WebAssembly: with byte vectors and 64-bit hashes it takes
 * a third of the time of JavaScript, and is fast from the first line on.
 */
export class RowKernel {
  /** Lines go here before they are taken; a line break must follow the last one. */
  readonly input: Buffer;
  /** Rows of the batch so far. Callers may add rows for lines of the input that they parsed themselves. */
  readonly rows: PackedRows;
  readonly #exports: Exports;
  readonly #textsOf: Int32Array;
  readonly #columns: CodedTexts[];
  readonly #ids: Uint8Array;
  readonly #hasId: Uint8Array;
  /** Rows whose texts the kernel has. */
  #taken = 0;

  constructor() {
    const code = new WebAssembly.Module(Buffer.from(ROW_KERNEL, 'base64'));
    const kernel = new WebAssembly.Instance(code, {
      texts: { seed: BigInt(Math.floor(Math.random() * 2 ** 53)) },
      // The rules of times and secrets, shared with the readers outside the kernel.
      'lines-v1': {
        longestLine: LONGEST_LINE,
        secondsBelow: SECONDS_BELOW,
        earliest: EARLIEST_TIMESTAMP,
        latest: LATEST_TIMESTAMP,
        isClean: (start: number, end: number) => isClean(this.input, start, end),
      },
    }).exports as Exports;
    const at = (place: Place) => kernel[place].value;
    const { buffer } = kernel.memory;
    const rows = at('MOST_ROWS');
    this.#exports = kernel;
    this.input = Buffer.from(buffer, at('INPUT'), at('INPUT_SIZE'));
    this.rows = {
      capacity: rows,
      count: 0,
      bytes: this.input,
      view: new DataView(buffer, at('INPUT'), at('INPUT_SIZE')),
      spans: new Int32Array(buffer, at('PACKED_SPANS'), rows * SPAN_WIDTH),
      times: new Float64Array(buffer, at('TIMES'), rows),
      statuses: new Uint16Array(buffer, at('STATUSES'), rows),
      sent: new Float64Array(buffer, at('SENT'), rows),
      bodies: new Float64Array(buffer, at('BODIES'), rows),
      authorized: new Uint8Array(buffer, at('AUTHORIZED'), rows),
      derived: new Uint8Array(buffer, at('DERIVED'), rows),
    };
    this.#textsOf = new Int32Array(buffer, at('TEXTS_OF'), TEXT_NAMES.length);
    this.#columns = TEXT_NAMES.map((_, column) => {
      const area = at('COLUMN_AREA') + column * at('COLUMN_SIZE');
      return {
        codes: new Uint16Array(buffer, area + at('CODES'), rows),
        spans: new Int32Array(buffer, area + at('SPANS') + 8, rows * 2),
        uses: new Uint32Array(buffer, area + at('USES'), rows + 1),
      };
    });
    this.#ids = new Uint8Array(buffer, at('IDS'), rows * ID_BYTES);
    this.#hasId = new Uint8Array(buffer, at('HAS_ID'), rows);
    this.begin();
  }

  /** Begins a batch: the rows before are dropped, and results handed out become invalid. */
  begin(): void {
    this.rows.count = 0;
    this.#taken = 0;
    this.#exports.begin();
  }

  /**
   * Takes lines of v1 between two places of the input as the next rows. Returns the start of the first line not
   * taken: behind all of them, or where the batch is full, or a line is not v1, is odd, or needs masking.
   */
  takeLines(from: number, to: number): number {
    this.#takePacked();
    const place = this.#exports.takeLines(from, to, this.rows.count);
    this.rows.count = this.#exports.rows.value;
    this.#taken = this.rows.count;
    return place;
  }

  /** The complete rows of the batch. Valid until the next one begins. */
  finished(): CodedRows {
    this.#takePacked();
    const { count, times, statuses, sent, bodies, authorized } = this.rows;
    const length = this.#exports.finish(count);
    const text = this.#exports.TEXT.value;
    const hasBody = this.#exports.hasBody.value !== 0;
    const hasAuthorization = this.#exports.hasAuthorization.value !== 0;
    return {
      bytes: new Uint8Array(this.#exports.memory.buffer, text, length),
      count,
      times: times.subarray(0, count),
      statuses: statuses.subarray(0, count),
      sent: sent.subarray(0, count),
      bodies: hasBody ? bodies.subarray(0, count) : null,
      authorized: hasAuthorization ? authorized.subarray(0, count) : null,
      ids: this.#ids.subarray(0, count * ID_BYTES),
      hasId: this.#hasId.subarray(0, count),
      texts: this.#columns.map(({ codes, spans, uses }, column) => {
        const known = this.#textsOf[column] as number;
        if (known === 0) return null;
        return {
          codes: codes.subarray(0, count),
          spans: spans.subarray(0, known * 2),
          uses: uses.subarray(0, known + 1),
        };
      }),
    };
  }

  #takePacked(): void {
    if (this.#taken < this.rows.count) this.#exports.takePacked(this.#taken, this.rows.count);
    this.#taken = this.rows.count;
  }
}

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const BRACE = 0x7b;

/** Lines in order: rows of a known shape, or a single line of another. */
export type LinePart =
  | { kind: 'coded'; rows: CodedRows }
  | { kind: 'loose'; line: Uint8Array; isCut: boolean };

/** Packs the lines of a window that have a known shape and passes on the others. Keeps nothing between windows. */
export class LinePacker {
  readonly #kernel = new RowKernel();
  readonly #packJson = createJsonPacker();

  /** Windows of these bytes are read in place; others are copied. */
  get input(): Buffer {
    return this.#kernel.input;
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
    const { input, rows } = this.#kernel;
    input[end] = NEWLINE;
    for (let at = start; at <= end; ) {
      if (input[at] !== BRACE) at = this.#kernel.takeLines(at, end);
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
    const { input, rows } = this.#kernel;
    return input[start] === BRACE && end - start <= LONGEST_LINE && this.#packJson(rows, start, end);
  }

  *#flush(): Generator<LinePart> {
    if (this.#kernel.rows.count === 0) return;
    yield { kind: 'coded', rows: withoutSecrets(this.#kernel.finished()) };
    this.#kernel.begin();
  }
}
