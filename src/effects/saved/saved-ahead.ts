import { readSync } from 'node:fs';
import type { Clock } from '../../time/clock.ts';
import type { SavedInput } from './saved-open.ts';
import type { Piece } from './saved-piece.ts';
import { SavedPool } from './saved-pool.ts';
import { RangeReader } from './saved-range.ts';

/** Less than this, all files together, is read before threads for it have started, bytes. */
export const THREADS_FROM = 16 << 20;

/** A file that is smaller is not worth being shared out, bytes. */
const SHARED_FROM = 1 << 20;

const RANGE = 1 << 20;
/** So large are those that begin before `SMALL_UP_TO`: rows taken by what is not compiled yet would keep a key waiting. */
const SMALL_RANGE = 1 << 17;
const SMALL_UP_TO = 1 << 22;
/** The first is small and is read without threads, so that the first rows are there soon. */
const FIRST_RANGE = 1 << 18;

const GZIP = [0x1f, 0x8b];

type File = Extract<SavedInput, { kind: 'file' }>;

/** Files that were opened, and who reads them ahead; null = nobody. */
export type OpenedLogs = { inputs: readonly SavedInput[]; ahead: Ahead | null };

/** Threads that read large files ahead of who asks for their rows. */
export type Ahead = {
  /** The pieces of a file in their order, the first of them lines to be taken apart; null = it is not for threads. */
  of(input: SavedInput): FilePieces | null;
  /** To be called when a key is pressed: the cores are its for a moment. */
  giveWay(): void;
  /** Ends the threads; files may be closed after that. */
  close(): Promise<void>;
};

/** Null when the files are too small for threads to pay. They start when the first piece is asked for. */
export function startAhead(inputs: readonly SavedInput[], clock: Clock, from = THREADS_FROM): Ahead | null {
  const shared = inputs.filter((input): input is File => {
    return input.kind === 'file' && input.size !== null && input.size >= Math.min(from, SHARED_FROM);
  });
  const size = shared.reduce((sum, file) => sum + (file.size ?? 0), 0);
  if (shared.length === 0 || size < from) return null;
  const pool = new SavedPool(clock);
  const begun = new Map<SavedInput, FilePieces>();
  const of = (input: SavedInput): FilePieces | null => {
    const known = begun.get(input);
    if (known !== undefined) return known;
    if (input.kind !== 'file' || !shared.includes(input) || !isPlain(input)) return null;
    const pieces = new FilePieces(pool, input);
    begun.set(input, pieces);
    return pieces;
  };
  return { of, giveWay: () => pool.giveWay(), close: () => pool.close() };
}

/** One file, shared out range by range; no more of it is out than the pool has room for. */
export class FilePieces {
  readonly #pool: SavedPool;
  readonly #fd: number;
  readonly #size: number;
  readonly #out: Promise<Piece>[] = [];
  #at: number;

  constructor(pool: SavedPool, { handle, size }: File) {
    this.#pool = pool;
    this.#fd = handle.fd;
    this.#size = size ?? 0;
    this.#at = Math.min(FIRST_RANGE, this.#size);
  }

  /** The lines before the first piece, read here: on screen before the threads have started. */
  head(): ReturnType<RangeReader['read']> {
    return new RangeReader().read(this.#fd, 0, Math.min(FIRST_RANGE, this.#size));
  }

  /** Null = there are no more. Rejects with the reason when the file cannot be read any further. */
  next(): Promise<Piece> | null {
    // The first is asked for now, the others while the one before them is taken.
    this.#fill();
    const piece = this.#out.shift() ?? null;
    this.#fill();
    return piece;
  }

  giveBack(piece: Piece): void {
    this.#pool.giveBack(piece);
  }

  #fill(): void {
    while (this.#at < this.#size && this.#out.length < this.#pool.room) {
      const range = this.#at < SMALL_UP_TO ? SMALL_RANGE : RANGE;
      const to = Math.min(this.#size, this.#at + range);
      const piece = this.#pool.read(this.#fd, this.#at, to);
      // It is heard in its turn.
      piece.catch(() => {});
      this.#out.push(piece);
      this.#at = to;
    }
  }
}

/** False too for a file of which not even that can be read: it is left to who says so. */
function isPlain({ handle }: File): boolean {
  const start = Buffer.alloc(GZIP.length);
  try {
    readSync(handle.fd, start, 0, start.length, 0);
  } catch {
    return false;
  }
  return !GZIP.every((byte, i) => start[i] === byte);
}
