import type { Failure } from '../../domain/failure.ts';
import type { StorageZone } from '../../domain/storage/storage.ts';
import {
  addedRegions,
  isEmptyPatch,
  issuesOf,
  offeredRegions,
  patchOf,
  regionCodes,
  type StorageDraft,
  type StorageField,
} from '../../domain/storage/storage-edit.ts';
import type { CommandId } from '../../keys/bindings.ts';
import type { StorageEditView } from '../../state/account-model.ts';
import { noticed, type Prompt, type State } from '../../state/model.ts';
import { mistaken, promptOf } from '../../state/prompt.ts';
import type { PromptKind } from '../../state/prompt-kind.ts';
import { nearestOf, withTop, withView } from '../../state/view-stack.ts';
import { staged, topEdit } from './storage-open.ts';
import { pageScrolled } from './storage-page.ts';

/** `standing`: what a region is to the zone. */
type RegionRow = { kind: 'region'; code: string; standing: 'main' | 'replica' | 'added' | 'offered' };

/** A row of the form. */
export type EditRow =
  | { kind: 'field'; field: Exclude<StorageField, 'ReplicationZones'> }
  | RegionRow
  | { kind: 'otherRegion' }
  | { kind: 'preview' };

/** The prompt that edits a field as a line of text. */
const FIELD_PROMPTS = { OriginUrl: 'originUrl', Custom404FilePath: 'notFoundPath' } as const;
const FIELD_OF: Partial<Record<PromptKind, StorageField>> = {
  originUrl: 'OriginUrl',
  notFoundPath: 'Custom404FilePath',
  regions: 'ReplicationZones',
};

/** The rows of the form: the fields, then every region that the zone has or may get. */
export function editRows(view: StorageEditView): EditRow[] {
  const { zone, draft } = view;
  const added = addedRegions(zone, draft);
  const offered = offeredRegions(zone);
  const region = (code: string, standing: RegionRow['standing']) =>
    ({ kind: 'region', code, standing }) as const;
  return [
    { kind: 'field', field: 'Rewrite404To200' },
    { kind: 'field', field: 'Custom404FilePath' },
    { kind: 'field', field: 'OriginUrl' },
    ...(zone.region === '' ? [] : [region(zone.region, 'main')]),
    ...zone.replicationRegions.map((code) => region(code, 'replica')),
    ...added.filter((code) => !offered.includes(code)).map((code) => region(code, 'added')),
    ...offered.map((code) => region(code, added.includes(code) ? 'added' : 'offered')),
    { kind: 'otherRegion' },
    { kind: 'preview' },
  ];
}

/** What keys do in the form and in the preview; null = the view does not handle it. */
export function editingCommanded(state: State, view: StorageEditView, command: CommandId): State | null {
  const rows = editRows(view);
  if (view.stage.kind === 'preview') return previewCommanded(state, view, command);
  const row = rows[view.cursor];
  switch (command) {
    case 'open':
      return row ? opened(state, view, row) : state;
    case 'pause':
      return row?.kind === 'preview' || !row ? state : opened(state, view, row);
    case 'dropFilter':
      return row ? dropped(state, view, row) : state;
    case 'previewChange':
      return previewed(state, view);
    case 'leave':
    case 'back':
      return left(state, view);
    default:
      return null;
  }
}

/**
 * The zone was read for this edit, which begins at what is there now; one that reverts a change begins at the
 * preview.
 */
export function editOpened(state: State, request: number, zone: StorageZone): State {
  const view = openingOf(state, request);
  if (!view) return state;
  const next: StorageEditView = { ...view, zone };
  const isFirst = (row: EditRow) =>
    fieldOf(row) === view.field && (row.kind !== 'region' || row.standing === 'offered');
  const at = editRows(next).findIndex(isFirst);
  const placed = { ...next, cursor: Math.max(0, at) };
  const kind = view.undo === null || isEmptyPatch(patchOf(zone, view.draft)) ? 'editing' : 'preview';
  return withView(state, view, { ...placed, stage: { kind } });
}

export function editFailed(state: State, request: number, failure: Failure): State {
  const view = openingOf(state, request);
  if (!view) return state;
  return withView(state, view, { ...view, stage: { kind: 'unopened', failure } });
}

/** Enter on a text line of the form; null = another line. An invalid value stays. */
export function formLineSubmitted(state: State, prompt: Prompt): State {
  const field = FIELD_OF[prompt.kind];
  const view = topEdit(state);
  if (field === undefined || view === null) return { ...state, prompt: null };
  const text = prompt.field.text.trim();
  const codes = [...new Set([...addedRegions(view.zone, view.draft), ...regionCodes(text)])];
  const draft = field === 'ReplicationZones' ? regionsSet(view.draft, codes) : withText(view, field, text);
  const issue = issuesOf(view.zone, draft).find((each) => each.field === field && each.severity === 'error');
  if (issue) return mistaken(state, prompt, issue.message, 'nothing was sent', text);
  return withDraft({ ...state, prompt: null }, view, draft, field);
}

