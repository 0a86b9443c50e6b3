/** Time, and the only way to wait for it: whoever waits or looks at the time is handed a clock. */
export type Clock = {
  /** Milliseconds of CLOCK_MONOTONIC, the same for all processes of one boot. */
  monotonic(): number;
  /** Unix ms that never jump, whatever happens to the system's clock; they may stand still while the machine sleeps. */
  now(): number;
  /** The system's Unix ms: they jump when its clock is set, and go on while the machine sleeps. */
  wall(): number;
  /** Ends early, without an error, when the signal fires; 0 lets what is already in the event loop go first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls back once after `ms`, 0 meaning after what is already in the event loop; returns a way to cancel. */
  after(ms: number, run: () => void): () => void;
  /** Calls back every `ms` until it is cancelled. */
  every(ms: number, run: () => void): () => void;
};

const startedAt = Date.now() - monotonicNow();

export const systemClock: Clock = {
  monotonic: monotonicNow,
  now: () => startedAt + monotonicNow(),
  wall: () => Date.now(),
  sleep: sleepBy(systemAfter),
  after: systemAfter,
  every(ms, run) {
    const timer = setInterval(run, ms);
    return () => clearInterval(timer);
  },
};

/** The sleep of a clock that can call back. */
export function sleepBy(after: Clock['after']): Clock['sleep'] {
  return (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const wake = () => {
        cancel();
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const cancel = after(ms, wake);
      signal?.addEventListener('abort', wake, { once: true });
    });
}

function systemAfter(ms: number, run: () => void): () => void {
  if (ms <= 0) {
    const immediate = setImmediate(run);
    return () => clearImmediate(immediate);
  }
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

/** hrtime counts from boot: as a number of ns it stays exact for a hundred days, as ms far longer than any uptime. */
function monotonicNow(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
