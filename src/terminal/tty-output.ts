import type { Clock } from '../time/clock.ts';

/** What the writer needs of `process.stdout`. */
export type OutputStream = {
  write(data: Uint8Array, done: (error?: Error | null) => void): boolean;
  on(event: 'error', listener: (error: Error) => void): unknown;
  off(event: 'error', listener: (error: Error) => void): unknown;
  isTTY?: boolean;
};

type BlockingHandle = { setBlocking?: (on: boolean) => number };

/** One write at a time; nothing is queued behind one that the reader has not taken. */
export class TerminalOutput {
  /** Called each time the system took all that was written; never after the terminal is gone. */
  onIdle: () => void = () => {};
  readonly #stream: OutputStream;
  readonly #clock: Clock;
  readonly #onGone: (error: Error) => void;
  #waiting: (() => void)[] = [];
  #pending = 0;
  #gone = false;

  /**
   * `onGone` is called once, when the terminal does not take writes any more (EIO after a hang-up, EPIPE).
   *
   * Node makes writes to a terminal blocking (`tty.WriteStream` calls `setBlocking(true)`), so that a reader who stalls
   * would stop the whole process. libuv has opened the terminal anew for this process alone, so switching that off
   * does not touch the shell's descriptor.
   */
  constructor(stream: OutputStream, clock: Clock, onGone: (error: Error) => void) {
    this.#stream = stream;
    this.#clock = clock;
    this.#onGone = onGone;
    stream.on('error', this.#fail);
    this.#setBlocking(false);
  }

  get isBusy(): boolean {
    return this.#pending > 0;
  }

  get isGone(): boolean {
    return this.#gone;
  }

  write(data: Uint8Array): void {
    if (this.#gone) return;
    this.#pending += 1;
    this.#stream.write(data, (error) => {
      this.#pending -= 1;
      if (error !== null && error !== undefined) this.#fail(error);
      if (this.#pending > 0 || this.#gone) return;
      this.#wake();
      this.onIdle();
    });
  }

  /** True when everything written was taken within `ms`; false when the reader stalls or is gone. */
  async drained(ms: number): Promise<boolean> {
    if (this.#pending > 0 && !this.#gone) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.push(resolve);
      const cancel = this.#clock.after(ms, resolve);
      await promise;
      cancel();
    }
    return this.#pending === 0 && !this.#gone;
  }

  /** Gives the stream back as Node had it; while bytes are stuck it stays non-blocking, or the exit would hang. */
  release(): void {
    if (!this.isBusy) this.#setBlocking(true);
  }

  /** Takes the stream again after `release`. */
  claim(): void {
    this.#setBlocking(false);
  }

  readonly #fail = (error: Error): void => {
    if (this.#gone) return;
    this.#gone = true;
    this.#wake();
    this.#onGone(error);
  };

  #wake(): void {
    const woken = this.#waiting;
    this.#waiting = [];
    for (const resolve of woken) resolve();
  }

  #setBlocking(on: boolean): void {
    if (this.#stream.isTTY !== true) return;
    const handle = (this.#stream as { _handle?: BlockingHandle | null })._handle;
    handle?.setBlocking?.(on);
  }
}
