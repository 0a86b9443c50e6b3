import { nearestNames } from '../query/nearest.ts';
import type { StorageZone } from './storage.ts';

export type FoundStorageZone =
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
export function notFoundWords(word: string, found: Exclude<FoundStorageZone, { kind: 'found' }>): string {
  const names = found.names.join(', ');
  if (found.kind === 'ambiguous') return `'${word}' names ${found.names.length} storage zones: ${names}`;
  return `no storage zone is called '${word}'${names === '' ? '' : `; nearest: ${names}`}`;
}
