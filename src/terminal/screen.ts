import type { ReadStream, WriteStream } from 'node:tty';
import type { Clock } from '../time/clock.ts';
import { clipboardSequence } from './clipboard.ts';
import { Composition, type Rect } from './composition.ts';
import { FrameLoop } from './frame-loop.ts';
import { InkStdout, type Size } from './ink-stdout.ts';
import { ENTER, LEAVE, noteEntered } from './modes.ts';
import { type OutputStream, TerminalOutput } from './output.ts';
import type { FrameCause } from './pace.ts';
import type { CursorPlace } from './painter.ts';
import { stopUntilContinued } from './suspend.ts';

type ScreenStats = { bytes: number; frames: number; skipped: number };

type Screen = {
  /** For Ink's `render` with `debug: true`: each write is one frame. */
  readonly inkStdout: NodeJS.WriteStream;
  /** Styled lines painted over Ink's frame, opaque over the whole rectangle; shown with the next frame. */
  setRegion(id: string, rect: Rect, lines: readonly string[]): void;
  clearRegion(id: string): void;
  setCursor(at: CursorPlace): void;
  /** `key`: a frame as soon as React has committed; `data`: at the next time data may be painted. */
  invalidate(cause: FrameCause): void;
  /**
   * Called before each frame with what it is for: the place to set regions and to tell React; what Ink commits in the
   * same turn leaves with the frame. Returns a way to stop.
   */
  onBeforeFrame(callback: (cause: FrameCause) => void): () => void;
  /** Everything again: Ctrl-L. */
  redraw(): void;
  /** OSC 52 between two frames; false when the text is too long for terminals. */
  copy(text: string): boolean;
  /** One BEL between two frames. */
  ring(): void;
  start(): void;
  /** Restores the terminal; within a second also when nobody reads. */
  stop(): Promise<void>;
  /** Gives the terminal back to the shell until the process is continued. */
  suspend(): Promise<void>;
  /** Bytes and frames written, and data changes that never had a frame of their own. */
  readonly stats: ScreenStats;
};

export type ScreenOptions = {
  stdout: OutputStream & Partial<Size> & Pick<WriteStream, 'on' | 'off'>;
  /** Its raw mode is off while the process is stopped. */
  stdin?: Pick<ReadStream, 'isRaw' | 'setRawMode'>;
  /** Off switch of the writer: each frame in full. */
  plain?: boolean;
  /** The terminal takes no writes any more; called once. */
  onGone?: (error: Error) => void;
  clock: Clock;
};

const FALLBACK: Size = { columns: 80, rows: 24 };
const MAX_SIZE = 1000;
/** A window that is dragged sends dozens of sizes a second. */
const RESIZE_MS = 40;
const STOP_MS = { drain: 450, leave: 350 } as const;

export function createScreen(options: ScreenOptions): Screen {
  return new TerminalScreen(options);
}

class TerminalScreen implements Screen {
  readonly #ink: InkStdout;
  readonly #stdout: ScreenOptions['stdout'];
  readonly #stdin: ScreenOptions['stdin'];
  readonly #output: TerminalOutput;
  readonly #clock: Clock;
  readonly #composition: Composition;
  readonly #loop: FrameLoop;
  #isEntered = false;
  #cancelResize: (() => void) | null = null;
  #stopped: Promise<void> | null = null;

  constructor({ stdout, stdin, plain = false, onGone, clock }: ScreenOptions) {
    const size = sizeOf(stdout);
    this.#stdout = stdout;
    this.#stdin = stdin;
    this.#clock = clock;
    this.#output = new TerminalOutput(stdout, clock, (error) => {
      this.#pause();
      onGone?.(error);
    });
    this.#composition = new Composition(size.columns, size.rows);
    const parts = { composition: this.#composition, output: this.#output, clock, plain };
    this.#loop = new FrameLoop({ size, ...parts });
    this.#ink = new InkStdout(size, (frame) => this.#loop.takeInkFrame(frame));
  }

  get inkStdout(): NodeJS.WriteStream {
    return this.#ink as unknown as NodeJS.WriteStream;
  }

  get stats(): ScreenStats {
    return this.#loop.stats;
  }

  setRegion(id: string, rect: Rect, lines: readonly string[]): void {
    this.#composition.setRegion(id, rect, lines);
  }

  clearRegion(id: string): void {
    this.#composition.clearRegion(id);
  }

  setCursor(at: CursorPlace): void {
    this.#loop.cursor = at;
  }

  invalidate(cause: FrameCause): void {
    this.#loop.invalidate(cause);
  }

  onBeforeFrame(callback: (cause: FrameCause) => void): () => void {
    this.#loop.beforeFrame.add(callback);
    return () => this.#loop.beforeFrame.delete(callback);
  }

  redraw(): void {
    this.#loop.redraw();
  }

  copy(text: string): boolean {
    const sequence = clipboardSequence(text);
    if (sequence !== null) this.#loop.sendOutOfBand(sequence);
    return sequence !== null;
  }

  ring(): void {
    this.#loop.ring();
  }

  start(): void {
    if (this.#isEntered || this.#stopped !== null || this.#output.isGone) return;
    this.#stdout.on('resize', this.#resized);
    // Two changes that end at the old size are no 'resize' of the stream, but the terminal has moved its lines.
    process.on('SIGWINCH', this.#resized);
    this.#enter();
  }

  stop(): Promise<void> {
    this.#stdout.off('resize', this.#resized);
    process.off('SIGWINCH', this.#resized);
    this.#stopped ??= this.#leave();
    return this.#stopped;
  }

  async suspend(): Promise<void> {
    if (!this.#isEntered) return;
    await this.#leave();
    const wasRaw = this.#stdin?.isRaw === true;
    if (wasRaw) this.#stdin?.setRawMode(false);
    await stopUntilContinued(this.#clock);
    if (this.#stopped !== null || this.#output.isGone) return;
    if (wasRaw) this.#stdin?.setRawMode(true);
    this.#output.claim();
    this.#enter();
  }

  #enter(): void {
    this.#isEntered = true;
    noteEntered(true);
    this.#output.write(Buffer.from(ENTER));
    this.#applySize();
  }

  async #leave(): Promise<void> {
    this.#pause();
    if (!this.#isEntered || this.#output.isGone) return;
    this.#isEntered = false;
    await this.#output.drained(STOP_MS.drain);
    this.#output.write(Buffer.from(LEAVE));
    if (await this.#output.drained(STOP_MS.leave)) noteEntered(false);
    this.#output.release();
  }

  #pause(): void {
    this.#loop.pause();
    this.#cancelResize?.();
    this.#cancelResize = null;
  }

  readonly #resized = (): void => {
    if (!this.#isEntered || this.#cancelResize !== null) return;
    // Nothing is painted for a size that is gone.
    this.#loop.pause();
    this.#cancelResize = this.#clock.after(RESIZE_MS, () => {
      this.#cancelResize = null;
      this.#applySize();
    });
  };

  #applySize(): void {
    const size = sizeOf(this.#stdout);
    this.#loop.run(size);
    this.#ink.resize(size);
  }
}

function sizeOf({ columns = 0, rows = 0 }: Partial<Size>): Size {
  if (columns <= 0 || rows <= 0) return FALLBACK;
  return { columns: Math.min(columns, MAX_SIZE), rows: Math.min(rows, MAX_SIZE) };
}
