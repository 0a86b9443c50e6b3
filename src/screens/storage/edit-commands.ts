import type { Failure } from '../../domain/failure.ts';
import { fieldOf } from '../../domain/query/text-field.ts';
import type { StorageZone } from '../../domain/storage/storage.ts';
import type { ChangeEnd, ChangeStep } from '../../domain/storage/storage-change.ts';
import {
  addedRegions,
  isEmptyPatch,
  issuesOf,
  offeredRegions,
  patchOf,
  regionCodes,
  STORAGE_FIELD_NAMES,
  type StorageDraft,
  type StorageField,
} from '../../domain/storage/storage-edit.ts';
import { VERDICTS } from '../../domain/storage/storage-verdict.ts';
import type { CommandId } from '../../keys/bindings.ts';
import type { StorageEditView, StorageZoneView } from '../../state/account-model.ts';
import type { Acted, Done } from '../../state/messages.ts';
import { type Notice, noticed, type Prompt, reported, type State } from '../../state/model.ts';
import { mistaken, promptOf } from '../../state/prompt.ts';
import { ONE_STROKE, type PromptKind } from '../../state/prompt-kind.ts';
import { nearestOf, withEach, withTop, withView } from '../../state/view-stack.ts';
import { requestBegun, staged, topEdit } from './storage-commands.ts';
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
    fieldOfRow(row) === view.field && (row.kind !== 'region' || row.standing === 'offered');
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
  const field = fieldOfRow(row);
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

