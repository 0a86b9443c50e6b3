import type { Account } from './account/account.ts';
import type { Exchange, ServedAnswer } from './http/answers.ts';

import type { SearchBook } from './shield/search.ts';
import type { Schedule } from './traffic/incidents.ts';
import type { TrafficModel } from './traffic/traffic-source.ts';

/** What endpoints answer from. */
export type World = {
  account: Account;
  traffic: TrafficModel;
  /** The same traffic without incidents. */
  calm: TrafficModel;
  /** What incidents are planted around, Unix ms. */
  epoch: number;
  schedule: Schedule;
  searches: SearchBook;
  /** Of the logging API. */
  limiter: Limiter;
};

export type Handler = (call: Exchange, world: World) => ServedAnswer | Promise<ServedAnswer>;

/** Counts requests per pull zone in a sliding window. */
type Limiter = {
  /** Null = let in and counted; else the headers of the refusal, of which every other one says how long to wait. */
  refusal(zoneId: string): Record<string, string> | null;
};

export type Limit = { requests: number; window: number };

/** Both logging versions together, per pull zone. */
export const LOGGING_LIMIT: Limit = { requests: 30, window: 10_000 };

/** A refused request does not count. `clock`: ms that never fall. */
export function createLimiter({ requests, window }: Limit, clock: () => number): Limiter {
  const taken = new Map<string, number[]>();
  let refusals = 0;
  return {
    refusal(zoneId): Record<string, string> | null {
      const at = clock();
      const recent = (taken.get(zoneId) ?? []).filter((t) => t > at - window);
      taken.set(zoneId, recent);
      if (recent.length < requests) {
        recent.push(at);
        return null;
      }
      refusals += 1;
      if (refusals % 2 === 0) return {};
      const wait = (recent[0] as number) + window - at;
      return { 'retry-after': String(Math.max(1, Math.ceil(wait / 1000))) };
    },
  };
}
