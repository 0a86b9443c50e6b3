import type { ReadStream, WriteStream } from 'node:tty';
import { clipboardSequence } from './clipboard.ts';
import { Composition, type Rect } from './composition.ts';
import { type CursorPlace, Painter } from './diff.ts';
import { InkStdout, type Size } from './ink-stdout.ts';
import { ENTER, LEAVE, noteEntered, SYNCHRONISED } from './modes.ts';
import { Output, type OutputStream } from './output.ts';
import { type Cause, Pace } from './pace.ts';
import { type Scheduler, systemScheduler } from './scheduler.ts';
import { stopUntilContinued } from './suspend.ts';

export type { Rect } from './composition.ts';

export type ScreenStats = { bytes: number; frames: number; skipped: number };

export type Screen = {
  /** For Ink's `render` with `debug: true`: each write is one frame. */
  readonly inkStdout: NodeJS.WriteStream;
  /** Styled lines painted over Ink's frame, opaque over the whole rectangle; shown with the next frame. */
  setRegion(id: string, rect: Rect, lines: readonly string[]): void;
  clearRegion(id: string): void;
  setCursor(at: CursorPlace): void;
  /** `key`: a frame as soon as React has committed; `data`: at the next time data may be painted. */
  invalidate(cause: Cause): void;
  /**
   * Called before each frame with what it is for: the place to set regions and to tell React; what Ink commits in the
   * same turn leaves with the frame. Returns a way to stop.
   */
  onBeforeFrame(callback: (cause: Cause) => void): () => void;
  /** Everything again: Ctrl-L. */
  redraw(): void;
  /** OSC 52 between two frames; false when the text is too long for terminals. */
  copy(text: string): boolean;
  start(): void;
  /** Restores the terminal; within a second also when nobody reads. */
  stop(): Promise<void>;
  /** Gives the terminal back to the shell until the process is continued. */
  suspend(): Promise<void>;
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
  scheduler?: Scheduler;
};

const FALLBACK: Size = { columns: 80, rows: 24 };
const MAX_SIZE = 1000;
/** A window that is dragged sends dozens of sizes a second. */
const RESIZE_MS = 40;
/** What React commits this soon after a key is taken for its answer. */
const ANSWER_MS = 100;
/** Bigger frames arrive in pieces; terminals that know the mode show them at once. */
const SYNCHRONISED_FROM = 1024;
const STOP_MS = { drain: 450, leave: 350 } as const;

export function createScreen(options: ScreenOptions): Screen {
  return new TerminalScreen(options);
}

class TerminalScreen implements Screen {
  readonly stats: ScreenStats = { bytes: 0, frames: 0, skipped: 0 };
  readonly #ink: InkStdout;
  readonly #stdout: ScreenOptions['stdout'];
  readonly #stdin: ScreenOptions['stdin'];
  readonly #output: Output;
  readonly #scheduler: Scheduler;
  readonly #isPlain: boolean;
  readonly #pace = new Pace();
  readonly #composition: Composition;
  readonly #beforeFrame = new Set<(cause: Cause) => void>();
  #painter: Painter;
  #cursor: CursorPlace = null;
  #due: Cause | null = null;
  #isRunning = false;
  #isUnknown = true;
  #isPreparing = false;
  #answerUntil = Number.NEGATIVE_INFINITY;
  #outOfBand = '';
  #cancelFrame: (() => void) | null = null;
  #cancelResize: (() => void) | null = null;
  #stopped: Promise<void> | null = null;

