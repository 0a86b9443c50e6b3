import type { StorageZone } from '../../domain/storage/storage.ts';
import type { EditStage, StorageEditView } from '../../state/account-model.ts';
import type { State } from '../../state/model.ts';
import { pushed, topOf, withView } from '../../state/view-stack.ts';

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
