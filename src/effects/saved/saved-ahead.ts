import { readSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../../time/clock.ts';
import { isGzip } from './saved-gzip.ts';
import type { SavedInput } from './saved-input.ts';
import { type RangeLines, RangeReader } from './saved-lines.ts';
import type { Piece, PieceAnswer, PieceQuestion } from './saved-piece.ts';
import { WORKER_CODE } from './saved-worker-code.ts';

/** Fewer bytes than this in all files are read before threads would have started. */
const THREADS_FROM = 16 << 20;

/** A smaller file is not worth sharing, bytes. */
const SHARED_FROM = 1 << 20;

const RANGE = 1 << 20;
/**
 * The size of ranges that begin before `SMALL_UP_TO`: code that is not compiled yet is so slow that a key would wait.
 */
const SMALL_RANGE = 1 << 17;
const SMALL_UP_TO = 1 << 22;
/** The first range is small and read without threads, so that the first rows come soon. */
const FIRST_RANGE = 1 << 18;

type File = Extract<SavedInput, { kind: 'file' }>;

/** Opened files, and the threads that read them ahead, if any. */
export type OpenedLogs = { inputs: readonly SavedInput[]; ahead: Ahead | null };

/** Threads that read large files ahead. */
export type Ahead = {
  /** The pieces of a file in order; null = it is not for threads. */
  of(input: SavedInput): FilePieces | null;
  /** Gives the cores to a key for a moment; called when one is pressed. */
  giveWay(): void;
  /** Ends the threads; files may be closed after that. */
  close(): Promise<void>;
};

/** Null when the files are too small for threads to pay off. The threads start with the first piece. */
export function startAhead(inputs: readonly SavedInput[], clock: Clock, from = THREADS_FROM): Ahead | null {
  const shared = inputs.filter((input): input is File => {
    return input.kind === 'file' && input.size !== null && input.size >= Math.min(from, SHARED_FROM);
  });
  const size = shared.reduce((sum, file) => sum + (file.size ?? 0), 0);
  if (shared.length === 0 || size < from) return null;
  const pool = new SavedPool(clock);
  const of = (input: SavedInput): FilePieces | null => {
    if (input.kind !== 'file' || !shared.includes(input) || !isPlain(input)) return null;
    const { fd } = input.handle;
    const end = input.size ?? 0;
    return {
      head: () => new RangeReader().read(fd, 0, Math.min(FIRST_RANGE, end)),
      rest: () => piecesOf(pool, fd, rangesTo(end)),
    };
  };
  return { of, giveWay: () => pool.giveWay(), close: () => pool.close() };
}

/** One file, shared out in ranges. */
export type FilePieces = {
  /** The lines before the first piece, read here so that they show before the threads start. */
  head(): RangeLines;
  rest(): AsyncGenerator<Piece>;
};

type Range = { from: number; to: number };

function* rangesTo(end: number): Generator<Range> {
  for (let from = FIRST_RANGE; from < end; ) {
    const to = Math.min(end, from + (from < SMALL_UP_TO ? SMALL_RANGE : RANGE));
    yield { from, to };
    from = to;
  }
}

/**
 * The pieces of a file's ranges in order, no more of them out than the pool has room for. Each is valid until the
 * next is asked for. Rejects with the reason when the file cannot be read on.
 */
async function* piecesOf(pool: SavedPool, fd: number, ranges: Iterator<Range>): AsyncGenerator<Piece> {
  const out: Promise<Piece>[] = [];
  const fill = () => {
    while (out.length < pool.room) {
      const { value: range, done } = ranges.next();
      if (done === true) return;
      const asked = pool.read(fd, range.from, range.to);
      // It is reported in its turn.
      asked.catch(() => {});
      out.push(asked);
    }
  };
  for (;;) {
    fill();
    const next = out.shift();
    if (next === undefined) return;
    // The others are asked for while this one is used.
    fill();
    const piece = await next;
    yield piece;
    pool.giveBack(piece);
  }
}

/** False also for an unreadable file, whose reader will report it. */
function isPlain({ handle }: File): boolean {
  const start = Buffer.alloc(2);
  try {
    readSync(handle.fd, start, 0, start.length, 0);
  } catch {
    return false;
  }
  return !isGzip(start);
}

/** More threads would wait for the one that keeps the rows. */
const MOST_THREADS = 4;

/** Pieces queued per thread: enough to last while a frame blocks the main thread. */
const AHEAD = 5;

/** How long most threads rest after a key, ms: with no spare core its answer would wait. */
const GIVEN_WAY = 150;

type Waiting = { resolve: (piece: Piece) => void; reject: (error: Error) => void };
type Thread = { worker: Worker; waiting: Waiting[] };

/** Threads that parse ranges of files; they start with the first range. */
export class SavedPool {
  readonly #clock: Clock;
  readonly #count: number;
  readonly #threads: Thread[] = [];
  readonly #spare: SharedArrayBuffer[] = [];
  #failure: Error | null = null;
  #restsUntil = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, threads = Math.min(availableParallelism(), MOST_THREADS)) {
    this.#clock = clock;
    this.#count = threads;
  }

  /** Pieces that may be out at once: their results are held in memory. */
  get room(): number {
    return this.#clock.monotonic() < this.#restsUntil ? 1 : this.#count * AHEAD;
  }

  /** A key was pressed: at most one piece is out for a moment. */
  giveWay(): void {
    this.#restsUntil = this.#clock.monotonic() + GIVEN_WAY;
  }

  /** Rejects when the range cannot be read, or a thread has ended. The rows are valid until `giveBack`. */
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
      thread.worker.postMessage(question);
    });
  }

  giveBack({ spare }: Piece): void {
    if (this.#spare.length < this.#count * AHEAD) this.#spare.push(spare);
  }

  /** Ends all threads, busy or not; resolves when none of them reads any more. */
  async close(): Promise<void> {
    this.#fail(new Error('closed'));
    this.#spare.length = 0;
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()));
  }

  #start(): Thread {
    // It needs nothing of the environment, which may hold a key.
    const worker = new Worker(WORKER_CODE, {
      eval: typeof WORKER_CODE === 'string',
      env: {},
      execArgv: [],
      // It has nothing to say, and the screen is not its own.
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
