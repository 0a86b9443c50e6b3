import { isoOf } from '../../text/units.ts';
import type { StorageZone, StorageZonePatch } from '../storage/storage.ts';
import { changesOf, fieldsIn, wantedIn } from '../storage/storage-edit.ts';
import { VERDICTS, type Verdict } from '../storage/storage-verdict.ts';
import { cellsBy, digits, type Row } from './shapes.ts';

/** A storage zone under the API's own field names, without its passwords. */
export const { names: STORAGE_ROW_NAMES, row: storageRow } = cellsBy<StorageZone>({
  Id: (zone) => digits(zone.id),
  UserId: (zone) => zone.userId,
  Name: (zone) => zone.name,
  DateModified: (zone) => isoOf(zone.modifiedAt),
  Deleted: (zone) => zone.deleted,
  StorageUsed: (zone) => zone.storageUsed,
  FilesStored: (zone) => zone.filesStored,
  Region: (zone) => zone.region,
  ReplicationRegions: (zone) => zone.replicationRegions,
  PullZones: (zone) => zone.pullZones.map((each) => each.name),
  Rewrite404To200: (zone) => zone.rewrite404To200,
  Custom404FilePath: (zone) => zone.custom404FilePath,
  StorageHostname: (zone) => zone.hostname,
  S3Hostname: (zone) => zone.s3Hostname,
  ZoneTier: (zone) => zone.tier,
  ReplicationChangeInProgress: (zone) => zone.replicationChangeInProgress,
  PriceOverride: (zone) => zone.priceOverride,
  Discount: (zone) => zone.discount,
  StorageZoneType: (zone) => zone.type,
});

/** The same as an object of the API's shape: pull zones are objects there. */
export function storageObject(zone: StorageZone): object {
  const pullZones = zone.pullZones.map(({ id, name }) => ({ Id: digits(id), Name: name }));
  return { ...storageRow(zone), PullZones: pullZones };
}

/** How a change ended; null = the zone has the wanted values already, and nothing was sent. */
export type Ended = { verdict: Verdict; undoFile: string } | null;

/** The same for a script: the verdict, the fate of each field, and the API's own error. */
export function changeObject(zone: StorageZone, patch: StorageZonePatch, ended: Ended) {
  const fates = new Map(ended?.verdict.fates.map(({ field, fate }) => [field, fate]));
  const failure = ended?.verdict.failure;
  return {
    verdict: verdictWord(ended),
    Id: digits(zone.id),
    Name: zone.name,
    fields: changesOf(zone, patch).map(({ field, before, after }) => ({
      field,
      before,
      wanted: after,
      fate: ended ? (fates.get(field) ?? 'unseen') : 'unchanged',
    })),
    sideEffects: ended?.verdict.sideEffects ?? [],
    reasons: ended?.verdict.reasons ?? ['the zone has these values already; nothing was sent'],
    error: failure
      ? {
          kind: failure.kind,
          status: failure.status,
          ErrorKey: failure.errorKey ?? null,
          Field: failure.field,
          Message: failure.detail,
        }
      : null,
    undo: ended?.undoFile ?? null,
  };
}

/** The same as cells, for CSV and tables. */
export function changeRow(zone: StorageZone, patch: StorageZonePatch, ended: Ended): Row {
  const failure = ended?.verdict.failure;
  return {
    verdict: verdictWord(ended),
    zone: zone.name,
    wanted: fieldsIn(patch).map((field) => `${field}=${wantedIn(patch, field)}`),
    sideEffects: ended?.verdict.sideEffects.map(({ name }) => name) ?? [],
    errorKey: failure?.errorKey ?? null,
    field: failure?.field ?? null,
    message: failure ? failure.detail || failure.kind : null,
  };
}

function verdictWord(ended: Ended): string {
  return ended ? VERDICTS[ended.verdict.kind] : 'UNCHANGED';
}