  constructor({ stdout, stdin, plain = false, onGone, scheduler = systemScheduler }: ScreenOptions) {
    const size = sizeOf(stdout);
    this.#stdout = stdout;
    this.#stdin = stdin;
    this.#scheduler = scheduler;
    this.#isPlain = plain;
    this.#ink = new InkStdout(size, (frame) => this.#takeInkFrame(frame));
    this.#composition = new Composition(size.columns, size.rows);
    this.#painter = new Painter(size.columns, size.rows);
    this.#output = new Output(stdout, (error) => {
      this.#pause();
      onGone?.(error);
    });
  }

  get inkStdout(): NodeJS.WriteStream {
    return this.#ink as unknown as NodeJS.WriteStream;
  }

  setRegion(id: string, rect: Rect, lines: readonly string[]): void {
    this.#composition.setRegion(id, rect, lines);
  }

  clearRegion(id: string): void {
    this.#composition.clearRegion(id);
  }

  setCursor(at: CursorPlace): void {
    this.#cursor = at;
  }

  invalidate(cause: Cause): void {
    if (cause === 'key') {
      this.#answerUntil = this.#scheduler.now() + ANSWER_MS;
      this.#due = 'key';
    } else if (this.#due === null) this.#due = 'data';
    else this.stats.skipped += 1;
    this.#schedule();
  }

  onBeforeFrame(callback: (cause: Cause) => void): () => void {
    this.#beforeFrame.add(callback);
    return () => this.#beforeFrame.delete(callback);
  }

  redraw(): void {
    this.#isUnknown = true;
    this.invalidate('key');
  }

  copy(text: string): boolean {
    const sequence = clipboardSequence(text);
    if (sequence === null) return false;
    this.#outOfBand = sequence;
    this.invalidate('key');
    return true;
  }

  start(): void {
    if (this.#isRunning || this.#stopped !== null || this.#output.isGone) return;
    this.#stdout.on('resize', this.#resized);
    this.#enter();
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#leaveForGood();
    return this.#stopped;
  }

  async suspend(): Promise<void> {
    if (!this.#isRunning) return;
    await this.#leave();
    const wasRaw = this.#stdin?.isRaw === true;
    if (wasRaw) this.#stdin?.setRawMode(false);
    await stopUntilContinued();
    if (wasRaw) this.#stdin?.setRawMode(true);
    if (this.#stopped !== null || this.#output.isGone) return;
    this.#output.claim();
    this.#enter();
    this.#applySize();
  }

  #enter(): void {
    this.#isRunning = true;
    this.#isUnknown = true;
    noteEntered(true);
    this.#send(Buffer.from(ENTER));
    this.invalidate('key');
  }

  async #leave(): Promise<void> {
    const wasRunning = this.#isRunning;
    this.#pause();
    if (!wasRunning || this.#output.isGone) return;
    await this.#output.drained(STOP_MS.drain);
    this.#output.write(Buffer.from(LEAVE));
    if (await this.#output.drained(STOP_MS.leave)) noteEntered(false);
    this.#output.release();
  }

  async #leaveForGood(): Promise<void> {
    this.#stdout.off('resize', this.#resized);
    await this.#leave();
  }

  #pause(): void {
    this.#isRunning = false;
    this.#dropFrame();
    this.#cancelResize?.();
    this.#cancelResize = null;
  }

  #dropFrame(): void {
    this.#cancelFrame?.();
    this.#cancelFrame = null;
    this.#isPreparing = false;
  }

  #takeInkFrame(frame: string): void {
    this.#composition.setFrame(frame);
    if (!this.#isPreparing) this.invalidate(this.#scheduler.now() < this.#answerUntil ? 'key' : 'data');
  }

  #schedule(): void {
    if (!this.#isRunning || this.#due === null || this.#isPreparing) return;
    if (this.#output.isBusy || this.#cancelResize !== null) return;
    this.#cancelFrame?.();
    const wait = this.#pace.earliest(this.#due) - this.#scheduler.now();
    this.#cancelFrame = this.#scheduler.after(Math.max(0, wait), () => this.#prepare());
  }

  #prepare(): void {
    const cause = this.#due ?? 'data';
    this.#isPreparing = true;
    for (const callback of this.#beforeFrame) callback(cause);
    this.#due = null;
    // A turn for React to commit what the callbacks have told it.
    this.#cancelFrame = this.#scheduler.after(0, () => {
      this.#cancelFrame = null;
      this.#isPreparing = false;
      this.#paint(cause);
      this.#schedule();
    });
  }

  #paint(cause: Cause): void {
    const wanted = this.#composition.compose();
    const painter = this.#painter;
    let frame = this.#isUnknown
      ? painter.repaint(wanted, this.#cursor)
      : painter.update(wanted, this.#cursor);
    if (this.#isPlain && frame !== '') frame = painter.repaint(wanted, this.#cursor);
    this.#isUnknown = false;
    const outOfBand = this.#outOfBand;
    this.#outOfBand = '';
    if (frame === '' && outOfBand === '') return;
    if (frame.length > SYNCHRONISED_FROM) frame = SYNCHRONISED.begin + frame + SYNCHRONISED.end;
    const bytes = Buffer.from(frame + outOfBand);
    this.#pace.wrote(cause, bytes.length, this.#scheduler.now());
    this.stats.frames += 1;
    this.#send(bytes);
  }

  #send(bytes: Buffer): void {
    this.stats.bytes += bytes.length;
    this.#output.write(bytes, () => this.#schedule());
  }

  readonly #resized = (): void => {
    if (!this.#isRunning || this.#cancelResize !== null) return;
    this.#dropFrame();
    this.#cancelResize = this.#scheduler.after(RESIZE_MS, () => {
      this.#cancelResize = null;
      this.#applySize();
    });
  };

  #applySize(): void {
    const size = sizeOf(this.#stdout);
    this.#composition.resize(size.columns, size.rows);
    this.#painter = new Painter(size.columns, size.rows);
    this.#isUnknown = true;
    this.#answerUntil = this.#scheduler.now() + ANSWER_MS;
    this.#ink.resize(size);
    this.invalidate('key');
  }
}

function sizeOf({ columns = 0, rows = 0 }: Partial<Size>): Size {
  if (columns <= 0 || rows <= 0) return FALLBACK;
  return { columns: Math.min(columns, MAX_SIZE), rows: Math.min(rows, MAX_SIZE) };
}
