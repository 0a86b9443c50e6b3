import type { Failure } from '../../domain/failure.ts';
import { findStorageZone, notFoundWords, type StorageZone } from '../../domain/storage/storage.ts';
import type { OpenIntent, Recorded, UndoEntry } from '../../domain/storage/storage-change.ts';
import { isEmptyPatch, patchOf, settingsOfZone } from '../../domain/storage/storage-edit.ts';
import { type Settlement, VERDICTS } from '../../domain/storage/storage-verdict.ts';
import type { CommandId } from '../../keys/bindings.ts';
import type { EditStage, ListView, StorageEditView, StorageZoneView } from '../../state/account-model.ts';
import { openList, pageAsked, pageRead, readingEnded } from '../../state/list/list-screen.ts';
import type { Message } from '../../state/messages.ts';
import { noticed, remarked, reported, type State } from '../../state/model.ts';
import { byCommand, type Commands } from '../../state/screen.ts';
import { nearestOf, pushed, topOf, withTop, withView } from '../../state/view-stack.ts';

const READ_ONLY = 'this session is read-only: start edgescope with --write';

export const STORAGE_COMMANDS: Commands<ListView<'storage'>> = {
  open: (state, { cursor }) => {
    const zone = state.storage.items[cursor];
    return zone ? openStorageZone(state, zone) : state;
  },
  leave: (state) => {
    const ended = readingEnded(state, 'storage');
    return ended && { ...ended, storage: { ...ended.storage, wanted: null } };
  },
};

export const storageZoneCommanded = byCommand<StorageZoneView>({
  open: settingEdited,
  editSettings: settingEdited,
  undoChange(state, view) {
    const [next, undoing] = requestBegun(state);
    return withTop(next, { ...view, undoing });
  },
  refresh(state, view) {
    const [next, request] = requestBegun(state);
    return withTop(next, { ...view, request, loading: { kind: 'loading', since: state.now } });
  },
  leave(state, view) {
    if (view.loading.kind !== 'loading' && view.undoing === null) return null;
    const ended = withTop(state, { ...view, loading: { kind: 'idle' }, undoing: null });
    return noticed(ended, 'info', 'cancelled: what is shown is as it was read before');
  },
});

function settingEdited(state: State, view: StorageZoneView, command: CommandId): State {
  const field = settingsOfZone(view.zone)[view.cursor]?.field ?? null;
  if (command === 'open' && field === null)
    return noticed(state, 'info', 'this setting cannot be changed here; E edits the four that can');
  return state.mayWrite ? openEdit(state, view.zone, { field }) : noticed(state, 'info', READ_ONLY);
}

export function storageArrived(state: State, message: Message<'listArrived'>): State {
  const next = pageRead(state, message);
  const wanted = next?.storage.wanted ?? null;
  return next === null || wanted === null ? (next ?? state) : lookedFor(next, wanted);
}

/** A zone was read for its settings; one read for an edit belongs to the edit. */
export function settingsRead(state: State, request: number, zone: StorageZone): State {
  return withZoneView(state, request, (view) => ({ ...view, zone, loading: { kind: 'idle' } }));
}

export function settingsFailed(state: State, request: number, failure: Failure): State {
  return withZoneView(state, request, (view) => ({ ...view, loading: { kind: 'failed', failure } }));
}

/** The newest undo file of the zone: an edit that reverts the change, or why there is none. */
export function undoFound(state: State, request: number, found: Recorded<UndoEntry | null>): State {
  const view = nearestOf(state.views, 'storageZone', ({ undoing }) => undoing === request);
  if (view === null) return state;
  const next = withView(state, view, { ...view, undoing: null });
  if (!found.ok) return reported(next, 'error', found.problem);
  const entry = found.value;
  if (entry === null) return reported(next, 'info', 'no change of this zone is recorded here');
  const draft = entry.inverse.patch;
  if (isEmptyPatch(draft)) {
    const why = entry.inverse.impossible.map(({ field, why: words }) => `${field}: ${words}`).join('; ');
    return reported(next, 'warning', `the last change cannot be undone. ${why}`);
  }
  if (isEmptyPatch(patchOf(view.zone, draft))) {
    return reported(next, 'info', 'the zone is as it was before the last change recorded here');
  }
  if (!state.mayWrite) {
    return reported(next, 'info', READ_ONLY);
  }
  return openEdit(next, view.zone, { draft, undo: { at: entry.at, inverse: entry.inverse } });
}

