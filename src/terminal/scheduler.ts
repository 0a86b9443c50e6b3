/** Time as the screen sees it; tests bring their own. */
export type Scheduler = {
  /** Milliseconds that only grow. */
  now(): number;
  /** Calls back once after `ms`, 0 meaning after what is already on its way in this turn; returns a way to cancel. */
  after(ms: number, callback: () => void): () => void;
};

export const systemScheduler: Scheduler = {
  now: () => performance.now(),
  after(ms, callback) {
    if (ms <= 0) {
      const immediate = setImmediate(callback);
      return () => clearImmediate(immediate);
    }
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};
