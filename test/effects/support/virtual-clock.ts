import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../../src/effects/clock.ts';

type Timer = { at: number; order: number; fire: () => void };

/**
 * Time that passes only when `run` says so. `real` is the true time; `now()` is what the machine's clock shows, which
 * may be off, and may stand still while the machine is suspended. Timers fire in order, each after everything that the
 * one before set going has come to rest.
 */
export class VirtualClock implements Clock {
  real: number;
  #offset: number;
  #timers: Timer[] = [];
  #order = 0;

  constructor(o: { real: number; offset?: number }) {
    this.real = o.real;
    this.#offset = o.offset ?? 0;
  }

  /** Timers set and not yet fired. */
  get pending(): number {
    return this.#timers.length;
  }

  now(): number {
    return this.real + this.#offset;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const timer = this.#add(this.real + Math.max(0, ms), () => {
        signal?.removeEventListener('abort', wake);
        resolve();
      });
      const wake = () => {
        this.#timers = this.#timers.filter((t) => t !== timer);
        resolve();
      };
      signal?.addEventListener('abort', wake, { once: true });
    });
  }

  at(real: number, fire: () => void): void {
    this.#add(real, fire);
  }

  /** The machine is off from now for `ms`; a clock that does not count it is behind by as much afterwards. */
  suspend(ms: number, isCounted: boolean): void {
    const end = this.real + ms;
    for (const timer of this.#timers) timer.at = isCounted ? Math.max(timer.at, end) : timer.at + ms;
    if (!isCounted) this.#offset -= ms;
    this.real = end;
  }

  async run(until: number): Promise<void> {
    await setImmediate();
    for (;;) {
      const next = this.#earliest();
      if (next === null || next.at > until) break;
      this.#timers = this.#timers.filter((t) => t !== next);
      this.real = Math.max(this.real, next.at);
      next.fire();
      await setImmediate();
    }
    this.real = Math.max(this.real, until);
  }

  #add(at: number, fire: () => void): Timer {
    this.#order += 1;
    const timer = { at, order: this.#order, fire };
    this.#timers.push(timer);
    return timer;
  }

  #earliest(): Timer | null {
    let first: Timer | null = null;
    for (const timer of this.#timers) {
      if (first === null || timer.at < first.at || (timer.at === first.at && timer.order < first.order))
        first = timer;
    }
    return first;
  }
}
