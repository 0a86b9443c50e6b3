import type { Clock } from '../time/clock.ts';
import type { Composition } from './composition.ts';
import type { Size } from './ink-stdout.ts';
import { SYNCHRONISED } from './modes.ts';
import { type CursorPlace, Painter } from './painter.ts';
import type { TerminalOutput } from './tty-output.ts';

/** How soon after a key a commit of React's counts as its answer, ms. */
const ANSWER_MS = 100;
/** Larger frames arrive in pieces; terminals that know the mode show them at once. */
const SYNCHRONISED_FROM = 1024;

/**
 * Decides when the composition becomes a frame: at once for a key, paced for data, and only after the reader took the
 * frame before. Nothing is queued: a late frame shows the present.
 */
export class FrameLoop {
  readonly stats = { bytes: 0, frames: 0, skipped: 0 };
  readonly beforeFrame = new Set<(cause: FrameCause) => void>();
  cursor: CursorPlace = null;
  readonly #composition: Composition;
  readonly #output: TerminalOutput;
  readonly #clock: Clock;
  readonly #pace = new FramePace();
  #painter: Painter;
  #due: FrameCause | null = null;
  #isRunning = false;
  #isUnknown = true;
  #isPreparing = false;
  #answerUntil = Number.NEGATIVE_INFINITY;
  readonly #outOfBand = new Map<string, string>();
  #cancelFrame: (() => void) | null = null;
  #next = Promise.withResolvers<void>();

  constructor(o: { size: Size; composition: Composition; output: TerminalOutput; clock: Clock }) {
    this.#composition = o.composition;
    this.#output = o.output;
    this.#clock = o.clock;
    this.#painter = new Painter(o.size.columns, o.size.rows);
    o.output.onIdle = () => this.#schedule();
  }

  /** Paints from now on, first everything at this size: what the terminal shows is unknown. */
  run(size: Size): void {
    this.#isRunning = true;
    this.#isUnknown = true;
    this.#painter = new Painter(size.columns, size.rows);
    this.#composition.resize(size.columns, size.rows);
    this.invalidate('key');
  }

  /** Paints nothing until `run`; no timer is left. */
  pause(): void {
    this.#isRunning = false;
    this.#isPreparing = false;
    this.#cancelFrame?.();
    this.#cancelFrame = null;
  }

  invalidate(cause: FrameCause): void {
    if (cause === 'key') {
      this.#answerUntil = this.#clock.monotonic() + ANSWER_MS;
      this.#due = 'key';
    } else if (this.#due === null) this.#due = 'data';
    else this.stats.skipped += 1;
    this.#schedule();
  }

  /** Resolves once the next frame has left, or was found to change nothing. */
  get next(): Promise<void> {
    return this.#next.promise;
  }

  takeInkFrame(frame: string): void {
    this.#composition.setFrame(frame);
    if (!this.#isPreparing) this.invalidate(this.#clock.monotonic() < this.#answerUntil ? 'key' : 'data');
  }

  redraw(): void {
    this.#isUnknown = true;
    this.invalidate('key');
  }

  /** A sequence of our own that leaves after the next frame, the last one of each purpose. */
  sendOutOfBand(purpose: 'clipboard' | 'notification' | 'mouse', sequence: string): void {
    this.#outOfBand.set(purpose, sequence);
    this.invalidate('key');
  }

  #schedule(): void {
    if (!this.#isRunning || this.#due === null || this.#isPreparing || this.#output.isBusy) return;
    this.#cancelFrame?.();
    const wait = this.#pace.earliest(this.#due) - this.#clock.monotonic();
    this.#cancelFrame = this.#clock.after(Math.max(0, wait), () => this.#prepare());
  }

  #prepare(isAgain = false): void {
    const cause = this.#due ?? 'data';
    this.#isPreparing = true;
    for (const callback of this.beforeFrame) callback(cause);
    this.#due = null;
    // A turn for React to commit what the callbacks told it.
    this.#cancelFrame = this.#clock.after(0, () => {
      // What a key did in that turn is in Ink's frame already: the regions must show the same state.
      if (this.#due === 'key' && !isAgain) return this.#prepare(true);
      this.#cancelFrame = null;
      this.#isPreparing = false;
      this.#paint(cause);
      this.#next.resolve();
      this.#next = Promise.withResolvers();
      this.#schedule();
    });
  }

  #paint(cause: FrameCause): void {
    const painter = this.#painter;
    const wanted = this.#composition.compose();
    let frame = this.#isUnknown ? painter.repaint(wanted, this.cursor) : painter.update(wanted, this.cursor);
    this.#isUnknown = false;
    const outOfBand = [...this.#outOfBand.values()].join('');
    this.#outOfBand.clear();
    if (frame === '' && outOfBand === '') return;
    if (frame.length > SYNCHRONISED_FROM) frame = SYNCHRONISED.begin + frame + SYNCHRONISED.end;
    const bytes = Buffer.from(frame + outOfBand);
    this.#pace.wrote(cause, bytes.length, this.#clock.monotonic());
    this.stats.frames += 1;
    this.stats.bytes += bytes.length;
    this.#output.write(bytes);
  }
}

export type FrameCause = 'key' | 'data';

/** At most ten repaints a second for data. */
const DATA_INTERVAL_MS = 100;
/** Bytes a millisecond for data: half of a 256 kbit/s line. */
const DATA_RATE = 16;
/** Keys are answered at once until this many bytes went out faster than `KEY_RATE`: a held PgDn on a slow line. */
const KEY_BURST = 32_768;
const KEY_RATE = 64;
/** Bytes of keys delay data no longer than this. */
const MAX_KEY_DEBT_MS = 250;

/** Says when a frame may leave. Each byte costs time, so a large frame delays the next data frame. */
class FramePace {
  #dataFrom = Number.NEGATIVE_INFINITY;
  #keyFrom = Number.NEGATIVE_INFINITY;

  /** The earliest time, in ms, for a frame of this cause. */
  earliest(cause: FrameCause): number {
    return cause === 'data' ? this.#dataFrom : this.#keyFrom - KEY_BURST / KEY_RATE;
  }

  wrote(cause: FrameCause, bytes: number, now: number): void {
    const debt = Math.max(0, this.#dataFrom - now);
    const cost = bytes / DATA_RATE;
    if (cause === 'data') this.#dataFrom = now + Math.max(DATA_INTERVAL_MS, cost);
    else {
      this.#dataFrom = now + Math.max(debt, Math.min(MAX_KEY_DEBT_MS, debt + cost));
      this.#keyFrom = Math.max(this.#keyFrom, now) + bytes / KEY_RATE;
    }
  }
}
