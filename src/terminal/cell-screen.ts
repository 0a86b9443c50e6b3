import { EventEmitter } from 'node:events';
import type { ReadStream, WriteStream } from 'node:tty';
import type { Clock } from '../time/clock.ts';
import type { Link } from './cells.ts';
import { Composition, type Rect } from './composition.ts';
import { ENTER, LEAVE, MOUSE, noteEntered, SYNCHRONISED } from './modes.ts';
import { type CursorPlace, Painter } from './painter.ts';
import { type OutputStream, TerminalOutput } from './tty-output.ts';

type Size = { columns: number; rows: number };

export type ScreenOptions = {
  stdout: OutputStream & Partial<Size> & Pick<WriteStream, 'on' | 'off'>;
  /** Its raw mode is off while the process is stopped. */
  stdin?: Pick<ReadStream, 'isRaw' | 'setRawMode'>;
  /** The terminal takes no more writes; called once. */
  onGone?: (error: Error) => void;
  clock: Clock;
};

const FALLBACK: Size = { columns: 80, rows: 24 };
const MAX_SIZE = 1000;
/** A dragged window sends dozens of sizes a second. */
const RESIZE_MS = 40;
const STOP_MS = { drain: 450, leave: 350 } as const;

/** The screen between Ink and the terminal. */
export class TerminalScreen {
  readonly #ink: InkStdout;
  readonly #stdout: ScreenOptions['stdout'];
  readonly #stdin: ScreenOptions['stdin'];
  readonly #output: TerminalOutput;
  readonly #clock: Clock;
  readonly #composition: Composition;
  readonly #loop: FrameLoop;
  #isEntered = false;
  #isMouseOn = false;
  #cancelResize: (() => void) | null = null;
  #stopped: Promise<void> | null = null;

