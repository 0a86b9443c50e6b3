import type { Clock } from '../../time/clock.ts';

/** One of the tail's concurrent tasks. Everything ends at once when it is stopped. */
export type Lane = {
  /** Waits `ms`, or until somebody wakes it; null = only that. */
  rest(ms: number | null): Promise<void>;
  /** Waits `ms`, whoever calls. */
  pause(ms: number): Promise<void>;
  wake(): void;
  stop(): void;
};

export function createLane(clock: Clock): Lane {
  let stopped = false;
  let isCalled = false;
  let endRest: (() => void) | null = null;
  let endPause: (() => void) | null = null;

  return {
    async rest(ms) {
      if (stopped || isCalled) {
        isCalled = false;
        return;
      }
      if (ms === null) {
        await new Promise<void>((resolve) => {
          endRest = resolve;
        });
      } else {
        const nap = new AbortController();
        endRest = () => nap.abort();
        await clock.sleep(ms, nap.signal);
      }
      endRest = null;
      isCalled = false;
    },
    async pause(ms) {
      if (stopped || ms <= 0) return;
      const nap = new AbortController();
      endPause = () => nap.abort();
      await clock.sleep(ms, nap.signal);
      endPause = null;
    },
    wake() {
      isCalled = true;
      endRest?.();
    },
    stop() {
      stopped = true;
      endRest?.();
      endPause?.();
    },
  };
}
