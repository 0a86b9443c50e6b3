import { EventEmitter } from 'node:events';

export type Size = { columns: number; rows: number };

/** Cursor, mode and erase sequences that Ink and its helpers write without a frame: the screen sends its own. */
const NO_FRAME = /^(?:\x1b\[[?>=<]?[0-9;]*[A-HJKSTfhlnu])*$/;

/**
 * Ink's stdout with `debug: true`: each write is one whole frame. None of it reaches the terminal as it is; `onFrame`
 * takes the styled text.
 */
export class InkStdout extends EventEmitter {
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