/** The draft is checked as a whole; an unchanged or wrong one goes no further. */
function previewed(state: State, view: StorageEditView): State {
  const issues = issuesOf(view.zone, view.draft);
  const wrong = issues.find((issue) => issue.severity === 'error');
  if (wrong) return noticed(state, 'warning', `${wrong.field}: ${wrong.message}`);
  if (isEmptyPatch(patchOf(view.zone, view.draft))) {
    return noticed(state, 'info', 'nothing is changed yet, so there is nothing to send');
  }
  return staged(state, view, { kind: 'preview' });
}

function previewCommanded(state: State, view: StorageEditView, command: CommandId): State | null {
  const scrolled = pageScrolled(state, view, command);
  if (scrolled !== null) return withTop(state, scrolled);
  switch (command) {
    case 'open':
      return confirming(state, view);
    case 'leave':
    case 'back':
      return staged(state, view, { kind: 'editing' });
    default:
      return null;
  }
}

/** Opens the dialog that asks for the zone's name; there is one change at a time. */
function confirming(state: State, view: StorageEditView): State {
  if (isEmptyPatch(patchOf(view.zone, view.draft))) {
    return noticed(state, 'info', 'nothing is changed, so there is nothing to send');
  }
  if (state.storage.job) {
    return noticed(
      state,
      'warning',
      `a change of ${state.storage.job.change.zone.name} is under way; wait for its verdict`,
    );
  }
  const now = state.now;
  const dialog = staged(state, view, { kind: 'confirming', shownAt: now, typedAt: now, strokes: 0 });
  return { ...dialog, prompt: promptOf('confirmZone', '') };
}

function opened(state: State, view: StorageEditView, row: EditRow): State {
  switch (row.kind) {
    case 'preview':
      return previewed(state, view);
    case 'otherRegion':
      return asked(state, 'regions', '');
    case 'region':
      return toggledRegion(state, view, row);
    case 'field':
      if (row.field === 'Rewrite404To200') {
        const wanted = !(view.draft.Rewrite404To200 ?? view.zone.rewrite404To200);
        return withDraft(state, view, { ...view.draft, Rewrite404To200: wanted }, row.field);
      }
      return asked(
        state,
        FIELD_PROMPTS[row.field],
        view.draft[row.field] ?? (row.field === 'OriginUrl' ? '' : (view.zone.custom404FilePath ?? '')),
      );
  }
}

function toggledRegion(state: State, view: StorageEditView, row: RegionRow): State {
  if (row.standing === 'main') return noticed(state, 'info', `${row.code} is the main region; it stays`);
  if (row.standing === 'replica') {
    return noticed(state, 'info', `${row.code} is a replica: a region can never be removed`);
  }
  const codes = addedRegions(view.zone, view.draft);
  const next = codes.includes(row.code) ? codes.filter((code) => code !== row.code) : [...codes, row.code];
  return withDraft(state, view, regionsSet(view.draft, next), 'ReplicationZones');
}

/** `x`: the row as the zone has it. */
function dropped(state: State, view: StorageEditView, row: EditRow): State {
  const field = fieldOf(row);
  if (field === null) return noticed(state, 'info', 'this row has no change to drop');
  if (row.kind === 'region') {
    return row.standing === 'added'
      ? toggledRegion(state, view, row)
      : noticed(state, 'info', 'this row has no change to drop');
  }
  const { [field]: _gone, ...draft } = view.draft;
  return withDraft(state, view, draft, field);
}

/** Esc: back to the settings; a notice says that the draft is dropped. */
function left(state: State, view: StorageEditView): State {
  const next = { ...state, views: state.views.slice(0, -1) };
  const count = Object.keys(patchOf(view.zone, view.draft)).length;
  return count === 0 ? next : noticed(next, 'info', `the edit is dropped; nothing was sent`);
}

function regionsSet(draft: StorageDraft, codes: readonly string[]): StorageDraft {
  const { ReplicationZones: _before, ...rest } = draft;
  return codes.length === 0 ? rest : { ...rest, ReplicationZones: codes };
}

/** A line left empty where nothing is set or known changes nothing. */
function withText(view: StorageEditView, field: StorageField, text: string): StorageDraft {
  const { [field]: _before, ...rest } = view.draft;
  const isNothing =
    text === '' &&
    (field === 'OriginUrl' || (field === 'Custom404FilePath' && view.zone.custom404FilePath === null));
  return isNothing ? rest : { ...rest, [field]: text };
}

function withDraft(state: State, view: StorageEditView, draft: StorageDraft, field: StorageField): State {
  const refusal = view.refusal?.field === field ? null : view.refusal;
  return withTop(state, { ...view, draft, refusal });
}

function fieldOf(row: EditRow): StorageField | null {
  if (row.kind === 'field') return row.field;
  return row.kind === 'region' ? 'ReplicationZones' : null;
}

function openingOf(state: State, request: number): StorageEditView | null {
  return nearestOf(
    state.views,
    'storageEdit',
    ({ stage }) => stage.kind === 'opening' && stage.request === request,
  );
}

function asked(state: State, kind: PromptKind, text: string): State {
  return { ...state, prompt: promptOf(kind, text) };
}
