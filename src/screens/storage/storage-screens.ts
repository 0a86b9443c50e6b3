import { lineOf, storageSheet } from '../../domain/handover/sheet.ts';
import { storageObject, storageRow } from '../../domain/handover/storage-shapes.ts';
import { idSegment } from '../../domain/handover/wire-request.ts';
import type { StorageZone } from '../../domain/storage/storage.ts';
import { settingsOfZone } from '../../domain/storage/storage-edit.ts';
import type { ListView, StorageEditView, StorageZoneView } from '../../state/account-model.ts';
import { listCell, listScreen, plainLine } from '../../state/list/list-screen.ts';
import type { Subscription } from '../../state/messages.ts';
import type { State } from '../../state/model.ts';
import type { Screen, Shown } from '../../state/screen.ts';
import { topView } from '../../state/view-stack.ts';
import { changeCommanded, editingCommanded, editRows } from './edit-commands.ts';
import { STORAGE_COMMANDS, storageArrived, storageZoneCommanded } from './storage-commands.ts';

type OneZone = StorageZoneView | StorageEditView;

export const STORAGE_SCREEN: Screen<ListView<'storage'>> = {
  ...listScreen('storage', { sheet: storageSheet, commands: STORAGE_COMMANDS }),
  arrived: storageArrived,
  panel: ({ storage }, { cursor }) => panelOf(storage.items[cursor]),
};

const OF_ZONE = {
  panel: (_: State, { zone }: OneZone) => panelOf(zone),
  title: (_: State, { zone }: OneZone) => `storage ${zone.name}`,
  command: (_: State, { zone }: OneZone) => ({ screen: 'storage', storageZone: zone.id }) as const,
  request: ({ handover: { urls } }: State, { zone }: OneZone): ReturnType<Screen<OneZone>['request']> => {
    const id = idSegment(zone.id);
    if (id === null) return 'the zone has no id that a request could name';
    return { request: { method: 'GET', url: `${urls.base}/storagezone/${id}` }, remark: '' };
  },
  sheet: (_: State, { zone }: OneZone) => storageSheet([zone]),
  under: (_: State, { zone }: OneZone) => plainLine(zoneLine(zone)),
  cell: (_: State, { zone, cursor }: OneZone) => listCell(settingsOfZone(zone)[cursor]?.value),
} as const;

export const STORAGE_ZONE_SCREEN: Screen<StorageZoneView> = {
  ...OF_ZONE,
  commands: storageZoneCommanded,
  list: { length: (_, { zone }) => settingsOfZone(zone).length },
  asks: storageZoneAsks,
};

export const STORAGE_EDIT_SCREEN: Screen<StorageEditView> = {
  ...OF_ZONE,
  place: ({ stage }) => (stage.kind === 'editing' ? 'storageEdit' : 'storageChange'),
  asks: storageEditAsks,
  // What follows the form is a page of text.
  list: { length: (_, view) => (view.stage.kind === 'editing' ? editRows(view).length : null) },
  commands: (state, view, command) =>
    view.stage.kind === 'editing' || view.stage.kind === 'preview'
      ? editingCommanded(state, view, command)
      : changeCommanded(state, view, command),
};

function panelOf(zone: StorageZone | undefined): Shown | string {
  return zone ? { thing: { id: zone.id }, pages: ['storage'] } : 'no storage zone is listed yet';
}

function zoneLine(zone: StorageZone) {
  return lineOf(zone, storageObject, storageRow);
}

function storageZoneAsks(state: State, view: StorageZoneView): Subscription[] {
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

function storageEditAsks(_: State, { stage, zone }: StorageEditView): Subscription[] {
  return stage.kind === 'opening' ? [zoneRead(stage.request, zone.id)] : [];
}

/** A confirmed change belongs to no view and goes on until its verdict. */
export function changeUnderWay({ storage: { job } }: State): Subscription[] {
  if (job === null) return [];
  const { request, change } = job;
  return [{ kind: 'storageChange', key: `storage change ${request}`, request, change }];
}

function zoneRead(request: number, id: string): Subscription {
  return { kind: 'storageZone', key: `storage zone ${id} ${request}`, request, id };
}
