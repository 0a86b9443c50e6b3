import type { Clock } from './clock.ts';

/** How long work may hold the loop before keys, signals and frames have their turn, ms. */
const SLICE = 3;

/**
 * For a loop over what others made as long as they liked: to be waited for at each step. It costs nothing until a slice is over, and
 * then lets the event loop go once round, which promises alone never do.
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

/** Runs pieces of work one after the other, in the order in which they come; one that fails ends nothing but itself. */
export function createSequence(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  };
}

/** Places for pieces of work, so many at once; those that find none wait for one in the order in which they came. */
export function createPlaces(most: number) {
  let free = most;
  const waiting: (() => void)[] = [];
  const give = () => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  return {
    /** Resolves to what gives the place back; called again that does nothing. */
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
