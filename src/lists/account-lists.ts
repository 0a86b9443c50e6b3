import type { ApiKey } from '../domain/api-key.ts';
import type { CommandSource } from '../domain/handover/place.ts';
import { KEY_ROW_NAMES, keyRow, type Row } from '../domain/handover/shapes.ts';
import { STORAGE_ROW_NAMES, storageRow } from '../domain/handover/storage-shapes.ts';
import type { StorageZone } from '../domain/storage/storage.ts';
import type { ChangeStep, ConfirmedChange, OpenIntent } from '../domain/storage/storage-change.ts';
import { tierName } from '../domain/storage/storage-edit.ts';
import type { PullZone } from '../domain/zone.ts';
import { bytes, count } from '../text/units.ts';

/** A column of a list on screen. */
export type ItemColumn<T, Held> = {
  title: string;
  /** Its least width; the column with a `most` takes what the others leave. */
  cells: number;
  most?: number;
  align?: 'right';
  /** Null is shown as a dash. `mode`: what an outsider can set is strict. */
  text: (item: T, held: Held) => string | null;
  mode?: 'text';
};

/**
 * A list of the account as data. Its keys and words, its part of the state, its request, its screen, its look and what
 * is handed over go by it; its folder in `screens` has what it does besides.
 */
type AccountList<T extends { id: string }, Held extends object> = {
  /** What its items are called in sentences. */
  called: string;
  /** What may follow its word on the command line. */
  takes?: 'storageZone';
  /** Enter does something with an item. */
  opens?: true;
  /** The command that prints it; absent: none does. */
  command?: CommandSource;
  /** Where the API has it. */
  route: string;
  /** From the left: a narrow window leaves out the last. What is copied of an item is its first. */
  columns: readonly ItemColumn<T, Held>[];
  /** The flat cells of an item, by their names. */
  printed: { names: readonly string[]; row: (item: T) => Row };
  /** What the state holds besides its pages, at first. */
  holds: Held;
};

/** Changes of storage zones, besides what each view holds. */
type HeldStorage = {
  /** Numbers the requests about one zone. */
  asked: number;
  /** The zone named on the command line, until it is found. */
  wanted: string | null;
  /** The confirmed change under way; it goes on whatever view is on screen. */
  job: { request: number; change: ConfirmedChange; step: ChangeStep; since: number } | null;
  /** Recorded changes without a verdict: nobody answered, or their program ended. */
  intents: readonly OpenIntent[];
};

const STORAGE_LIST: AccountList<StorageZone, HeldStorage> = {
  called: 'storage zones',
  takes: 'storageZone',
  opens: true,
  command: { screen: 'storage', storageZone: null },
  route: '/storagezone',
  columns: [
    { title: 'NAME', cells: 12, most: 40, mode: 'text', text: ({ name }) => name },
    { title: 'ID', cells: 8, align: 'right', text: ({ id }) => id },
    { title: 'REGION', cells: 6, text: ({ region }) => region },
    { title: 'REPLICATION', cells: 14, text: ({ replicationRegions }) => replicationRegions.join(' ') },
    { title: 'TIER', cells: 8, text: tierName },
    { title: 'USED', cells: 5, align: 'right', text: ({ storageUsed }) => bytes(storageUsed) },
    { title: 'FILES', cells: 9, align: 'right', text: ({ filesStored }) => count(filesStored) },
  ],
  printed: { names: STORAGE_ROW_NAMES, row: storageRow },
  holds: { asked: 0, wanted: null, job: null, intents: [] },
};

type HeldKeys = {
  /** Numbers the times that a value is shown. */
  reveals: number;
  /** The key whose showing is being written to the audit file; its value appears once that is done. */
  recording: { request: number; id: string } | null;
  /** The one key whose value is on screen, until `until`, Unix ms. */
  revealed: { id: string; until: number } | null;
};

const KEYS_LIST: AccountList<ApiKey, HeldKeys> = {
  called: 'API keys',
  opens: true,
  command: { screen: 'keys' },
  route: '/apikey',
  columns: [
    { title: 'ID', cells: 8, align: 'right', text: ({ id }) => id },
    { title: 'ROLES', cells: 10, most: Infinity, text: ({ roles }) => roles.join(' ') || 'none' },
    { title: 'FINGERPRINT', cells: 11, text: ({ secret }) => secret?.fingerprint ?? null },
    { title: 'VALUE', cells: 12, text: valueWords },
  ],
  printed: { names: KEY_ROW_NAMES, row: keyRow },
  holds: { reveals: 0, recording: null, revealed: null },
};

function valueWords({ id, secret }: ApiKey, { revealed, recording }: HeldKeys): string {
  if (secret === null) return 'not given';
  if (revealed?.id === id) return 'shown below';
  return recording?.id === id ? 'recording' : 'hidden';
}

const ROWS = { storage: STORAGE_LIST, keys: KEYS_LIST };

export type ListKind = keyof typeof ROWS;

/** The lists that come by pages; that of zones has more to it. */
export type ListName = 'zones' | ListKind;

export type ListItem<N extends ListName> = ({ zones: PullZone } & {
  [K in ListKind]: Parameters<(typeof ROWS)[K]['printed']['row']>[0];
})[N];

/** What the state holds of a list besides its pages. */
export type HeldOf<K extends ListKind> = (typeof ROWS)[K]['holds'];

/** The lists of the account, each a screen of this name. */
export const ACCOUNT_LISTS: { [K in ListKind]: AccountList<ListItem<K>, HeldOf<K>> } = ROWS;

export const LIST_KINDS = Object.keys(ROWS) as ListKind[];

export function eachList<T>(of: (kind: ListKind) => T): Record<ListKind, T> {
  return Object.fromEntries(LIST_KINDS.map((kind) => [kind, of(kind)])) as Record<ListKind, T>;
}

/** Something for each command that opens a list. */
export function eachOpener<T>(of: (kind: ListKind) => T): Record<`${ListKind}Screen`, T> {
  const rows = LIST_KINDS.map((kind) => [`${kind}Screen`, of(kind)]);
  return Object.fromEntries(rows) as Record<`${ListKind}Screen`, T>;
}
