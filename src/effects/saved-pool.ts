import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { PieceAnswer, PieceParts } from './saved-piece.ts';
import { WORKER_CODE } from './saved-worker-code.ts';

/** More threads than this would wait for the one that keeps the rows. */
const MOST_THREADS = 4;

/** Pieces that each thread has before it: a thread that waits for work is slow to wake. */
const AHEAD = 4;

/** Bytes of a piece, and room for what is made of most of them. */
const PIECE = 1 << 20;
const ROOM = PIECE / 2;

type Waiting = { resolve: (answer: PieceAnswer) => void; reject: (error: Error) => void };
type Thread = { worker: Worker; waiting: Waiting[] };

/** Threads that take saved logs apart, so that the one that answers keys has only to keep the rows. */
export class SavedPool {
  readonly #threads: Thread[];
  readonly #spare: ArrayBuffer[] = [];
  #failure: Error | null = null;

  constructor(threads = Math.min(availableParallelism(), MOST_THREADS)) {
    this.#threads = Array.from({ length: threads }, () => this.#start());
  }

  /** Pieces that may be out at once: what is out is held in memory. */
  get room(): number {
    return this.#threads.length * AHEAD;
  }

  /** A buffer to fill with a piece; it is gone when the piece is read, and comes back with the answer. */
  buffer(): Buffer<ArrayBuffer> {
    return Buffer.from(this.#spare.pop() ?? new ArrayBuffer(PIECE + ROOM), 0, PIECE);
  }

  /** The same filled with these bytes, which it has room for. */
  copyOf(bytes: Uint8Array): Buffer<ArrayBuffer> {
    const copy = this.buffer();
    copy.set(bytes);
    return copy;
  }

  /** A buffer of the pool is not looked at any more. */
  giveBack(bytes: Buffer<ArrayBuffer>): void {
    if (bytes.buffer.byteLength === PIECE + ROOM && this.#spare.length < this.room)
      this.#spare.push(bytes.buffer);
  }

  /** The lines from `start` up to `end` of a buffer of the pool. Rejects when a thread has died. */
  read(bytes: Buffer<ArrayBuffer>, start: number, end: number): Promise<PieceAnswer> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== null) return reject(this.#failure);
      const thread = this.#threads.reduce((least, other) =>
        other.waiting.length < least.waiting.length ? other : least,
      );
      thread.waiting.push({ resolve, reject });
      thread.worker.postMessage({ buffer: bytes.buffer, start, end }, [bytes.buffer]);
    });
  }

  /** Ends all threads, whatever they do. */
  close(): void {
    this.#fail(new Error('closed'));
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
    worker.on('message', ({ buffer, parts }: { buffer: ArrayBuffer; parts: PieceParts }) =>
      waiting.shift()?.resolve({ bytes: Buffer.from(buffer), parts }),
    );
    worker.on('error', (error) => this.#fail(error instanceof Error ? error : new Error(String(error))));
    worker.on('exit', () => this.#fail(new Error('a reading thread ended')));
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
