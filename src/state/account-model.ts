import type { ApiKey } from '../domain/api-key.ts';
import type { Failure } from '../domain/failure.ts';
import type { StorageZone } from '../domain/storage/storage.ts';
import type { ChangeEnd, ChangeStep, ConfirmedChange, OpenIntent } from '../domain/storage/storage-change.ts';
import type { StorageDraft, StorageField, StorageInverse } from '../domain/storage/storage-edit.ts';
import { type ListPlace, type Loading, NO_LIST, type PagedList } from './list.ts';

/** Storage zones and changes of them, besides what each view holds. */
export type StorageState = PagedList<StorageZone> & {
  /** Numbers every request of these screens, so that an answer to an older question is dropped. */
  request: number;
  /** That of the list. */
  listRequest: number;
  /** A zone named on the command line that is still to be found. */
  wanted: string | null;
  /** The confirmed change under way; it goes on whichever view is on screen. */
  job: { request: number; change: ConfirmedChange; step: ChangeStep; since: number } | null;
  /** Changes that were recorded and have no verdict, because nobody answered or their program ended. */
  intents: readonly OpenIntent[];
};

export const NO_STORAGE: StorageState = {
  ...NO_LIST,
  request: 0,
  listRequest: 0,
  wanted: null,
  job: null,
  intents: [],
};

export type StorageView = ListPlace & { kind: 'storage' };

export type StorageZoneView = ListPlace & {
  kind: 'storageZone';
  zone: StorageZone;
  loading: Loading;
  request: number;
  /** Numbers the search for an undo file; null = none is under way. */
  undoing: number | null;
};

/** Each state of an edit has a name; only `confirming` can lead to `writing`. */
export type EditStage =
  | { kind: 'opening'; request: number; since: number }
  /** The zone could not be read, so nothing can be edited. */
  | { kind: 'unopened'; failure: Failure }
  | { kind: 'editing' }
  | { kind: 'preview' }
  /** Unix ms at which the dialog was shown, and at which its text last changed; `strokes` told apart in the name so far. */
  | { kind: 'confirming'; shownAt: number; typedAt: number; strokes: number }
  | { kind: 'writing'; request: number }
  | { kind: 'ended'; end: ChangeEnd };

export type StorageEditView = ListPlace & {
  kind: 'storageEdit';
  /** The zone as it was read when the edit began, or after a drift was looked at. */
  zone: StorageZone;
  draft: StorageDraft;
  stage: EditStage;
  /** The field to begin at. */
  field: StorageField | null;
  /** What the API said about a field of the change sent last. */
  refusal: { field: StorageField | null; message: string } | null;
  /** Set when the edit takes an earlier change back. */
  undo: { at: number; inverse: StorageInverse } | null;
};

export type StorageViews = StorageView | StorageZoneView | StorageEditView;

export type KeysState = PagedList<ApiKey> & {
  request: number;
  /** Numbers the showings of a value. */
  reveals: number;
  /** The key whose showing is being written into the audit file: nothing is shown before that is done. */
  recording: { request: number; id: string } | null;
  /** The one key whose value is on screen, and until when, Unix ms. */
  revealed: { id: string; until: number } | null;
};

export const NO_KEYS: KeysState = {
  ...NO_LIST,
  request: 0,
  reveals: 0,
  recording: null,
  revealed: null,
};

/** How long a value stays on screen, ms. */
export const REVEAL_TIME = 10_000;

export type KeysView = ListPlace & { kind: 'keys' };
