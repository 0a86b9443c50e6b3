import { isUtf8 } from 'node:buffer';
import { createSavedLineReader } from '../../api/schemas/saved-log.ts';
import type { LogRecord } from '../../domain/log.ts';
import type { LogRows } from '../../domain/logs/log-rows.ts';
import type { Gap, TimeRange } from '../../domain/tail/coverage.ts';
import type { Clock } from '../../time/clock.ts';
import type { FilePieces } from './saved-ahead.ts';
import { type ReadProgress, unreadable } from './saved-input.ts';
import { type LineWindow, LONGEST_LINE } from './saved-lines.ts';
import type { LinePacker, LinePart } from './saved-packer.ts';

/** Unpacked rows at once, which cost ten times as much. */
const LOOSE_ROWS = 100;

/** Turns of the event loop until the first rows are painted, or nearly. */
const FIRST_FRAME_TURNS = 3;

export type SavedPart = { kind: 'rows'; rows: LogRows } | { kind: 'gap'; gap: Gap };

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
   * `otherwise`: the time of rows before the first one with a time, Unix ms. Files may share a `packer` as long as
   * each window is parsed to its end before the next.
   */
  constructor(otherwise: number, packer: LinePacker) {
    this.#near = otherwise;
    this.#packer = packer;
  }

  /** The rows of these lines in order. Use each part before asking for the next: the memory of coded rows is reused. */
  parse(window: LineWindow): Generator<SavedPart> {
    return this.take(this.#packer.pack(this.#withoutMark(window)));
  }

  /** The rows of packed parts, perhaps from another thread; those of a file in order. */
  *take(parts: Iterable<LinePart>): Generator<SavedPart> {
    for (const part of parts) {
      if (part.kind === 'loose') {
        yield* this.#takeLoose(part.line, part.isCut);
        continue;
      }
      yield* this.#flushLoose();
      this.#count(part.rows.times);
      yield { kind: 'rows', rows: [part.rows] };
    }
    yield* this.#flushLoose();
  }

  /** Skips a byte order mark at the start of the file. */
  #withoutMark(window: LineWindow): LineWindow {
    if (!this.#isFirst) return window;
    this.#isFirst = false;
    const { bytes, start } = window;
    const isMarked = bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf;
    return isMarked ? { ...window, start: start + 3 } : window;
  }

  *#takeLoose({ buffer, byteOffset, length }: Uint8Array, isCut: boolean): Generator<SavedPart> {
    if (isCut || length > LONGEST_LINE) this.cut++;
    const line = Buffer.from(buffer, byteOffset, Math.min(length, LONGEST_LINE));
    const text = line.toString('utf8');
    if (text.trim() === '') return;
    if (!isUtf8(line)) this.notText++;
    const read = this.#readLine(text, this.#near);
    if (read?.kind === 'gap') {
      yield* this.#flushLoose();
      const { from, to, reason, zone = '' } = read.gap;
      yield { kind: 'gap', gap: { ...read.gap, id: `saved ${from} ${to} ${reason} ${zone}` } };
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

  *#flushLoose(): Generator<SavedPart> {
    if (this.#loose.length === 0) return;
    const rows = this.#loose;
    this.#loose = [];
    yield { kind: 'rows', rows };
  }

  #cover(time: number): void {
    if (this.span === null) this.span = { from: time, to: time };
    else if (time > this.span.to) this.span = { from: this.span.from, to: time };
    else if (time < this.span.from) this.span = { from: time, to: this.span.to };
  }
}

/**
 * The rows of a file by threads, which parse its pieces side by side, in its order. A line without an end, and what is added meanwhile,
 * is left behind `progress.bytesRead`. Ends with a `trouble` of `progress` where it cannot be read.
 */
export async function* partsAhead(
  pieces: FilePieces,
  { parser, progress }: { parser: SavedParser; progress: ReadProgress },
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): AsyncGenerator<Iterable<SavedPart>> {
  try {
    const { window, long, next } = pieces.head();
    if (window !== null) yield parser.parse(window);
    if (long !== null) yield parser.parse({ bytes: long, start: 0, end: long.length, isCut: true });
    progress.bytesRead = next ?? 0;
    // Starting threads takes the cores that paint the first rows.
    for (let turn = 0; turn < FIRST_FRAME_TURNS; turn++) await clock.sleep(0);
    for await (const piece of pieces.rest()) {
      if (signal.aborted) return;
      progress.bytesRead = piece.next ?? progress.bytesRead;
      yield parser.take(piece.parts);
    }
  } catch (error) {
    if (!signal.aborted) progress.trouble ??= unreadable(error);
  }
}

/** From the earliest to the latest time of both. */
export function joinedSpan(a: TimeRange | null, b: TimeRange | null): TimeRange | null {
  if (a === null || b === null) return a ?? b;
  return { from: Math.min(a.from, b.from), to: Math.max(a.to, b.to) };
}
