import type { StorageEditView, StorageView, StorageZoneView } from '../../state/account-model.ts';
import { pageAsked } from '../../state/list/paged.ts';
import type { Subscription } from '../../state/messages.ts';
import type { State } from '../../state/model.ts';
import { topView } from '../../state/view-stack.ts';

// What the screens of storage zones and keys wait for: a read belongs to a view on the way to the screen and ends with it.

export function storageAsks({ storage }: State, _: StorageView): Subscription[] {
  return pageAsked('storageList', storage, storage.listRequest);
}

export function storageZoneAsks(state: State, view: StorageZoneView): Subscription[] {
  const { id } = view.zone;
  const { loading, request, undoing } = view;
  const intent =
    topView(state) === view ? state.storage.intents.find(({ zone }) => zone.id === id) : undefined;
  return [
    ...(loading.kind === 'loading' ? [zoneRead(request, id)] : []),
    ...(undoing !== null
      ? [{ kind: 'storageUndo' as const, key: `undo ${undoing}`, request: undoing, id }]
      : []),
    ...(intent ? [{ kind: 'storageIntent' as const, key: `intent ${intent.id}`, intent }] : []),
  ];
}

export function storageEditAsks(_: State, { stage, zone }: StorageEditView): Subscription[] {
  return stage.kind === 'opening' ? [zoneRead(stage.request, zone.id)] : [];
}

/** A confirmed change belongs to nobody's screen and goes on until it has its verdict. */
export function changeUnderWay({ storage: { job } }: State): Subscription[] {
  if (job === null) return [];
  const { request, change } = job;
  return [{ kind: 'storageChange', key: `storage change ${request}`, request, change }];
}

function zoneRead(request: number, id: string): Subscription {
  return { kind: 'storageZone', key: `storage zone ${id} ${request}`, request, id };
}
