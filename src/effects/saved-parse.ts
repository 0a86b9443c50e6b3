import { isUtf8 } from 'node:buffer';
import { createJsonPacker } from '../api/schemas/packed-log.ts';
import { packLineV1 } from '../api/schemas/packed-log-v1.ts';
import { createSavedLineReader } from '../api/schemas/saved-log.ts';
import type { Gap, TimeRange } from '../domain/coverage.ts';
import type { LogRecord } from '../domain/log.ts';
import { PackedRows } from '../domain/packed-rows.ts';
import { type LineWindow, LONGEST_LINE } from './saved-lines.ts';

/** Rows handed on at once: a book takes them in a ms or two, so that a key need not wait. */
const PACKED_ROWS = 4096;
/** Rows that are not packed cost ten times as much. */
const LOOSE_ROWS = 100;

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const BRACE = 0x7b;
const QUOTE = 0x22;

export type SavedPart =
  | { kind: 'packed'; rows: PackedRows }
  | { kind: 'records'; records: LogRecord[] }
  | { kind: 'gap'; gap: Gap };

/** Turns the lines of one file into rows and gaps, and counts them. */
export class SavedParser {
  rows = 0;
  bad = 0;
  cut = 0;
  notText = 0;
  span: TimeRange | null = null;
  readonly #packed = new PackedRows(PACKED_ROWS);
  readonly #packJson = createJsonPacker();
  readonly #readLine = createSavedLineReader();
  #loose: LogRecord[] = [];
  #isFirst = true;
  #near: number;

  /** `otherwise`: the time of rows without one before the first that has one, Unix ms. */
  constructor(otherwise: number) {
    this.#near = otherwise;
  }

  /**
   * The rows of these lines in their order. Each part must be used before the next is asked for: packed rows stand in
   * the bytes of the window.
   */
  *parse({ bytes, start, end, isCut }: LineWindow): Generator<SavedPart> {
    let at = start;
    this.#packed.reset(bytes);
    if (this.#isFirst) {
      this.#isFirst = false;
      if (bytes[at] === 0xef && bytes[at + 1] === 0xbb && bytes[at + 2] === 0xbf) at += 3;
    }
    while (at <= end) {
      const found = bytes.indexOf(NEWLINE, at);
      const next = found < 0 || found > end ? end : found;
      const last = next > at && bytes[next - 1] === RETURN ? next - 1 : next;
      if (last > at) {
        const isTooLong = last - at > LONGEST_LINE;
        if (isCut || isTooLong) this.cut++;
        if (!isCut && !isTooLong && this.#isPacked(bytes, at, last)) {
          yield* this.#flushLoose();
          if (this.#packed.isFull) yield* this.#flushPacked(bytes);
        } else {
          yield* this.#loosely(bytes, at, isTooLong ? at + LONGEST_LINE : last);
        }
      }
      at = next + 1;
    }
    yield* this.#flushPacked(bytes);
    yield* this.#flushLoose();
  }

  #isPacked(bytes: Buffer, start: number, end: number): boolean {
    const first = bytes[start];
    if (first === BRACE) return this.#packJson(this.#packed, start, end);
    return first !== QUOTE && packLineV1(this.#packed, start, end);
  }

  *#loosely(bytes: Buffer, start: number, end: number): Generator<SavedPart> {
    const line = bytes.subarray(start, end);
    const text = line.toString('utf8');
    if (text.trim() === '') return;
    yield* this.#flushPacked(bytes);
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

  *#flushPacked(bytes: Buffer): Generator<SavedPart> {
    const rows = this.#packed;
    const { count, times } = rows;
    if (count === 0) return;
    for (let i = 0; i < count; i++) this.#cover(times[i] as number);
    this.rows += count;
    this.#near = times[count - 1] as number;
    yield { kind: 'packed', rows };
    rows.reset(bytes);
  }

  *#flushLoose(): Generator<SavedPart> {
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
