import type { Clock } from '../time/clock.ts';
import type { Running } from './supervise.ts';

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