function fieldOfRow(row: EditRow): StorageField | null {
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

/** An Enter this soon after the dialog appeared, ms, was meant for something else. */
const TYPED_AHEAD = 500;

/** An Enter this close behind a letter, ms, came in one read with it: a paste, or keys typed ahead. */
const ONE_READ = 50;

const TYPE_AGAIN = "Ctrl-u, then type the zone's name";

/**
 * The name was edited: an Enter in the same read will not count, and letters that come together count as one stroke.
 */
export function confirmTyped(state: State, text: string): State {
  const view = topEdit(state);
  if (view?.stage.kind !== 'confirming') return state;
  const { typedAt, strokes } = view.stage;
  const isStroke = state.now - typedAt >= ONE_STROKE;
  const told = text === '' ? 0 : strokes + (isStroke ? 1 : 0);
  return withTop(state, { ...view, stage: { ...view.stage, typedAt: state.now, strokes: told } });
}

/**
 * A paste into the dialog is ignored: it may hold the name and the Enter, from anywhere. What was typed before goes,
 * too, because text behind a forged end of a paste looks typed.
 */
export function pasteRefused(state: State, prompt: Prompt): State {
  const emptied = { ...prompt, field: fieldOf('') };
  const asked = mistaken(state, emptied, 'pasted text does not count', "type the zone's name");
  const view = topEdit(asked);
  if (view?.stage.kind !== 'confirming') return asked;
  const { now } = state;
  return withTop(asked, { ...view, stage: { ...view.stage, shownAt: now, typedAt: now, strokes: 0 } });
}

/** Enter in the dialog. Only the zone's name, typed while the dialog was readable, starts the change. */
export function confirmSubmitted(state: State, prompt: Prompt): State {
  const view = topEdit(state);
  if (view?.stage.kind !== 'confirming') return { ...state, prompt: null };
  const { shownAt, typedAt, strokes } = view.stage;
  if (state.now - shownAt < TYPED_AHEAD || state.now - typedAt < ONE_READ) {
    return mistaken(state, prompt, 'that Enter came too soon to count', 'press Enter again');
  }
  if (prompt.field.text !== view.zone.name) {
    return mistaken(state, prompt, 'that is not its name; nothing was sent', 'Esc goes back');
  }
  // A slow link delivers two or three letters at once, a paste without its marks the whole name.
  if (strokes < [...view.zone.name].length / 2) {
    return mistaken(state, prompt, 'that was faster than anyone types: not accepted', TYPE_AGAIN);
  }
  if (!state.mayWrite || state.storage.job) {
    return mistaken(state, prompt, 'nothing was sent: this session may not write now', 'Esc goes back');
  }
  const [next, request] = requestBegun({ ...state, prompt: null });
  const change = { zone: view.zone, patch: patchOf(view.zone, view.draft) };
  const job = { request, change, step: 'checking' as const, since: state.now };
  return staged({ ...next, storage: { ...next.storage, job } }, view, { kind: 'writing', request });
}

/** Esc in the dialog: back to the preview. */
export function confirmCancelled(state: State): State {
  const view = topEdit(state);
  return view?.stage.kind === 'confirming' ? staged(state, view, { kind: 'preview' }) : state;
}

export function changeStepped(state: State, request: number, step: ChangeStep): State {
  const { job } = state.storage;
  if (job?.request !== request) return state;
  return { ...state, storage: { ...state.storage, job: { ...job, step, since: state.now } } };
}

/** How the change ended, in the view that waits for it, or as a notice where that view is gone. */
export function changeEnded(state: State, request: number, end: ChangeEnd): State {
  const { job } = state.storage;
  if (job?.request !== request) return state;
  const open = end.kind === 'verdict' && end.open !== null ? [end.open] : [];
  const intents = [...state.storage.intents, ...open];
  const settled = refreshed({ ...state, storage: { ...state.storage, job: null, intents } }, end);
  const view = nearestOf(
    [...settled.parked, ...settled.views],
    'storageEdit',
    ({ stage }) => stage.kind === 'writing' && stage.request === request,
  );
  const next = view
    ? withView(settled, view, { ...view, stage: { kind: 'ended', end }, top: 0, refusal: refusalOf(end) })
    : settled;
  if (view !== null && topEdit(next) !== null) return next;
  const { tone, text } = endNotice(job.change.zone.name, end);
  return reported(next, tone, text);
}

/** What keys do while a change runs or has ended; null = the view does not handle it. */
export function changeCommanded(state: State, view: StorageEditView, command: CommandId): Acted {
  const { stage } = view;
  const isLeaving = command === 'leave' || command === 'back';
  const scrolled = pageScrolled(state, view, command);
  if (scrolled !== null) return withTop(state, scrolled);
  if (stage.kind === 'opening' || stage.kind === 'unopened') {
    if (command === 'refresh' && stage.kind === 'unopened') {
      const [next, request] = requestBegun(state);
      return staged(next, view, { kind: 'opening', request, since: state.now });
    }
    return isLeaving ? { ...state, views: state.views.slice(0, -1) } : null;
  }
  if (stage.kind === 'writing') return isLeaving ? hurried(state, view) : null;
  if (stage.kind !== 'ended') return null;
  if (!isLeaving && command !== 'open') return null;
  return afterEnd(state, view, stage.end);
}

/** Esc on a change under way: before it is sent it is called off, after that only the read-back is cut short. */
function hurried(state: State, view: StorageEditView): Done {
  const { job } = state.storage;
  switch (job?.step) {
    case 'checking': {
      const next = { ...state, storage: { ...state.storage, job: null } };
      return noticed(staged(next, view, { kind: 'preview' }), 'info', 'cancelled: nothing was sent');
    }
    case 'posting':
      return noticed(state, 'warning', 'the request is sent and cannot be recalled; it ends within 20 s');
    case 'verifying':
      return [state, [{ type: 'stopLooking', request: job.request }]];
    default:
      return staged(state, view, { kind: 'preview' });
  }
}

/** What follows an end: a verdict leads to the settings, or to the form where something has to be corrected. */
function afterEnd(state: State, view: StorageEditView, end: ChangeEnd): State {
  switch (end.kind) {
    case 'drift':
      return withTop(state, { ...view, zone: end.now, stage: { kind: 'editing' }, top: 0 });
    case 'verdict':
      if (end.verdict.kind !== 'notApplied') return { ...state, views: state.views.slice(0, -1) };
      return withTop(state, { ...view, zone: end.after ?? view.zone, stage: { kind: 'editing' }, top: 0 });
    default:
      return staged(state, view, { kind: 'preview' });
  }
}

/** What was read on the way is the newest known of the zone. */
function refreshed(state: State, end: ChangeEnd): State {
  const zone = end.kind === 'verdict' ? end.after : end.kind === 'drift' ? end.now : null;
  if (zone === null) return state;
  const items = state.storage.items.map((each) => (each.id === zone.id ? zone : each));
  const shown = (view: StorageZoneView) => (view.zone.id === zone.id ? { ...view, zone } : view);
  return {
    ...state,
    storage: { ...state.storage, items },
    views: withEach(state.views, 'storageZone', shown),
  };
}

function refusalOf(end: ChangeEnd): StorageEditView['refusal'] {
  const failure = end.kind === 'verdict' ? end.verdict.failure : null;
  if (failure === null || failure.status === null) return null;
  const field = STORAGE_FIELD_NAMES.find((each: StorageField) => each === failure.field) ?? null;
  const key = failure.errorKey === undefined ? '' : ` (${failure.errorKey})`;
  return { field, message: `${failure.detail || failure.kind}${key}` };
}

function endNotice(name: string, end: ChangeEnd): Notice {
  switch (end.kind) {
    case 'verdict':
      return {
        tone: end.verdict.kind === 'applied' ? 'info' : 'error',
        text: `${name}: ${VERDICTS[end.verdict.kind]}`,
      };
    case 'drift':
      return { tone: 'error', text: `${name}: it was changed by somebody else meanwhile; nothing was sent` };
    case 'unread':
      return { tone: 'error', text: `${name}: it could not be read again; nothing was sent` };
    case 'unrecorded':
      return { tone: 'error', text: `${name}: nothing was sent. ${end.problem}` };
    case 'cancelled':
      return { tone: 'info', text: `${name}: cancelled; nothing was sent` };
  }
}
