import type { Action } from '../state/messages.ts';
import type { Clock } from '../time/clock.ts';

/** Something that runs until it is stopped. */
export type Running = { stop: () => void };

/**
 * Keeps exactly the wanted jobs running: stops what is no longer wanted, starts what is new, and leaves the others alone.
 * Two wants are the same when their keys are.
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

/** Starts work that ends with its signal, and tells nothing after that. */
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

/** A key that was pressed is answered in the next turn of the event loop, and its frame leaves in the one behind that. */
const TURNS_BETWEEN = 3;

/** Calls back again and again until it is stopped, with turns of the event loop in between for keys and frames. */
export function startWork(clock: Clock, work: () => void): Running {
  let cancel: () => void;
  const wait = (turns: number) => {
    cancel = clock.after(0, () => {
      if (turns > 1) return wait(turns - 1);
      // First, so that what the work does may stop it.
      wait(TURNS_BETWEEN);
      work();
    });
  };
  wait(TURNS_BETWEEN);
  return { stop: () => cancel() };
}
