import { nearestNames } from '../query/nearest.ts';

/** A storage zone as it can be read; passwords are dropped where the answer is parsed. Ids are decimal digits. */
export type StorageZone = {
  id: string;
  name: string;
  userId: string | null;
  /** Unix ms UTC. */
  modifiedAt: number | null;
  deleted: boolean;
  /** Bytes. */
  storageUsed: number;
  filesStored: number;
  /** Main region code. */
  region: string;
  /** Read under this name, written as `ReplicationZones`. */
  replicationRegions: readonly string[];
  pullZones: readonly { id: string; name: string }[];
  /** Null where the answer does not say. */
  rewrite404To200: boolean | null;
  custom404FilePath: string | null;
  hostname: string;
  s3Hostname: string | null;
  /** 0 = Standard, 1 = Edge; an open set. */
  tier: number | string | null;
  replicationChangeInProgress: boolean;
  priceOverride: number;
  discount: number;
  type: number | string | null;
};

/** The four fields that can be written, by the API's own names. A field left out stays as it is; null is never sent. */
export type StorageZonePatch = {
  ReplicationZones?: readonly string[];
  OriginUrl?: string;
  Custom404FilePath?: string;
  Rewrite404To200?: boolean;
};

/** Suggestions only: the platform adds regions without notice. */
export const REGION_CODES = {
  standard: ['BR', 'DE', 'JH', 'LA', 'NY', 'SE', 'SG', 'SYD', 'UK'],
  edge: ['BR', 'CZ', 'ES', 'HK', 'JH', 'JP', 'LA', 'MI', 'NY', 'SE', 'SG', 'SYD', 'UK', 'WA'],
} as const;

type FoundStorageZone =
  | { kind: 'found'; zone: StorageZone }
  | { kind: 'ambiguous'; names: readonly string[] }
  | { kind: 'unknown'; names: readonly string[] };

/** The one storage zone that a word names: by id, else by name in any case. */
export function findStorageZone(zones: readonly StorageZone[], word: string): FoundStorageZone {
  const name = word.trim().toLowerCase();
  for (const isNamed of [
    (zone: StorageZone) => zone.id === name,
    (zone: StorageZone) => zone.name.toLowerCase() === name,
  ]) {
    const found = zones.filter(isNamed);
    const [zone] = found;
    if (zone === undefined) continue;
    if (found.length === 1) return { kind: 'found', zone };
    return { kind: 'ambiguous', names: found.map((each) => `${each.name} (${each.id})`) };
  }
  const names = nearestNames(
    name,
    zones.map((zone) => zone.name),
    5,
  );
  return { kind: 'unknown', names };
}

/** Why a word names no one zone, and what was meant. */
export function notFoundWords(
  word: string,
  found: Exclude<FoundStorageZone, { kind: 'found' }>,
): { own: string; names: string } {
  const names = found.names.join(', ');
  if (found.kind === 'ambiguous')
    return { own: `'${word}' names ${found.names.length} storage zones`, names: `: ${names}` };
  const nearest = names === '' ? '' : `; nearest: ${names}`;
  return { own: `no storage zone is called '${word}'`, names: nearest };
}
