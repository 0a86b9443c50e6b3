import type { FileHandle } from 'node:fs/promises';
import type { LogRecord } from '../../domain/log.ts';
import { createCodedReader } from '../../domain/logs/columns/coded-rows.ts';
import type { TimeRange } from '../../domain/tail/coverage.ts';
import type { Clock } from '../../time/clock.ts';
import { piecesOf, SavedPool } from './saved-ahead.ts';
import { LinePacker } from './saved-packer.ts';
import { SavedParser, type SavedPart } from './saved-parse.ts';
import { createPieceReader, type Piece } from './saved-piece.ts';
import type { UnpackedPart } from './stored-parts.ts';

/** A range of bytes of a part, and the times of the rows that begin in it. `near`: the time of the row before them. */
type PieceIndex = { from: number; to: number; rows: number; min: number; max: number; near: number };

/** A part of which it is known where each time is, so that a page of it costs little more than its rows. */
export type IndexedPart = {
  handle: FileHandle;
  size: number;
  pieces: readonly PieceIndex[];
  /** Lines of no known shape before the first row: no time is known of them. */
  timeless: number;
  trouble: string | null;
};

/** The bytes of a piece, and pieces that are read ahead. */
const PIECE = 1 << 20;
const AHEAD = 6;
/** A smaller part is read before threads would have started, bytes. */
const THREADS_FROM = 16 << 20;
/** The time of a line before the first that has one. */
const NO_TIME = 0;

/** Reads the lines of parts, large ones by threads. */
export class PartReader {
  readonly #clock: Clock;
  readonly #threadsFrom: number;
  readonly #packer = new LinePacker();
  readonly #here = createPieceReader();
  #pool: SavedPool | null = null;

  /** `threadsFrom`: bytes of a part. */
  constructor(clock: Clock, threadsFrom = THREADS_FROM) {
    this.#clock = clock;
    this.#threadsFrom = threadsFrom;
  }

  /** Looks through a part once. */
  async index({ handle, size, trouble }: UnpackedPart, signal: AbortSignal): Promise<IndexedPart> {
    const ranges = Array.from({ length: Math.ceil(size / PIECE) }, (_, at) => ({
      from: at * PIECE,
      to: Math.min(size, (at + 1) * PIECE),
    }));
    const pieces: PieceIndex[] = [];
    let near = NO_TIME;
    let timeless = 0;
    for await (const { of, piece } of this.#read({ handle, size }, ranges, signal)) {
      const seen = { rows: 0, min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY };
      const before = near;
      for (const part of new SavedParser(before, this.#packer).take(piece.parts))
        for (const time of timesOf(part)) {
          near = time;
          if (time === NO_TIME) timeless += 1;
          seen.rows += 1;
          seen.min = Math.min(seen.min, time);
          seen.max = Math.max(seen.max, time);
        }
      pieces.push({ ...of, ...seen, near: before });
    }
    return { handle, size, pieces, timeless, trouble };
  }

  /** The rows of a time in some pieces of a part, as they stand there. */
  async rowsOf(
    part: Pick<IndexedPart, 'handle' | 'size'>,
    pieces: readonly PieceIndex[],
    { from, to }: TimeRange,
    signal: AbortSignal,
  ): Promise<LogRecord[]> {
    const records: LogRecord[] = [];
    const isWithin = (time: number) => time >= from && time < to;
    for await (const { of, piece } of this.#read(part, pieces, signal))
      for (const rows of new SavedParser(of.near, this.#packer).take(piece.parts)) {
        if (rows.kind === 'records') records.push(...rows.records.filter((row) => isWithin(row.timestamp)));
        if (rows.kind !== 'coded') continue;
        const recordOf = createCodedReader(rows.rows);
        rows.rows.times.forEach((time, row) => {
          if (isWithin(time)) records.push(recordOf(row));
        });
      }
    return records;
  }

  async close(): Promise<void> {
    await this.#pool?.close();
  }

  /** Pieces in their order, some ahead of the one that is used; rejects with the reason where one cannot be read. */
  async *#read<R extends { from: number; to: number }>(
    { handle, size }: Pick<IndexedPart, 'handle' | 'size'>,
    ranges: readonly R[],
    signal: AbortSignal,
  ): AsyncGenerator<{ of: R; piece: Piece }> {
    if (size < this.#threadsFrom) {
      for (const of of ranges) {
        const { piece } = this.#here({ fd: handle.fd, from: of.from, to: of.to, spare: null });
        signal.throwIfAborted();
        yield { of, piece };
        // Keys go first.
        await this.#clock.sleep(0);
      }
      return;
    }
    this.#pool ??= new SavedPool(this.#clock);
    for await (const read of piecesOf(this.#pool, handle.fd, ranges.values(), () => AHEAD)) {
      signal.throwIfAborted();
      yield read;
    }
  }
}

function timesOf(part: SavedPart): Iterable<number> {
  if (part.kind === 'coded') return part.rows.times;
  return part.kind === 'records' ? part.records.map(({ timestamp }) => timestamp) : [];
}
