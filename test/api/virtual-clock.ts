import type { Clock } from '../../src/api/clock.ts';

type Sleeper = { at: number; order: number; wake: () => void };

/** A clock that moves only when told, from one sleeper to the next. */
export class VirtualClock implements Clock {
  #now = 0;
  #order = 0;
  #sleepers: Sleeper[] = [];
  readonly #epoch: number;

  constructor(epoch = Date.UTC(2026, 7, 1)) {
    this.#epoch = epoch;
  }

  monotonic(): number {
    return this.#now;
  }

  now(): number {
    return this.#epoch + this.#now;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const sleeper = { at: this.#now + Math.max(0, ms), order: this.#order++, wake: resolve };
      this.#sleepers.push(sleeper);
      signal?.addEventListener('abort', () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        resolve();
      });
    });
  }

  /** Lets everything happen that is due within so many ms. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      await settled();
      const next = this.#sleepers.reduce<Sleeper | null>((first, other) => earlier(first, other), null);
      if (next === null || next.at > end) break;
      this.#sleepers = this.#sleepers.filter((other) => other !== next);
      this.#now = next.at;
      next.wake();
    }
    this.#now = end;
    await settled();
  }
}

function earlier(first: Sleeper | null, other: Sleeper): Sleeper {
  if (first === null) return other;
  return other.at < first.at || (other.at === first.at && other.order < first.order) ? other : first;
}

/** Every promise that can go on has gone on by the time an immediate runs. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
