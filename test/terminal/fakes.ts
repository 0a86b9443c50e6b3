import { EventEmitter } from 'node:events';
import type { ScreenOptions } from '../../src/terminal/cell-screen.ts';

/** A terminal that keeps what was written; while `isStalled` it takes nothing. */
export class FakeStdout extends EventEmitter {
  readonly isTTY = true;
  columns: number;
  rows: number;
  isStalled = false;
  readonly writes: string[] = [];
  #stuck: ((error?: Error | null) => void)[] = [];

  constructor(columns: number, rows: number) {
    super();
    this.columns = columns;
    this.rows = rows;
  }

  write(data: Uint8Array, done: (error?: Error | null) => void): boolean {
    this.writes.push(Buffer.from(data).toString('utf8'));
    if (this.isStalled) this.#stuck.push(done);
    else done(null);
    return true;
  }

  goOn(error?: Error): void {
    this.isStalled = false;
    for (const done of this.#stuck.splice(0)) done(error ?? null);
  }

  resize(columns: number, rows: number): void {
    this.columns = columns;
    this.rows = rows;
    this.emit('resize');
  }

  /** What was written since the last call. */
  take(): string {
    return this.writes.splice(0).join('');
  }

  asStdout(): ScreenOptions['stdout'] {
    return this as unknown as ScreenOptions['stdout'];
  }
}
