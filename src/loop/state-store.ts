import { NO_ZONES } from '../screens/zones/zones-screen.ts';
import { NO_HEALTH_STATE, NOTHING_LISTED } from '../state/account-model.ts';
import { NOTHING_BESIDE } from '../state/beside-model.ts';
import { NO_HANDOVER } from '../state/handover-model.ts';
import type { Action, Effect } from '../state/messages.ts';
import { FIRST_TIMELINE, NOTHING_TOLD, type State } from '../state/model.ts';
import { NO_PACE } from '../state/prompt-kind.ts';
import { NO_REQUESTS } from '../state/request-log.ts';

type Store = {
  get: () => State;
  dispatch: (action: Action) => void;
  /** The listener is called after each action, with that action. */
  subscribe: (listener: (state: State, action: Action) => void) => () => void;
};

/**
 * Holds the state and turns the crank: action → update → next state; then effects leave, then listeners see. An
 * action dispatched meanwhile waits its turn, so that no reducer sees a half-made state.
 */
export function createStore(
  initial: State,
  update: (state: State, action: Action, now: number) => [State, Effect[]],
  run: (effect: Effect, state: State) => void,
  now: () => number,
): Store {
  let state = initial;
  let busy = false;
  const waiting: Action[] = [];
  const listeners = new Set<(state: State, action: Action) => void>();

  const handle = (action: Action) => {
    const [next, effects] = update(state, action, now());
    state = next;
    for (const effect of effects) run(effect, state);
    for (const listener of listeners) listener(state, action);
  };

  return {
    get: () => state,
    dispatch(action) {
      waiting.push(action);
      if (busy) return;
      busy = true;
      try {
        for (let next = waiting.shift(); next; next = waiting.shift()) handle(next);
      } finally {
        busy = false;
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The picker before anything was asked; a start sets size, time, place and account over it. */
export const FIRST_STATE: Omit<State, 'size' | 'now' | 'endpoint'> = {
  views: [{ kind: 'zones', cursor: 0, top: 0 }],
  parked: [],
  zones: NO_ZONES,
  health: NO_HEALTH_STATE,
  session: null,
  shield: null,
  knowsBuckets: null,
  ...NOTHING_LISTED,
  mayWrite: false,
  rowBytes: 512 * 1024 * 1024,
  inquiries: 0,
  evidence: NOTHING_TOLD,
  keptAnswer: null,
  overlay: null,
  prompt: null,
  pace: NO_PACE,
  notice: null,
  remarks: [],
  requests: [],
  requestTotals: NO_REQUESTS,
  budget: null,
  columns: null,
  timeline: FIRST_TIMELINE,
  beside: NOTHING_BESIDE,
  highlights: [],
  termsOff: null,
  on: new Set(),
  hasMouse: false,
  ownKeys: [],
  demo: false,
  handover: NO_HANDOVER,
  watching: null,
  resuming: null,
  history: null,
  leaving: false,
};
