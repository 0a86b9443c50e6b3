import type { Clock } from './clock.ts';

/** How long work may hold the loop before keys, signals and frames have a turn, ms. */
const SLICE = 3;

/**
 * For a loop over data of unbounded length: to be awaited at each step. Costs nothing until a slice is over, then
 * lets the event loop go round once, which promises alone never do.
 */
export function loopTurns(clock: Clock): () => Promise<void> | undefined {
  let resumed = clock.monotonic();
  return () => {
    if (clock.monotonic() - resumed <= SLICE) return undefined;
    return clock.sleep(0).then(() => {
      resumed = clock.monotonic();
    });
  };
}

/** Runs pieces of work one after the other in order of arrival; a failing one ends only itself. */
export function createSequence(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  };
}

/** Places for so many pieces of work at once; others wait in order of arrival. */
export function createPlaces(most: number) {
  let free = most;
  const waiting: (() => void)[] = [];
  const give = () => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  return {
    /** Resolves to the function that gives the place back; a second call does nothing. */
    async take(): Promise<() => void> {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      let isTaken = true;
      return () => {
        if (isTaken) give();
        isTaken = false;
      };
    },
  };
}
