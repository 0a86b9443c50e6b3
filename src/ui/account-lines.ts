import { VERDICTS } from '../domain/storage/storage-verdict.ts';
import type { AccountView } from '../state/account/account-views.ts';
import type { StorageEditView } from '../state/account/storage-model.ts';
import type { Loading } from '../state/list/place.ts';
import type { State } from '../state/model.ts';
import { sanitise } from '../text/sanitise.ts';
import { count } from '../text/units.ts';
import { textLine, wholeSeconds } from './row.ts';
import type { Badge, Look, ThemeSlot } from './theme.ts';

export function accountCrumb(view: AccountView): string {
  switch (view.kind) {
    case 'storage':
      return 'storage';
    case 'storageZone':
      return sanitise(view.zone.name, 'text', 40);
    case 'storageEdit':
      return view.undo === null ? 'edit' : 'undo';
    case 'keys':
      return 'keys';
  }
}

/** How the view on top stands, at the end of the title. */
export function accountBadge(state: State, view: AccountView): Badge {
  switch (view.kind) {
    case 'storage':
      return readingBadge(state, state.storage.loading, 'STORAGE');
    case 'keys':
      return readingBadge(state, state.keys.loading, 'KEYS');
    case 'storageZone':
      return readingBadge(state, view.loading, state.mayWrite ? 'WRITE' : 'READ-ONLY');
    case 'storageEdit':
      return editBadge(state, view);
  }
}

/** The second line: how much there is, and what may be done with it. */
export function accountLine(state: State, view: AccountView, look: Look): string {
  const paint = (text: string, slot: ThemeSlot = 'dim') =>
    textLine(` ${text}`, state.size.columns, look, slot);
  switch (view.kind) {
    case 'storage': {
      const { items, total, nextPage } = state.storage;
      const read = nextPage === null ? 'all read' : 'more on the way down';
      return paint(
        items.length === 0
          ? modeWords(state)
          : `${count(view.cursor + 1)} of ${count(total ?? items.length)} storage zones, ${read}; ${modeWords(state)}`,
      );
    }
    case 'keys': {
      const { items, total, nextPage } = state.keys;
      const more = nextPage === null ? '' : ', more on the way down';
      return paint(
        items.length === 0
          ? 'values are hidden'
          : `${count(view.cursor + 1)} of ${count(total ?? items.length)} keys${more}; values are hidden, r shows one`,
      );
    }
    case 'storageZone': {
      if (view.loading.kind === 'failed')
        return paint('it could not be read again: these settings are old', 'error');
      return paint(`* can be changed; ${modeWords(state)}`);
    }
    case 'storageEdit':
      return paint(`${sanitise(view.zone.name, 'text', 60)}: ${EDIT_WORDS[view.stage.kind]}`);
  }
}

const EDIT_WORDS: Record<StorageEditView['stage']['kind'], string> = {
  opening: 'read afresh before it is edited',
  unopened: 'it could not be read, so nothing can be edited',
  editing: 'Enter or Space changes a row, x takes a change back, p previews',
  preview: 'before, after, and the request; nothing is sent yet',
  confirming: 'type its name; pasted text does not count',
  writing: 'the change is under way',
  ended: 'how it ended',
};

function modeWords(state: State): string {
  return state.mayWrite ? 'this session may change settings' : 'read-only: start edgescope with --write';
}

function readingBadge(state: State, loading: Loading, word: string): Badge {
  switch (loading.kind) {
    case 'loading':
      return { text: `READING ${wholeSeconds(state.now - loading.since)}`, slot: 'quiet' };
    case 'failed':
      return { text: 'FAILED', slot: 'down' };
    case 'idle':
      return { text: word, slot: word === 'WRITE' ? 'warning' : 'dim' };
  }
}

function editBadge(state: State, view: StorageEditView): Badge {
  const { stage } = view;
  const { job } = state.storage;
  switch (stage.kind) {
    case 'opening':
      return { text: `READING ${wholeSeconds(state.now - stage.since)}`, slot: 'quiet' };
    case 'unopened':
      return { text: 'FAILED', slot: 'down' };
    case 'editing':
      return { text: 'EDITING', slot: 'warning' };
    case 'preview':
      return { text: 'PREVIEW', slot: 'warning' };
    case 'confirming':
      return { text: 'CONFIRM', slot: 'paused' };
    case 'writing':
      return job
        ? { text: `${job.step.toUpperCase()} ${wholeSeconds(state.now - job.since)}`, slot: 'paused' }
        : { text: '', slot: 'dim' };
    case 'ended':
      return endBadge(stage.end);
  }
}

function endBadge(end: Extract<StorageEditView['stage'], { kind: 'ended' }>['end']): Badge {
  if (end.kind !== 'verdict') return { text: 'NOTHING SENT', slot: 'error' };
  const { kind } = end.verdict;
  return {
    text: VERDICTS[kind],
    slot: kind === 'applied' ? 'success' : kind === 'sideEffects' ? 'warning' : 'down',
  };
}
