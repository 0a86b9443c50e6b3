import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../../time/clock.ts';
import type { Piece, PieceAnswer, PieceQuestion } from './saved-piece.ts';
import { WORKER_CODE } from './saved-worker-code.ts';

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
