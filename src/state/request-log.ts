import { type RequestTotals, waitSentence } from '../domain/request-event.ts';
import { duration, joined } from '../text/units.ts';
import type { State } from './model.ts';

/** Requests kept for the request log. */
const REQUESTS_KEPT = 200;

export const NO_REQUESTS: RequestTotals = {
  newest: -1,
  asked: 0,
  ok: 0,
  cancelled: 0,
  failed: 0,
  bytes: 0,
  waited: 0,
};

/** The oldest unanswered request since then that waits for more than its answer. */
export function waitingSince({ requests }: Pick<State, 'requests'>, since: number) {
  const oldest = requests.find(({ phase, at }) => phase !== 'done' && at >= since);
  return oldest?.wait ? { wait: oldest.wait, host: oldest.host } : null;
}

/** What is being read, for how long, and why it waits. */
export function readingTold(what: string, since: number, state: Pick<State, 'now' | 'requests'>): string {
  const waiting = waitingSince(state, since);
  const why = waiting === null ? '' : waitSentence(waiting.wait, waiting.host, state.now);
  return joined([`${what}, ${duration(state.now - since)}`, 'Esc cancels', why]);
}

/** Keeps the newest event of each request, oldest request first, and adds up all of them. */
export function requestSeen(state: State, event: State['requests'][number]): State {
  const at = state.requests.findLastIndex((each) => each.id === event.id);
  const known = state.requests[at];
  const requests = at < 0 ? [...state.requests, event].slice(-REQUESTS_KEPT) : state.requests.with(at, event);
  return { ...state, requests, requestTotals: added(state.requestTotals, event, known?.phase === 'done') };
}

function added(
  totals: RequestTotals,
  { id, phase, outcome, bytes, waited }: State['requests'][number],
  wasDone: boolean,
): RequestTotals {
  const isNew = id > totals.newest;
  const asked = isNew ? { newest: id, asked: totals.asked + 1 } : {};
  if (phase !== 'done' || wasDone) return isNew ? { ...totals, ...asked } : totals;
  const end = outcome === 'ok' || outcome === 'cancelled' ? outcome : 'failed';
  return {
    ...totals,
    ...asked,
    [end]: totals[end] + 1,
    bytes: totals.bytes + (bytes ?? 0),
    waited: totals.waited + waited,
  };
}

/** From this time under way on, ms, a request shows its spinner and Esc cancels it. */
export const SLOW = 200;
