import { isUtf8 } from 'node:buffer';
import { createSavedLineReader } from '../../api/schemas/saved-log.ts';
import type { LogRecord } from '../../domain/log.ts';
import type { CodedRows } from '../../domain/logs/columns/coded-rows.ts';
import type { Gap, TimeRange } from '../../domain/tail/coverage.ts';
import { type LineWindow, LONGEST_LINE } from './saved-lines.ts';
import type { LinePacker } from './saved-packer.ts';
import type { Piece } from './saved-piece.ts';

/** Rows that are not packed cost ten times as much. */
const LOOSE_ROWS = 100;

type LoosePart = { kind: 'records'; records: LogRecord[] } | { kind: 'gap'; gap: Gap };
export type SavedPart = { kind: 'coded'; rows: CodedRows } | LoosePart;

/** Turns the lines of one file into rows and gaps, and counts them. */
export class SavedParser {
  rows = 0;
  bad = 0;
  cut = 0;
  notText = 0;
  span: TimeRange | null = null;
  readonly #packer: LinePacker;
  readonly #readLine = createSavedLineReader();
  #loose: LogRecord[] = [];
  #isFirst = true;
  #near: number;

  /**
   * `otherwise`: the time of rows without one before the first that has one, Unix ms. `packer` may be that of other files
   * too, as long as each window is parsed to its end before the next.
   */
  constructor(otherwise: number, packer: LinePacker) {
    this.#near = otherwise;
    this.#packer = packer;
  }

  /**
   * The rows of these lines in their order. Each part must be used before the next is asked for: coded rows stand in a
   * memory that the next ones take.
   */
  *parse(window: LineWindow): Generator<SavedPart> {
    for (const part of this.#packer.pack(this.#withoutMark(window))) {
      if (part.kind === 'loose') {
        yield* this.#takeLoose(window.bytes, part.start, part.end, window.isCut);
        continue;
      }
      yield* this.#flushLoose();
      this.#count(part.rows.times);
      yield part;
    }
    yield* this.#flushLoose();
  }

  /** The rows of a piece that another thread took apart. Must be given the pieces of the file in their order. */
  *take({ parts }: Piece): Generator<SavedPart> {
    for (const part of parts) {
      if (part.kind === 'loose') {
        const { buffer, byteOffset, length } = part.line;
        yield* this.#takeLoose(Buffer.from(buffer, byteOffset, length), 0, length, part.isCut);
        continue;
      }
      yield* this.#flushLoose();
      this.#count(part.rows.times);
      yield part;
    }
    yield* this.#flushLoose();
  }

  /** A byte order mark at the beginning of the file belongs to no line. */
  #withoutMark(window: LineWindow): LineWindow {
    if (!this.#isFirst) return window;
    this.#isFirst = false;
    const { bytes, start } = window;
    const isMarked = bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf;
    return isMarked ? { ...window, start: start + 3 } : window;
  }

  *#takeLoose(bytes: Buffer, start: number, end: number, isCut: boolean): Generator<LoosePart> {
    const isTooLong = end - start > LONGEST_LINE;
    if (isCut || isTooLong) this.cut++;
    const line = bytes.subarray(start, isTooLong ? start + LONGEST_LINE : end);
    const text = line.toString('utf8');
    if (text.trim() === '') return;
    if (!isUtf8(line)) this.notText++;
    const read = this.#readLine(text, this.#near);
    if (read?.kind === 'gap') {
      yield* this.#flushLoose();
      yield {
        kind: 'gap',
        gap: { ...read.gap, id: `saved ${read.gap.from} ${read.gap.to} ${read.gap.reason}` },
      };
    } else if (read !== null) {
      const { record } = read;
      if (record.raw === null) this.#near = record.timestamp;
      else this.bad++;
      this.rows++;
      this.#cover(record.timestamp);
      this.#loose.push(record);
      if (this.#loose.length === LOOSE_ROWS) yield* this.#flushLoose();
    }
  }

  /** Rows of these times, at least one. */
  #count(times: Float64Array): void {
    let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let i = 0; i < times.length; i++) {
      const time = times[i] as number;
      if (time < first) first = time;
      if (time > last) last = time;
    }
    this.#cover(first);
    this.#cover(last);
    this.rows += times.length;
    this.#near = times[times.length - 1] as number;
  }

  *#flushLoose(): Generator<LoosePart> {
    if (this.#loose.length === 0) return;
    const records = this.#loose;
    this.#loose = [];
    yield { kind: 'records', records };
  }

  #cover(time: number): void {
    if (this.span === null) this.span = { from: time, to: time };
    else if (time > this.span.to) this.span = { from: this.span.from, to: time };
    else if (time < this.span.from) this.span = { from: time, to: this.span.to };
  }
}

/** From the earliest to the latest time of both. */
export function joinedSpan(a: TimeRange | null, b: TimeRange | null): TimeRange | null {
  if (a === null || b === null) return a ?? b;
  return { from: Math.min(a.from, b.from), to: Math.max(a.to, b.to) };
}
