import type { KeysView } from './keys-model.ts';
import { isStorageView, type StorageViews } from './storage-model.ts';

/** The views of what belongs to the account and not to one zone's logs. */
export type AccountView = StorageViews | KeysView;

export function isAccountView<V extends { kind: string }>(view: V): view is V & AccountView {
  return view.kind === 'keys' || isStorageView(view);
}
