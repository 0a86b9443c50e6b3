/**
 * What the tail needs of time, so that a test can be its clock. `now`: Unix ms that never jumps back; `sleep` ends
 * early, without an error, when the signal fires.
 */
export type Clock = {
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
};
