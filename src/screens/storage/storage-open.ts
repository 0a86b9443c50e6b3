import type { StorageZone } from '../../domain/storage/storage.ts';
import type { EditStage, StorageEditView } from '../../state/account-model.ts';
import type { State } from '../../state/model.ts';
import { backTo, pushed, topOf, withView } from '../../state/view-stack.ts';

/** Shows the storage zones: the list already in the stack, or a new one on top. */
export function openStorage(state: State): State {
  const back = backTo(state, 'storage');
  if (back) return back;
  const next = pushed(state, { kind: 'storage', cursor: 0, top: 0 });
  return next.storage.items.length > 0 ? next : listAsked(next, 1);
}

/** One zone's settings, read afresh: the list may be old. */
export function openStorageZone(state: State, zone: StorageZone): State {
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
export function openEdit(
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

/** Asks for a page of the list. */
export function listAsked(state: State, page: number): State {
  const [next, listRequest] = requestBegun(state);
  return {
    ...next,
    storage: { ...next.storage, listRequest, nextPage: page, loading: { kind: 'loading', since: state.now } },
  };
}

/** Begins a request of these screens: the state that counts it, and its number. */
export function requestBegun(state: State): [State, number] {
  const request = state.storage.request + 1;
  return [{ ...state, storage: { ...state.storage, request } }, request];
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
