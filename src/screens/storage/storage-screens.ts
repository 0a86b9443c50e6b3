import { lineOf, storageSheet } from '../../domain/handover/sheet.ts';
import { storageObject, storageRow } from '../../domain/handover/storage-shapes.ts';
import { idSegment } from '../../domain/handover/wire-request.ts';
import type { StorageZone } from '../../domain/storage/storage.ts';
import { settingsOfZone } from '../../domain/storage/storage-edit.ts';
import { ITEMS_PER_PAGE } from '../../domain/zone.ts';
import type { StorageEditView, StorageView, StorageZoneView } from '../../state/account-model.ts';
import { listCell, OF_LIST, plainLine } from '../../state/list/list-screen.ts';
import { listTold } from '../../state/list/paged.ts';
import type { State } from '../../state/model.ts';
import type { Screen, Under } from '../../state/screen.ts';
import { storageListCommanded, storageZoneCommanded } from './storage.ts';
import { storageAsks, storageEditAsks, storageZoneAsks } from './storage-asks.ts';
import { changeCommanded } from './storage-change.ts';
import { editingCommanded } from './storage-edit.ts';

type OneZone = StorageZoneView | StorageEditView;

export const STORAGE_SCREEN: Screen<StorageView> = {
  ...OF_LIST,
  commands: storageListCommanded,
  asks: storageAsks,
  title: () => 'storage',
  command: () => ({ screen: 'storage', storageZone: null }),
  request: ({ handover: { urls } }) => ({
    request: { method: 'GET', url: `${urls.base}/storagezone?page=1&perPage=${ITEMS_PER_PAGE}` },
    remark: '',
  }),
  sheet: ({ storage }) =>
    storage.items.length === 0
      ? 'no storage zone is listed'
      : storageSheet(storage.items, listTold(storage, 'zones')),
  under: ({ storage }, view) => underZone(storage.items[view.cursor]),
  cell: ({ storage }, view) => listCell(storage.items[view.cursor]?.name),
};

const OF_ZONE = {
  ...OF_LIST,
  title: (_: State, { zone }: OneZone) => `storage ${zone.name}`,
  command: (_: State, { zone }: OneZone) => ({ screen: 'storage', storageZone: zone.id }) as const,
  request: ({ handover: { urls } }: State, { zone }: OneZone): ReturnType<Screen<OneZone>['request']> => {
    const id = idSegment(zone.id);
    if (id === null) return 'the zone has no id that a request could name';
    return { request: { method: 'GET', url: `${urls.base}/storagezone/${id}` }, remark: '' };
  },
  sheet: (_: State, { zone }: OneZone) => storageSheet([zone]),
  under: (_: State, { zone }: OneZone) => underZone(zone),
  cell: (_: State, { zone, cursor }: OneZone) => listCell(settingsOfZone(zone)[cursor]?.value),
} as const;

export const STORAGE_ZONE_SCREEN: Screen<StorageZoneView> = {
  ...OF_ZONE,
  commands: storageZoneCommanded,
  asks: storageZoneAsks,
};

export const STORAGE_EDIT_SCREEN: Screen<StorageEditView> = {
  ...OF_ZONE,
  place: ({ stage }) => (stage.kind === 'editing' ? 'storageEdit' : 'storageChange'),
  asks: storageEditAsks,
  commands: (state, view, command) =>
    view.stage.kind === 'editing' || view.stage.kind === 'preview'
      ? editingCommanded(state, view, command)
      : changeCommanded(state, view, command),
};

function underZone(zone: StorageZone | undefined): Under | null {
  return zone ? plainLine(lineOf(zone, storageObject, storageRow)) : null;
}
