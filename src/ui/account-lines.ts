import { VERDICTS } from '../domain/storage/storage-verdict.ts';
import type {
  KeysView,
  StorageEditView,
  StorageView,
  StorageZoneView,
} from '../state/account/account-model.ts';
import type { Loading } from '../state/list/list.ts';
import type { State } from '../state/model.ts';
import { sanitise } from '../text/sanitise.ts';
import { count } from '../text/units.ts';
import { type Strip, textLine, wholeSeconds } from './row.ts';
import type { Words } from './theme.ts';

// Of each view its part of the way, how it stands, and the second line: how much there is, and what may be done with it.

export const STORAGE_LINES = {
  crumb: () => 'storage',
  badge: (state: State) => readingBadge(state, state.storage.loading, 'STORAGE'),
  head: (state: State, { cursor }: StorageView, strip: Strip) => {
    const { items, total, nextPage } = state.storage;
    const read = nextPage === null ? 'all read' : 'more on the way down';
    const place = `${count(cursor + 1)} of ${count(total ?? items.length)} storage zones, ${read}; `;
    return textLine(` ${items.length === 0 ? '' : place}${modeWords(state)}`, strip, 'dim');
  },
} as const;

export const KEYS_LINES = {
  crumb: () => 'keys',
  badge: (state: State) => readingBadge(state, state.keys.loading, 'KEYS'),
  head: (state: State, { cursor }: KeysView, strip: Strip) => {
    const { items, total, nextPage } = state.keys;
    const more = nextPage === null ? '' : ', more on the way down';
    const place = `${count(cursor + 1)} of ${count(total ?? items.length)} keys${more}; `;
    const words = items.length === 0 ? 'values are hidden' : `${place}values are hidden, r shows one`;
    return textLine(` ${words}`, strip, 'dim');
  },
} as const;

export const STORAGE_ZONE_LINES = {
  crumb: (_: State, { zone }: StorageZoneView) => sanitise(zone.name, 'text', 40),
  badge: (state: State, { loading }: StorageZoneView) =>
    readingBadge(state, loading, state.mayWrite ? 'WRITE' : 'READ-ONLY'),
  head: (state: State, { loading }: StorageZoneView, strip: Strip) =>
    loading.kind === 'failed'
      ? textLine(' it could not be read again: these settings are old', strip, 'error')
      : textLine(` * can be changed; ${modeWords(state)}`, strip, 'dim'),
} as const;

export const STORAGE_EDIT_LINES = {
  crumb: (_: State, { undo }: StorageEditView) => (undo === null ? 'edit' : 'undo'),
  badge: (state: State, { stage }: StorageEditView) =>
    EDIT_STAGES[stage.kind].badge ?? changeBadge(state, stage),
  head: (_: State, { zone, stage }: StorageEditView, strip: Strip) =>
    textLine(` ${sanitise(zone.name, 'text', 60)}: ${EDIT_STAGES[stage.kind].words}`, strip, 'dim'),
} as const;

type Stage = StorageEditView['stage'];

const FAILED: Words = { text: 'FAILED', slot: 'down' };

/** Without a badge where it tells more than the stage: see `changeBadge`. */
const EDIT_STAGES: Record<Stage['kind'], { words: string; badge?: Words }> = {
  opening: { words: 'read afresh before it is edited' },
  unopened: { words: 'it could not be read, so nothing can be edited', badge: FAILED },
  editing: {
    words: 'Enter or Space changes a row, x takes a change back, P previews',
    badge: { text: 'EDITING', slot: 'warning' },
  },
  preview: {
    words: 'before, after, and the request; nothing is sent yet',
    badge: { text: 'PREVIEW', slot: 'warning' },
  },
  confirming: {
    words: 'type its name; pasted text does not count',
    badge: { text: 'CONFIRM', slot: 'paused' },
  },
  writing: { words: 'the change is under way' },
  ended: { words: 'how it ended' },
};

function modeWords(state: State): string {
  return state.mayWrite ? 'this session may change settings' : 'read-only: start edgescope with --write';
}

function readingBadge(state: State, loading: Loading, word: string): Words {
  if (loading.kind === 'loading') return sinceBadge(state, loading.since);
  return loading.kind === 'failed' ? FAILED : { text: word, slot: word === 'WRITE' ? 'warning' : 'dim' };
}

function sinceBadge(state: State, since: number): Words {
  return { text: `READING ${wholeSeconds(state.now - since)}`, slot: 'quiet' };
}

function changeBadge(state: State, stage: Stage): Words {
  const { job } = state.storage;
  if (stage.kind === 'opening') return sinceBadge(state, stage.since);
  if (stage.kind === 'writing' && job)
    return { text: `${job.step.toUpperCase()} ${wholeSeconds(state.now - job.since)}`, slot: 'paused' };
  if (stage.kind !== 'ended') return { text: '', slot: 'dim' };
  if (stage.end.kind !== 'verdict') return { text: 'NOTHING SENT', slot: 'error' };
  const { kind } = stage.end.verdict;
  return {
    text: VERDICTS[kind],
    slot: kind === 'applied' ? 'success' : kind === 'sideEffects' ? 'warning' : 'down',
  };
}
