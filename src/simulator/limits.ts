/** Counts requests per key in a sliding window; times are ms of one clock and never fall. */
export type Limiter = {
  /** Null = let in and counted; else the ms until one more would be let in. */
  ask(key: string, at: number): number | null;
};

export type Limit = { requests: number; window: number };

/** Both logging versions together, per pull zone. */
export const LOGGING_LIMIT: Limit = { requests: 30, window: 10_000 };

/** A refused request does not count. */
export function createLimiter({ requests, window }: Limit): Limiter {
  const taken = new Map<string, number[]>();
  return {
    ask: (key, at) => {
      const recent = (taken.get(key) ?? []).filter((t) => t > at - window);
      taken.set(key, recent);
      if (recent.length >= requests) return (recent[0] as number) + window - at;
      recent.push(at);
      return null;
    },
  };
}