  constructor({ stdout, stdin, onGone, clock }: ScreenOptions) {
    const size = sizeOf(stdout);
    this.#stdout = stdout;
    this.#stdin = stdin;
    this.#clock = clock;
    this.#output = new TerminalOutput(stdout, clock, (error) => {
      this.#pause();
      onGone?.(error);
    });
    this.#composition = new Composition(size.columns, size.rows);
    this.#loop = new FrameLoop({ size, composition: this.#composition, output: this.#output, clock });
    this.#ink = new InkStdout(size, (frame) => this.#loop.takeInkFrame(frame));
  }

  /** For Ink's `render` with `debug: true`: each write is one frame. */
  get inkStdout(): NodeJS.WriteStream {
    return this.#ink as unknown as NodeJS.WriteStream;
  }

  /** Bytes and frames written, and data changes that never had a frame of their own. */
  get stats(): FrameLoop['stats'] {
    return this.#loop.stats;
  }

  /** Styled lines painted over Ink's frame, opaque over the whole rectangle; shown with the next frame. */
  setRegion(id: string, rect: Rect, lines: readonly string[]): void {
    this.#composition.setRegion(id, rect, lines);
  }

  clearRegion(id: string): void {
    this.#composition.clearRegion(id);
  }

  /** The address on screen that a click opens (OSC 8); null = none. */
  setLink(link: Link | null): void {
    this.#composition.link = link;
  }

  setCursor(at: CursorPlace): void {
    this.#loop.cursor = at;
  }

  /** `key`: a frame once React has committed; `data`: when data may next be painted. */
  invalidate(cause: FrameCause): void {
    this.#loop.invalidate(cause);
  }

  /** Resolves once the next frame has left. */
  nextFrame(): Promise<void> {
    return this.#loop.next;
  }

  /**
   * Called before each frame with its cause: the place to set regions and to tell React; what Ink commits in the same
   * turn leaves with the frame. Returns a way to stop.
   */
  onBeforeFrame(callback: (cause: FrameCause) => void): () => void {
    this.#loop.beforeFrame.add(callback);
    return () => this.#loop.beforeFrame.delete(callback);
  }

  /** Paints everything again: Ctrl-L. */
  redraw(): void {
    this.#loop.redraw();
  }

  /** Sends OSC 52 between two frames; false when the text is too long for terminals. */
  copy(text: string): boolean {
    const sequence = clipboardSequence(text);
    if (sequence !== null) this.#loop.sendOutOfBand('clipboard', sequence);
    return sequence !== null;
  }

  /** Sends a bell, and what a desktop shows, between two frames. */
  notify(sequence: string): void {
    this.#loop.sendOutOfBand('notification', sequence);
  }

  /** Whether the terminal reports clicks and the wheel, or keeps them for itself. */
  setMouse(isOn: boolean): void {
    if (isOn === this.#isMouseOn) return;
    this.#isMouseOn = isOn;
    if (this.#isEntered) this.#loop.sendOutOfBand('mouse', isOn ? MOUSE.on : MOUSE.off);
  }

  start(): void {
    if (this.#isEntered || this.#stopped !== null || this.#output.isGone) return;
    this.#stdout.on('resize', this.#resized);
    // Two changes that end at the old size are no 'resize' of the stream, but the terminal has moved its lines.
    process.on('SIGWINCH', this.#resized);
    this.#enter();
  }

  /** Restores the terminal, within a second even when nobody reads. */
  stop(): Promise<void> {
    this.#stdout.off('resize', this.#resized);
    process.off('SIGWINCH', this.#resized);
    this.#stopped ??= this.#leave();
    return this.#stopped;
  }

  /** Gives the terminal back to the shell until the process is continued. */
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
    this.#output.write(Buffer.from(this.#isMouseOn ? ENTER + MOUSE.on : ENTER));
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
    // Nothing is painted for a past size.
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

/** Many terminals drop a longer sequence, ends included; tmux takes 1 MiB. */
const LONGEST_SEQUENCE = 100_000;

/** OSC 52: asks the terminal to put `text` into the clipboard of the person in front of it; null when it is too long. */
export function clipboardSequence(text: string): string | null {
  const sequence = `\x1b]52;c;${Buffer.from(text, 'utf8').toString('base64')}\x07`;
  return sequence.length > LONGEST_SEQUENCE ? null : sequence;
}

/** Longer than the system takes to stop a process. */
const NOT_STOPPED_MS = 250;

/**
 * Stops the process group, as Ctrl-Z would, and resolves when it goes on. Where nobody could continue it (an orphaned
 * group) the system ignores the stop, and the promise resolves shortly after.
 */
function stopUntilContinued(clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const goOn = (): void => {
      cancel();
      process.off('SIGCONT', goOn);
      resolve();
    };
    const cancel = clock.after(NOT_STOPPED_MS, goOn);
    process.on('SIGCONT', goOn);
    process.kill(0, 'SIGTSTP');
  });
}

/** How soon after a key a commit of React's counts as its answer, ms. */
const ANSWER_MS = 100;
/** Larger frames arrive in pieces; terminals that know the mode show them at once. */
const SYNCHRONISED_FROM = 1024;

/**
 * Decides when the composition becomes a frame: at once for a key, paced for data, and only after the reader took the
 * frame before. Nothing is queued: a late frame shows the present.
 */
class FrameLoop {
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

type FrameCause = 'key' | 'data';

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

/** Cursor, mode and erase sequences that Ink and its helpers write without a frame: the screen sends its own. */
const NO_FRAME = /^(?:\x1b\[[?>=<]?[0-9;]*[A-HJKSTfhlnu])*$/;

/**
 * Ink's stdout with `debug: true`: each write is one whole frame. None of it reaches the terminal as it is; `onFrame`
 * takes the styled text.
 */
class InkStdout extends EventEmitter {
  readonly isTTY = true;
  readonly writable = true;
  readonly destroyed = false;
  readonly writableEnded = false;
  readonly writableNeedDrain = false;
  columns: number;
  rows: number;
  readonly #onFrame: (frame: string) => void;

  constructor(size: Size, onFrame: (frame: string) => void) {
    super();
    this.setMaxListeners(0);
    this.columns = size.columns;
    this.rows = size.rows;
    this.#onFrame = onFrame;
  }

  write(data: string | Uint8Array, encodingOrDone?: unknown, done?: unknown): boolean {
    const text = typeof data === 'string' ? data : Buffer.from(data).toString('utf8');
    if (!NO_FRAME.test(text)) this.#onFrame(text);
    const callback = typeof encodingOrDone === 'function' ? encodingOrDone : done;
    if (typeof callback === 'function') queueMicrotask(() => callback());
    return true;
  }

  end(): this {
    return this;
  }

  resize({ columns, rows }: Size): void {
    this.columns = columns;
    this.rows = rows;
    this.emit('resize');
  }

  getWindowSize(): [number, number] {
    return [this.columns, this.rows];
  }
}
