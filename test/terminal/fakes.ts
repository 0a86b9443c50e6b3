import { EventEmitter } from 'node:events';
import type { Scheduler } from '../../src/terminal/scheduler.ts';
import type { ScreenOptions } from '../../src/terminal/screen.ts';

/** Time that only moves when told to. */
export class FakeScheduler implements Scheduler {
  #time = 0;
  #timers: { at: number; callback: () => void }[] = [];

  now(): number {
    return this.#time;
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { at: this.#time + Math.max(0, ms), callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  get pending(): number {
    return this.#timers.length;
  }

  /** Moves to the earliest that is due and calls it; false when nobody waits. */
  next(): boolean {
    const [first] = this.#timers.sort((a, b) => a.at - b.at);
    if (first === undefined) return false;
    this.#timers.shift();
    this.#time = Math.max(this.#time, first.at);
    first.callback();
    return true;
  }

  /** Lets `ms` pass; calls what falls due, in order, also what that adds. */
  pass(ms: number): void {
    const end = this.#time + ms;
    for (;;) {
      const next = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.#time = Math.max(this.#time, next.at);
      next.callback();
    }
    this.#time = end;
  }
}

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
