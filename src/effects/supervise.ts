import type { Action } from '../state/messages.ts';
import type { Clock } from '../time/clock.ts';

/** Something that runs until it is stopped. */
export type Running = { stop: () => void };

/**
 * Keeps exactly the wanted jobs running: stops those no longer wanted, starts new ones, leaves the others alone.
 * Wants with equal keys are the same.
 */
export function createSupervisor<Want extends { key: string }, Job extends Running>(
  start: (want: Want) => Job,
) {
  const running = new Map<string, Job>();
  return {
    match(wants: readonly Want[]): void {
      const keys = new Set(wants.map((want) => want.key));
      for (const [key, job] of running) {
        if (keys.has(key)) continue;
        running.delete(key);
        job.stop();
      }
      for (const want of wants) {
        if (!running.has(want.key)) running.set(want.key, start(want));
      }
    },
    jobs(): Job[] {
      return [...running.values()];
    },
  };
}

/** Starts work that ends with its signal and reports nothing after that. */
export function untilStopped(
  dispatch: (action: Action) => void,
  work: (signal: AbortSignal, tell: (action: Action) => void) => void,
): Running {
  const stopper = new AbortController();
  const { signal } = stopper;
  work(signal, (action) => {
    if (!signal.aborted) dispatch(action);
  });
  return { stop: () => stopper.abort() };
}

/** A key is answered in the next turn of the event loop, and its frame leaves in the one behind. */
const TURNS_BETWEEN = 3;

/** Calls back until it is stopped, with turns of the event loop in between for keys and frames. */
export function startWork(clock: Clock, work: () => void): Running {
  let cancel: () => void;
  const wait = (turns: number) => {
    cancel = clock.after(0, () => {
      if (turns > 1) return wait(turns - 1);
      // First, so that the work may stop it.
      wait(TURNS_BETWEEN);
      work();
    });
  };
  wait(TURNS_BETWEEN);
  return { stop: () => cancel() };
}
