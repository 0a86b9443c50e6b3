import type { CommandSource } from '../../domain/handover/place.ts';
import { keyRow } from '../../domain/handover/shapes.ts';
import { keySheet, lineOf, type Sheet, type SheetLine, storageSheet } from '../../domain/handover/sheet.ts';
import { storageObject, storageRow } from '../../domain/handover/storage-shapes.ts';
import { idSegment, type WireRequest } from '../../domain/handover/wire-request.ts';
import { settingsOfZone } from '../../domain/storage/storage-edit.ts';
import { ITEMS_PER_PAGE } from '../../domain/zone.ts';
import { count } from '../../text/units.ts';
import type { AccountView } from '../account/account-views.ts';
import type { State } from '../model.ts';

export function accountCommand(view: AccountView): CommandSource {
  if (view.kind === 'keys') return { screen: 'keys' };
  return { screen: 'storage', storageZone: view.kind === 'storage' ? null : view.zone.id };
}

export function accountRequest(view: AccountView, base: string): WireRequest | string {
  if (view.kind === 'keys')
    return 'the API answers that with the keys themselves; edgescope keys prints fingerprints';
  if (view.kind === 'storage')
    return { method: 'GET', url: `${base}/storagezone?page=1&perPage=${ITEMS_PER_PAGE}` };
  const id = idSegment(view.zone.id);
  return id === null
    ? 'the zone has no id that a request could name'
    : { method: 'GET', url: `${base}/storagezone/${id}` };
}

export function accountSheet(state: State, view: AccountView): Sheet | string {
  const { storage, keys } = state;
  if (view.kind === 'keys') {
    return keys.items.length === 0 ? 'no key is listed' : keySheet(keys.items, told(keys, 'keys'));
  }
  if (view.kind !== 'storage') return storageSheet([view.zone]);
  return storage.items.length === 0
    ? 'no storage zone is listed'
    : storageSheet(storage.items, told(storage, 'zones'));
}

export function accountSheetLine(state: State, view: AccountView): SheetLine | null {
  if (view.kind === 'keys') {
    const key = state.keys.items[view.cursor];
    return key ? lineOf(key, keyRow, keyRow) : null;
  }
  const zone = view.kind === 'storage' ? state.storage.items[view.cursor] : view.zone;
  return zone ? lineOf(zone, storageObject, storageRow) : null;
}

/** Of a key its id: a value is shown for ten seconds, and never copied from here. */
export function accountValue(state: State, view: AccountView): string | null {
  switch (view.kind) {
    case 'keys':
      return state.keys.items[view.cursor]?.id ?? null;
    case 'storage':
      return state.storage.items[view.cursor]?.name ?? null;
    default:
      return settingsOfZone(view.zone)[view.cursor]?.value ?? null;
  }
}

function told(
  list: { items: readonly unknown[]; total: number | null; nextPage: number | null },
  what: string,
): { missing: string[]; of: number | null } {
  if (list.nextPage === null) return { missing: [], of: null };
  const of = list.total === null ? '' : ` of ${count(list.total)}`;
  return { missing: [`${count(list.items.length)}${of} ${what} were read`], of: list.total };
}
