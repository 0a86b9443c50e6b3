import { setImmediate as turn } from 'node:timers/promises';
import { type Clock, sleepBy, systemClock } from '../../src/time/clock.ts';

type Timer = { at: number; order: number; fire: () => void };

/**
 * Time that passes only when it is told to. `real` is the true time, Unix ms; `wall()` is what the machine's clock
 * shows, which may be off and be set; `now()` goes on steadily from there, but may stand still while it is suspended. Timers fire in order.
 */
export class VirtualClock implements Clock {
  real: number;
  readonly sleep: Clock['sleep'] = sleepBy((ms, run) => this.after(ms, run));
  #offset: number;
  #wallOffset: number;
  readonly #begun: number;
  #timers: Timer[] = [];
  #order = 0;

  /** `offset`: how far the machine's clock is ahead. */
  constructor(o: { real?: number; offset?: number } = {}) {
    this.real = o.real ?? Date.UTC(2026, 7, 1);
    this.#offset = o.offset ?? 0;
    this.#wallOffset = this.#offset;
    this.#begun = this.now();
  }

  /** Timers set and not yet fired. */
  get pending(): number {
    return this.#timers.length;
  }

  /** Ms until the next timer fires; null when none is set. */
  get untilNext(): number | null {
    const next = this.#earliest();
    return next === null ? null : Math.max(0, next.at - this.real);
  }

  monotonic(): number {
    return this.now() - this.#begun;
  }

  now(): number {
    return this.real + this.#offset;
  }

  wall(): number {
    return this.real + this.#wallOffset;
  }

  /** Somebody sets the machine's clock, by `ms` forward; what counts on from its boot does not notice. */
  step(ms: number): void {
    this.#wallOffset += ms;
  }

  after(ms: number, run: () => void): () => void {
    return this.at(this.real + Math.max(0, ms), run);
  }

  every(ms: number, run: () => void): () => void {
    let cancel = () => {};
    const next = () => {
      cancel = this.after(ms, () => {
        next();
        run();
      });
    };
    next();
    return () => cancel();
  }

  /** Calls back at a true time. */
  at(real: number, fire: () => void): () => void {
    this.#order += 1;
    const timer = { at: real, order: this.#order, fire };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** The machine is off from now for `ms`; a clock that does not count it is behind by as much afterwards. */
  suspend(ms: number, isCounted: boolean): void {
    const end = this.real + ms;
    for (const timer of this.#timers) timer.at = isCounted ? Math.max(timer.at, end) : timer.at + ms;
    if (!isCounted) this.#offset -= ms;
    this.real = end;
  }

  /** Moves to the earliest timer and fires it, unless that is later than the true time `until`; false then. */
  next(until = Number.POSITIVE_INFINITY): boolean {
    const next = this.#earliest();
    if (next === null || next.at > until) return false;
    this.#timers = this.#timers.filter((timer) => timer !== next);
    this.real = Math.max(this.real, next.at);
    next.fire();
    return true;
  }

  /** Lets `ms` pass in one go; what waits for a promise goes on afterwards. */
  pass(ms: number): void {
    const end = this.real + ms;
    while (this.next(end));
    this.real = Math.max(this.real, end);
  }

  /** Lets `ms` pass; after each timer everything comes to rest that it has set going. */
  advance(ms: number): Promise<void> {
    return this.run(this.real + ms);
  }

  /** The same, up to a true time. */
  async run(until: number): Promise<void> {
    await turn();
    while (this.next(until)) await turn();
    this.real = Math.max(this.real, until);
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

/** A clock of which some things are different. */
export function clockWith(clock: Clock, changes: Partial<Clock>): Clock {
  return {
    monotonic: () => clock.monotonic(),
    now: () => clock.now(),
    wall: () => clock.wall(),
    sleep: (ms, signal) => clock.sleep(ms, signal),
    after: (ms, run) => clock.after(ms, run),
    every: (ms, run) => clock.every(ms, run),
    ...changes,
  };
}

/** A clock on which the time is what `now` says, Unix ms, while waits pass as ever. */
export function clockShowing(now: () => number): Clock {
  return clockWith(systemClock, { now, wall: now, monotonic: now });
}
