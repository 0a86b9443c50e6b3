import type { Action, Effect } from '../state/messages.ts';
import type { State } from '../state/model.ts';

type Store = {
  get: () => State;
  dispatch: (action: Action) => void;
  /** Called after each action, with the action that changed the state. */
  subscribe: (listener: (state: State, action: Action) => void) => () => void;
};

/**
 * Holds the state and turns the crank: action → update → next state, then the effects leave, then the listeners see.
 * An action dispatched while one is being handled waits its turn, so that no reducer sees a half-made state.
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
