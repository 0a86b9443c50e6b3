import type { Action } from '../messages.ts';
import type { State } from '../model.ts';
import { keysArrived, keysFailed, revealRecorded } from './keys.ts';
import {
  intentSettled,
  intentsFound,
  settingsFailed,
  settingsRead,
  storageArrived,
  storageFailed,
  undoFound,
} from './storage.ts';
import { changeEnded, changeStepped } from './storage-change.ts';
import { editFailed, editOpened } from './storage-edit.ts';

export type AccountAction = Extract<
  Action,
  {
    type:
      | 'storageArrived'
      | 'storageFailed'
      | 'storageZoneRead'
      | 'storageZoneFailed'
      | 'undoFound'
      | 'changeStepped'
      | 'changeEnded'
      | 'intentsFound'
      | 'intentSettled'
      | 'keysArrived'
      | 'keysFailed'
      | 'revealRecorded';
  }
>;

/** What came back from the platform and from the journal for the screens of storage zones and keys. */
export function accountTold(state: State, action: AccountAction): State {
  switch (action.type) {
    case 'storageArrived':
      return storageArrived(state, action.request, action.page);
    case 'storageFailed':
      return storageFailed(state, action.request, action.failure);
    case 'storageZoneRead': {
      // A request number belongs to one view: the settings, or the edit that begins.
      const { request, zone } = action;
      return editOpened(settingsRead(state, request, zone), request, zone);
    }
    case 'storageZoneFailed': {
      const { request, failure } = action;
      return editFailed(settingsFailed(state, request, failure), request, failure);
    }
    case 'undoFound':
      return undoFound(state, action.request, action.found);
    case 'changeStepped':
      return changeStepped(state, action.request, action.step);
    case 'changeEnded':
      return changeEnded(state, action.request, action.end);
    case 'intentsFound':
      return intentsFound(state, action.intents);
    case 'intentSettled':
      return intentSettled(state, action.intent, action.settlement);
    case 'keysArrived':
      return keysArrived(state, action.request, action.page);
    case 'keysFailed':
      return keysFailed(state, action.request, action.failure);
    case 'revealRecorded':
      return revealRecorded(state, action.request, action.recorded);
  }
}
