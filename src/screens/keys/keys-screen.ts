import type { ApiKey } from '../../domain/api-key.ts';
import type { Recorded } from '../../domain/storage/storage-change.ts';
import { type ListView, REVEAL_TIME } from '../../state/account-model.ts';
import { listScreen, readingEnded } from '../../state/list/list-screen.ts';
import type { Subscription } from '../../state/messages.ts';
import { noticed, reported, type State } from '../../state/model.ts';
import type { Screen } from '../../state/screen.ts';
import { topOf } from '../../state/view-stack.ts';

const KEYS = listScreen('keys', {
  commands: {
    revealKey: (state, { cursor }) => {
      const key = state.keys.items[cursor];
      return key ? revealed(state, key) : state;
    },
    open: (state) => noticed(state, 'info', 'r shows the value of this key for 10 s'),
    // The value on screen goes first: Esc takes one thing away at a time.
    leave: (state) =>
      state.keys.revealed || state.keys.recording ? hidden(state) : readingEnded(state, 'keys'),
  },
});

/** The audit line is on the disk, so the value may be shown; where it could not be written, the value stays hidden. */
export function revealRecorded(state: State, request: number, recorded: Recorded<null>): State {
  const { recording } = state.keys;
  if (recording?.request !== request) return state;
  const next = { ...state, keys: { ...state.keys, recording: null } };
  if (!recorded.ok) {
    const text = `the key stays hidden: showing it could not be recorded. ${recorded.problem}`;
    return reported(next, 'error', text);
  }
  return {
    ...next,
    keys: { ...next.keys, revealed: { id: recording.id, until: state.now + REVEAL_TIME } },
  };
}

/** A value is on screen only in its own view, and only for its time. */
export function keysSettled(state: State): State {
  const { revealed: shown, recording } = state.keys;
  if (!shown && !recording) return state;
  const isOver = shown !== null && state.now >= shown.until;
  return isOver || topOf(state, 'keys') === null ? hidden(state) : state;
}

/** One at a time: the value shown before is hidden. */
function revealed(state: State, key: ApiKey): State {
  const request = state.keys.reveals + 1;
  if (key.secret === null) {
    return noticed(state, 'info', 'the platform does not disclose the value of this key');
  }
  if (state.keys.revealed?.id === key.id) return hidden(state);
  return {
    ...state,
    keys: { ...state.keys, reveals: request, revealed: null, recording: { request, id: key.id } },
  };
}

function hidden(state: State): State {
  return { ...state, keys: { ...state.keys, revealed: null, recording: null } };
}

export const KEYS_SCREEN: Screen<ListView<'keys'>> = {
  ...KEYS,
  asks: keysAsk,
  request: () => 'the API answers that with the keys themselves; edgescope keys prints fingerprints',
};

function keysAsk(state: State): Subscription[] {
  const { keys, now } = state;
  const asking = KEYS.asks(state);
  const { recording, revealed } = keys;
  const fingerprint = keys.items.find((key) => key.id === recording?.id)?.secret?.fingerprint;
  if (recording && fingerprint !== undefined) {
    const { request, id } = recording;
    asking.push({ kind: 'keyReveal', key: `reveal ${id} ${request}`, request, id, fingerprint });
  }
  if (revealed) {
    // Timers may fire a millisecond early by another clock.
    const after = Math.max(0, revealed.until - now) + 2;
    asking.push({ kind: 'keyHide', key: `hide ${revealed.id} ${revealed.until}`, after });
  }
  return asking;
}
