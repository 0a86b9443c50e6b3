import type { Failure } from '../domain/failure.ts';
import type { HealthReading } from '../domain/health/health-plan.ts';
import type { HealthScore } from '../domain/health/health-score.ts';
import type { HealthFigures, ZoneHealth } from '../domain/health/zone-health.ts';
import type { StorageZone } from '../domain/storage/storage.ts';
import type { ChangeEnd } from '../domain/storage/storage-change.ts';
import type { StorageDraft, StorageField, StorageInverse } from '../domain/storage/storage-edit.ts';
import type { PullZone } from '../domain/zone.ts';
import {
  ACCOUNT_LISTS,
  eachList,
  type HeldOf,
  type ListItem,
  type ListKind,
} from '../lists/account-lists.ts';
import { type ListPlace, type Loading, NO_LIST, type PagedList } from './list.ts';

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

/** How long a value stays on screen, ms. */
export const REVEAL_TIME = 10_000;

/** The lists of the account as far as they are read. */
export type AccountLists = { [K in ListKind]: PagedList<ListItem<K>> & HeldOf<K> };

export const NOTHING_LISTED = eachList<unknown>((kind) => ({
  ...NO_LIST,
  ...ACCOUNT_LISTS[kind].holds,
})) as AccountLists;

export type ListView<K extends ListKind = ListKind> = { [L in K]: ListPlace & { kind: L } }[K];

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
  /** When one was begun last for what nobody waits for, Unix ms. */
  calmAt: number;
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
  calmAt: 0,
  more: [],
  next: 0,
  isStopped: false,
  orderedAt: 0,
  sort: 'worst',
  reversed: false,
  clockAhead: 0,
};
