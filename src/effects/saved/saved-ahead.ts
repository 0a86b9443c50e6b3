import { readSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../../time/clock.ts';
import type { SavedInput } from './saved-input.ts';
import { RangeReader } from './saved-lines.ts';
import type { Piece, PieceAnswer, PieceQuestion } from './saved-piece.ts';
import { WORKER_CODE } from './saved-worker-code.ts';

/** Less than this, all files together, is read before threads for it have started, bytes. */
const THREADS_FROM = 16 << 20;

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

/** More threads than this would wait for the one that keeps the rows. */
const MOST_THREADS = 4;

/** Pieces that each thread has before it: enough for the time that a frame keeps the others from asking. */
const AHEAD = 5;

/** How long after a key most threads rest, ms: where there are no more cores than threads, its answer would wait. */
const GIVEN_WAY = 150;

type Waiting = { resolve: (piece: Piece) => void; reject: (error: Error) => void };
type Thread = { worker: Worker; waiting: Waiting[] };

/** Threads that take ranges of files apart; they start with the first range. */
export class SavedPool {
  readonly #clock: Clock;
  readonly #count: number;
  readonly #threads: Thread[] = [];
  readonly #spare: ArrayBuffer[] = [];
  #failure: Error | null = null;
  #restsUntil = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, threads = Math.min(availableParallelism(), MOST_THREADS)) {
    this.#clock = clock;
    this.#count = threads;
  }

  /** Pieces that may be out at once: what they are made into is held in memory. */
  get room(): number {
    return this.#clock.monotonic() < this.#restsUntil ? 1 : this.#count * AHEAD;
  }

  /** A key was pressed: no more than one piece is out for a moment. */
  giveWay(): void {
    this.#restsUntil = this.#clock.monotonic() + GIVEN_WAY;
  }

  /** Rejects when the range cannot be read, or a thread has ended. The rows are good until `giveBack`. */
  read(fd: number, from: number, to: number): Promise<Piece> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== null) return reject(this.#failure);
      while (this.#threads.length < this.#count) this.#threads.push(this.#start());
      const thread = this.#threads.reduce((least, other) =>
        other.waiting.length < least.waiting.length ? other : least,
      );
      const spare = this.#spare.pop() ?? null;
      thread.waiting.push({ resolve, reject });
      const question: PieceQuestion = { fd, from, to, spare };
      thread.worker.postMessage(question, spare === null ? [] : [spare]);
    });
  }

  giveBack({ spare }: Piece): void {
    if (this.#spare.length < this.#count * AHEAD) this.#spare.push(spare);
  }

  /** Ends all threads, whatever they do; resolves when none of them reads any more. */
  async close(): Promise<void> {
    this.#fail(new Error('closed'));
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()));
  }

  #start(): Thread {
    // Of the environment nothing is needed, and it may hold a key.
    const worker = new Worker(WORKER_CODE, {
      eval: typeof WORKER_CODE === 'string',
      env: {},
      execArgv: [],
      // It has nothing to say, and the screen is not its to write on.
      stdout: true,
      stderr: true,
      name: 'edgescope reader',
    });
    const waiting: Waiting[] = [];
    worker.on('message', ({ piece, trouble }: PieceAnswer) => {
      const asked = waiting.shift();
      if (trouble === null) asked?.resolve(piece);
      else asked?.reject(new Error(trouble));
    });
    worker.on('error', (error) => this.#fail(new Error(`a thread that read it ended: ${String(error)}`)));
    worker.on('exit', () => this.#fail(new Error('a thread that read it ended')));
    return { worker, waiting };
  }

  #fail(error: Error): void {
    if (this.#failure !== null) return;
    this.#failure = error;
    for (const { worker, waiting } of this.#threads) {
      void worker.terminate();
      for (const { reject } of waiting.splice(0)) reject(error);
    }
  }
}
