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
