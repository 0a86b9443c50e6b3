import type { ApiKey } from '../domain/api-key.ts';
import type { Failure } from '../domain/failure.ts';
import type { HealthReading } from '../domain/health/health-plan.ts';
import type { HealthScore } from '../domain/health/health-score.ts';
import type { HealthFigures, ZoneHealth } from '../domain/health/zone-health.ts';
import type { StorageZone } from '../domain/storage/storage.ts';
import type { ChangeEnd, ChangeStep, ConfirmedChange, OpenIntent } from '../domain/storage/storage-change.ts';
import type { StorageDraft, StorageField, StorageInverse } from '../domain/storage/storage-edit.ts';
import type { PullZone } from '../domain/zone.ts';
import { type ListPlace, type Loading, NO_LIST, type PagedList } from './list.ts';

/** Storage zones and changes of them, besides what each view holds. */
type StorageState = PagedList<StorageZone> & {
  /** Numbers the requests about one zone. */
  asked: number;
  /** The zone named on the command line, until it is found. */
  wanted: string | null;
  /** The confirmed change under way; it goes on whatever view is on screen. */
  job: { request: number; change: ConfirmedChange; step: ChangeStep; since: number } | null;
  /** Recorded changes without a verdict: nobody answered, or their program ended. */
  intents: readonly OpenIntent[];
};

export const NO_STORAGE: StorageState = {
  ...NO_LIST,
  asked: 0,
  wanted: null,
  job: null,
  intents: [],
};

export type StorageZoneView = ListPlace & {
  kind: 'storageZone';
  zone: StorageZone;
  loading: Loading;
  request: number;
  /** Numbers the search for an undo file; null = none runs. */
  undoing: number | null;
};

/** Each state of an edit has a name; only `confirming` can lead to `writing`. */
export type EditStage =
  | { kind: 'opening'; request: number; since: number }
  /** The zone could not be read, so nothing can be edited. */
  | { kind: 'unopened'; failure: Failure }
  | { kind: 'editing' }
  | { kind: 'preview' }
  /**
   * `shownAt`, `typedAt`: when the dialog appeared and when its text last changed, Unix ms; `strokes`: key strokes in
   * the name so far.
   */
  | { kind: 'confirming'; shownAt: number; typedAt: number; strokes: number }
  | { kind: 'writing'; request: number }
  | { kind: 'ended'; end: ChangeEnd };

export type StorageEditView = ListPlace & {
  kind: 'storageEdit';
  /** The zone as read when the edit began, or after a drift was reviewed. */
  zone: StorageZone;
  draft: StorageDraft;
  stage: EditStage;
  /** The field under the cursor at the start. */
  field: StorageField | null;
  /** What the API said about a field of the last change. */
  refusal: { field: StorageField | null; message: string } | null;
  /** Set when the edit reverts an earlier change. */
  undo: { at: number; inverse: StorageInverse } | null;
};

export type StorageViews = StorageZoneView | StorageEditView;

type KeysState = PagedList<ApiKey> & {
  /** Numbers the times that a value is shown. */
  reveals: number;
  /** The key whose showing is being written to the audit file; its value appears once that is done. */
  recording: { request: number; id: string } | null;
  /** The one key whose value is on screen, until `until`, Unix ms. */
  revealed: { id: string; until: number } | null;
};

/** How long a value stays on screen, ms. */
export const REVEAL_TIME = 10_000;

/** The lists of the account, each a screen of this name: its state at first, and what its items are called. */
export const ACCOUNT_LISTS = {
  storage: { first: NO_STORAGE, called: 'storage zones' },
  keys: {
    first: { ...NO_LIST, reveals: 0, recording: null, revealed: null } as KeysState,
    called: 'keys',
  },
};

export type ListKind = keyof typeof ACCOUNT_LISTS;
export type AccountLists = { [K in ListKind]: (typeof ACCOUNT_LISTS)[K]['first'] };
export type ListView<K extends ListKind = ListKind> = { [L in K]: ListPlace & { kind: L } }[K];

export const LIST_KINDS = Object.keys(ACCOUNT_LISTS) as ListKind[];

/** The lists that come by pages; that of zones has more to it. */
export type ListName = 'zones' | ListKind;
export type ListItem<N extends ListName> = ({ zones: PullZone } & {
  [K in ListKind]: AccountLists[K]['items'][number];
})[N];

/** What the picker sorts by; `list`: the platform's own order. */
export const ZONE_SORTS = [
  'worst',
  'requests',
  'hit',
  'clientErrors',
  'errors',
  'blocked',
  'age',
  'name',
  'list',
] as const;

export type ZoneSort = (typeof ZONE_SORTS)[number];

/** What is known of a zone, and its figures; null: no rows were read. */
export type KnownHealth = { health: ZoneHealth; figures: HealthFigures | null; score: HealthScore | null };

/**
 * A request under way about a zone's health; `turn` tells two of one zone apart. `isSecond`: the zone is off the
 * screen, and this request ends its turn in the round.
 */
export type HealthAsk = { zone: PullZone; reading: HealthReading; turn: number; isSecond: boolean };

export type HealthState = {
  known: ReadonlyMap<string, KnownHealth>;
  asking: readonly HealthAsk[];
  /** The number of the newest request. */
  turn: number;
  /** Zones off the screen that are asked about once more before the round goes on. */
  more: readonly string[];
  /** The place in the list of the round over zones off the screen. */
  next: number;
  isStopped: boolean;
  /** When the list was last sorted, Unix ms. */
  orderedAt: number;
  sort: ZoneSort;
  reversed: boolean;
  /** How far our clock is ahead of the server's, ms. */
  clockAhead: number;
};

export const NO_HEALTH_STATE: HealthState = {
  known: new Map(),
  asking: [],
  turn: 0,
  more: [],
  next: 0,
  isStopped: false,
  orderedAt: 0,
  sort: 'worst',
  reversed: false,
  clockAhead: 0,
};
