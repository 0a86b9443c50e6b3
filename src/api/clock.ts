/**
 * `monotonic`: ms of CLOCK_MONOTONIC, the same for all processes of one boot. `now`: Unix ms that never jumps back.
 * `sleep` ends early, without an error, when the signal fires.
 */
export type Clock = {
  monotonic(): number;
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
};

const startedAt = Date.now() - monotonicNow();

export const systemClock: Clock = {
  monotonic: monotonicNow,
  now: () => startedAt + monotonicNow(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const wake = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      signal?.addEventListener('abort', wake, { once: true });
    }),
};

/** hrtime counts from boot: as a number of ns it stays exact for a hundred days, as ms far longer than any uptime. */
function monotonicNow(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