export function intentsFound(state: State, intents: readonly OpenIntent[]): State {
  if (intents.length === 0) return state;
  const names = [...new Set(intents.map((each) => each.zone.name))].join(', ');
  const what = intents.length === 1 ? 'a change' : `${intents.length} changes`;
  const text = `UNKNOWN: ${what} of ${names} was cut short; :storage, Enter there tells`;
  return remarked({ ...state, storage: { ...state.storage, intents } }, { tone: 'warning', remark: text });
}

export function intentSettled(state: State, intent: OpenIntent, settlement: Settlement | null): State {
  const time = new Date(intent.at).toISOString().slice(0, 16).replace('T', ' ');
  const name = `the change cut short on ${time}`;
  if (settlement === null) {
    const remark = `UNKNOWN: the zone or the undo file of ${name} cannot be read`;
    return remarked(state, { tone: 'warning', remark });
  }
  const { verdict, until } = settlement;
  if (until !== null) {
    const end = new Date(until).toISOString().slice(11, 19);
    const remark = `UNKNOWN until ${end}Z: ${name} may still be carried out`;
    return remarked(state, { tone: 'warning', remark });
  }
  const intents = state.storage.intents.filter((each) => each.id !== intent.id);
  const text = `${VERDICTS[verdict.kind]} by the zone as it is now: ${name}`;
  return remarked({ ...state, storage: { ...state.storage, intents } }, { tone: 'warning', remark: text });
}

/** The settings of a zone by its name: now where it is listed, else when its page comes; or why neither. */
export function storageNamed(state: State, word: string): State | { message: string; hint: string } {
  const { items, nextPage } = state.storage;
  const found = findStorageZone(items, word);
  const isWhole = items.length > 0 && nextPage === null;
  if (found.kind === 'ambiguous' || (found.kind === 'unknown' && isWhole)) {
    const names = found.names.join(', ');
    if (found.kind === 'ambiguous') return { message: 'several storage zones are called that', hint: names };
    return {
      message: 'no such storage zone',
      hint: names === '' ? ':storage lists them' : `nearest: ${names}`,
    };
  }
  const opened = openList(state, 'storage');
  const wanted: State = { ...opened, storage: { ...opened.storage, wanted: word } };
  if (items.length > 0) return lookedFor(wanted, word);
  return wanted.storage.loading.kind === 'loading' ? wanted : pageAsked(wanted, 'storage', 1);
}

function lookedFor(state: State, word: string): State {
  const { items, nextPage } = state.storage;
  const found = findStorageZone(items, word);
  // A name that is not on this page may be on the next.
  if (found.kind === 'unknown' && nextPage !== null) return pageAsked(state, 'storage', nextPage);
  const next = { ...state, storage: { ...state.storage, wanted: null } };
  if (found.kind === 'found') return openStorageZone(next, found.zone);
  const { own, names } = notFoundWords(word, found);
  return reported(next, 'warning', `${own}${names}`);
}

function withZoneView(
  state: State,
  request: number,
  change: (view: StorageZoneView) => StorageZoneView,
): State {
  const view = nearestOf(state.views, 'storageZone', (each) => each.request === request);
  return view ? withView(state, view, change(view)) : state;
}

/** One zone's settings, read afresh: the list may be old. */
function openStorageZone(state: State, zone: StorageZone): State {
  const [next, request] = requestBegun(state);
  return pushed(next, {
    kind: 'storageZone',
    cursor: 0,
    top: 0,
    zone,
    loading: { kind: 'loading', since: state.now },
    request,
    undoing: null,
  });
}

/** Starts an edit: the zone is read first, because an edit begins at what is there now. */
function openEdit(
  state: State,
  zone: StorageZone,
  more: Partial<Pick<StorageEditView, 'draft' | 'undo' | 'field'>>,
): State {
  const [next, request] = requestBegun(state);
  return pushed(next, {
    kind: 'storageEdit',
    cursor: 0,
    top: 0,
    zone,
    draft: {},
    stage: { kind: 'opening', request, since: state.now },
    field: null,
    refusal: null,
    undo: null,
    ...more,
  });
}

/** Begins a request of these screens: the state that counts it, and its number. */
export function requestBegun(state: State): [State, number] {
  const asked = state.storage.asked + 1;
  return [{ ...state, storage: { ...state.storage, asked } }, asked];
}

export function topEdit(state: State): StorageEditView | null {
  return topOf(state, 'storageEdit');
}

/** The edit on top at another stage. */
export function staged(state: State, view: StorageEditView, stage: EditStage): State {
  return withView(state, view, {
    ...view,
    stage,
    top: 0,
    cursor: stage.kind === 'editing' ? view.cursor : 0,
  });
}
