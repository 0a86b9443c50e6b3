import { VERDICTS } from '../../../domain/storage/storage-verdict.ts';
import { LIST_PAINTING, type Painting } from '../../../paint/painting.ts';
import {
  FAILED_BADGE,
  readingBadge,
  type Strip,
  sinceBadge,
  textLine,
  wholeSeconds,
} from '../../../paint/row.ts';
import type { Words } from '../../../paint/theme.ts';
import type { StorageEditView, StorageView, StorageZoneView } from '../../../state/account-model.ts';
import type { State } from '../../../state/model.ts';
import { sanitise } from '../../../text/sanitise.ts';
import { count } from '../../../text/units.ts';
import { storageBody } from './storage-body.ts';
import { storageChangeBody, storageEditBody } from './storage-edit-body.ts';

// Of each view its part of the way, how it stands, and the second line: how much there is, and what may be done with it.

export const STORAGE_PAINTING = {
  ...LIST_PAINTING,
  body: storageBody,
  crumb: () => 'storage',
  badge: (state: State) => readingBadge(state, state.storage.loading, 'STORAGE'),
  head: (state: State, { cursor }: StorageView, strip: Strip) => {
    const { items, total, nextPage } = state.storage;
    const read = nextPage === null ? 'all read' : 'more on the way down';
    const place = `${count(cursor + 1)} of ${count(total ?? items.length)} storage zones, ${read}; `;
    return textLine(` ${items.length === 0 ? '' : place}${modeWords(state)}`, strip, 'dim');
  },
} as const satisfies Painting<StorageView>;

export const STORAGE_ZONE_PAINTING = {
  ...LIST_PAINTING,
  body: null,
  crumb: (_: State, { zone }: StorageZoneView) => sanitise(zone.name, 'text', 40),
  badge: (state: State, { loading }: StorageZoneView) =>
    readingBadge(state, loading, state.mayWrite ? 'WRITE' : 'READ-ONLY'),
  head: (state: State, { loading }: StorageZoneView, strip: Strip) =>
    loading.kind === 'failed'
      ? textLine(' it could not be read again: these settings are old', strip, 'error')
      : textLine(` * can be changed; ${modeWords(state)}`, strip, 'dim'),
} as const satisfies Painting<StorageZoneView>;

export const STORAGE_EDIT_PAINTING = {
  ...LIST_PAINTING,
  body: (state, view, area) =>
    (view.stage.kind === 'editing' ? storageEditBody : storageChangeBody)(state, view, area),
  crumb: (_: State, { undo }: StorageEditView) => (undo === null ? 'edit' : 'undo'),
  badge: (state: State, { stage }: StorageEditView) =>
    EDIT_STAGES[stage.kind].badge ?? changeBadge(state, stage),
  head: (_: State, { zone, stage }: StorageEditView, strip: Strip) =>
    textLine(` ${sanitise(zone.name, 'text', 60)}: ${EDIT_STAGES[stage.kind].words}`, strip, 'dim'),
} as const satisfies Painting<StorageEditView>;

type Stage = StorageEditView['stage'];

/** Without a badge where it tells more than the stage: see `changeBadge`. */
const EDIT_STAGES: Record<Stage['kind'], { words: string; badge?: Words }> = {
  opening: { words: 'read afresh before it is edited' },
  unopened: { words: 'it could not be read, so nothing can be edited', badge: FAILED_BADGE },
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
