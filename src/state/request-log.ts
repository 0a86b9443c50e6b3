import type { State } from './model.ts';

/** Requests kept for the request log. */
const REQUESTS_KEPT = 200;

/** Keeps the newest event of each request, oldest request first. */
export function requestSeen(state: State, event: State['requests'][number]): State {
  const at = state.requests.findLastIndex((each) => each.id === event.id);
  const requests = at < 0 ? [...state.requests, event].slice(-REQUESTS_KEPT) : state.requests.with(at, event);
  return { ...state, requests };
}
