import type { ApiKey } from '../../domain/api-key.ts';
import type { Failure } from '../../domain/failure.ts';
import { keyRow } from '../../domain/handover/shapes.ts';
import { keySheet, lineOf } from '../../domain/handover/sheet.ts';
import type { Recorded } from '../../domain/storage/storage-change.ts';
import type { Page } from '../../domain/zone.ts';
import type { CommandId } from '../../keys/bindings.ts';
import { type KeysView, REVEAL_TIME } from '../../state/account-model.ts';
import { listCell, OF_LIST, plainLine } from '../../state/list/list-screen.ts';
import {
  LIST_CANCELLED,
  listTold,
  pageAsked,
  pageNear,
  withCursorsInside,
  withPage,
} from '../../state/list/paged.ts';
import type { Subscription } from '../../state/messages.ts';
import { noticed, reported, type State } from '../../state/model.ts';
import type { Screen } from '../../state/screen.ts';
import { backTo, pushed, topOf, withTop } from '../../state/view-stack.ts';

/** Shows the keys: the list already in the stack, or a new one on top. */
export function openKeys(state: State): State {
  const back = backTo(state, 'keys');
  if (back) return back;
  const next = pushed(state, { kind: 'keys', cursor: 0, top: 0 });
  return next.keys.items.length > 0 ? next : asked(next, 1);
}

function keysCommanded(state: State, view: KeysView, command: CommandId): State | null {
  const { keys } = state;
  switch (command) {
    case 'revealKey': {
      const key = keys.items[view.cursor];
      return key ? revealed(state, key) : state;
    }
    case 'refresh':
      return asked(state, 1);
    case 'open':
      return noticed(state, 'info', 'r shows the value of this key for 10 s');
    case 'leave':
      // The value on screen goes first: Esc takes one thing away at a time.
      if (keys.revealed || keys.recording) return hidden(state);
      if (keys.loading.kind !== 'loading') return null;
      return noticed({ ...state, keys: { ...keys, loading: { kind: 'idle' } } }, 'info', LIST_CANCELLED);
    default:
      return null;
  }
}

export function keysArrived(state: State, request: number, page: Page<ApiKey>): State {
  const { keys } = state;
  if (request !== keys.request) return state;
  const { told, list } = withPage(state, keys, page);
  return withCursorsInside({ ...told, keys: { ...keys, ...list } }, 'keys', list.items.length);
}

export function keysFailed(state: State, request: number, failure: Failure): State {
  if (request !== state.keys.request) return state;
  return { ...state, keys: { ...state.keys, loading: { kind: 'failed', failure } } };
}

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

function asked(state: State, page: number): State {
  const request = state.keys.request + 1;
  return {
    ...state,
    keys: { ...state.keys, request, nextPage: page, loading: { kind: 'loading', since: state.now } },
  };
}

export const KEYS_SCREEN: Screen<KeysView> = {
  ...OF_LIST,
  commands: keysCommanded,
  list: {
    length: ({ keys }) => keys.items.length,
    moved: (state, view) => {
      const page = pageNear(state, state.keys, view.cursor);
      const next = withTop(state, view);
      return page === null ? next : asked(next, page);
    },
  },
  asks: keysAsk,
  title: () => 'keys',
  command: () => ({ screen: 'keys' }),
  request: () => 'the API answers that with the keys themselves; edgescope keys prints fingerprints',
  sheet: ({ keys }) =>
    keys.items.length === 0 ? 'no key is listed' : keySheet(keys.items, listTold(keys, 'keys')),
  under: ({ keys }, view) => {
    const key = keys.items[view.cursor];
    return key ? plainLine(lineOf(key, keyRow, keyRow)) : null;
  },
  // A value is shown for ten seconds, and never copied from here.
  cell: ({ keys }, view) => listCell(keys.items[view.cursor]?.id),
};

function keysAsk({ keys, now }: State, _: KeysView): Subscription[] {
  const asking = pageAsked('keyList', keys, keys.request);
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
