/** A line between a terminal and the program on it, such as SSH over a bad mobile network. */
export type LinkRate = {
  /** What gets through, bytes a second. */
  bytesPerSecond: number;
  /** From one end to the other, in either direction, ms. */
  delayMs: number;
  /** Waiting at the near end, bytes; what the program writes beyond it stays with the kernel, which stops the program. */
  bufferBytes: number;
};

/** Who gets what the program wrote, and whether the program's output is read at all. */
type FarEnd = { deliver: (data: Buffer) => void; hold: () => void; release: () => void };

/** Pieces in which bytes leave the near end: small enough for a key to be seen to wait for what is before it. */
const PIECE = 512;

/**
 * A bottleneck with a buffer, and a delay both ways; nothing is lost or reordered. Keys are few, so they are delayed
 * and cost nothing.
 */
export class SlowLink {
  readonly #rate: LinkRate;
  readonly #far: FarEnd;
  readonly #pieces: Buffer[] = [];
  readonly #timers = new Set<NodeJS.Timeout>();
  #waiting = 0;
  #isHeld = false;
  /** When the last byte of the piece that is being sent has left; null = none is. */
  #freeAt: number | null = null;

  constructor(rate: LinkRate, far: FarEnd) {
    this.#rate = rate;
    this.#far = far;
  }

  /** What the program wrote. */
  down(data: Buffer): void {
    for (let at = 0; at < data.length; at += PIECE) this.#pieces.push(data.subarray(at, at + PIECE));
    this.#waiting += data.length;
    if (!this.#isHeld && this.#waiting > this.#rate.bufferBytes) {
      this.#isHeld = true;
      this.#far.hold();
    }
    this.#send();
  }

  /** What the user typed. */
  up(send: () => void): void {
    this.#after(this.#rate.delayMs, send);
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#pieces.length = 0;
  }

  #send(): void {
    const piece = this.#freeAt === null ? this.#pieces.shift() : undefined;
    if (piece === undefined) return;
    const now = performance.now();
    this.#freeAt = now + (piece.length * 1000) / this.#rate.bytesPerSecond;
    this.#await(piece, this.#freeAt);
  }

  /** Timers are a little late: the line is taken for free at the time it was, so that its rate stays what it is. */
  #await(piece: Buffer, leftAt: number): void {
    this.#after(leftAt - performance.now(), () => {
      this.#waiting -= piece.length;
      const arrivesAt = leftAt + this.#rate.delayMs;
      this.#after(arrivesAt - performance.now(), () => this.#far.deliver(piece));
      if (this.#isHeld && this.#waiting <= this.#rate.bufferBytes / 2) {
        this.#isHeld = false;
        this.#far.release();
      }
      const next = this.#pieces.shift();
      this.#freeAt = next === undefined ? null : leftAt + (next.length * 1000) / this.#rate.bytesPerSecond;
      if (next !== undefined && this.#freeAt !== null) this.#await(next, this.#freeAt);
    });
  }

  /** Never early: a timer counts whole milliseconds of another clock. */
  #after(ms: number, run: () => void): void {
    const due = performance.now() + ms;
    const wait = () => {
      const timer = setTimeout(
        () => {
          this.#timers.delete(timer);
          if (performance.now() < due) wait();
          else run();
        },
        Math.max(0, due - performance.now()),
      );
      this.#timers.add(timer);
    };
    wait();
  }
}
