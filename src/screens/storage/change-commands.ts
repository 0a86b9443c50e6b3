import { fieldOf } from '../../domain/query/text-field.ts';
import type { ChangeEnd, ChangeStep } from '../../domain/storage/storage-change.ts';
import { patchOf, STORAGE_FIELD_NAMES, type StorageField } from '../../domain/storage/storage-edit.ts';
import { VERDICTS } from '../../domain/storage/storage-verdict.ts';
import type { CommandId } from '../../keys/bindings.ts';
import type { StorageEditView, StorageZoneView } from '../../state/account-model.ts';
import type { Acted, Done } from '../../state/messages.ts';
import { type Notice, noticed, type Prompt, reported, type State } from '../../state/model.ts';
import { mistaken } from '../../state/prompt.ts';
import { ONE_STROKE } from '../../state/prompt-kind.ts';
import { nearestOf, withEach, withTop, withView } from '../../state/view-stack.ts';
import { requestBegun, staged, topEdit } from './storage-open.ts';
import { pageScrolled } from './storage-page.ts';

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
