import type { Account } from './account/account.ts';
import type { Exchange, ServedAnswer } from './http/answers.ts';
import type { Limiter } from './logs/limiter.ts';
import type { SearchBook } from './shield/search.ts';
import type { Schedule } from './traffic/incidents.ts';
import type { TrafficModel } from './traffic/traffic.ts';

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
