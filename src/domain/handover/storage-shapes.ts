import type { StorageZone, StorageZonePatch } from '../storage/storage.ts';
import { changesOf, STORAGE_FIELD_NAMES, valueIn, wantedIn } from '../storage/storage-edit.ts';
import { VERDICTS, type Verdict } from '../storage/storage-verdict.ts';
import type { Digits, Row } from './shapes.ts';

/** The columns of storage zones, where there may be none to tell them. */
export const STORAGE_ROW_NAMES = [
  'Id',
  'UserId',
  'Name',
  'DateModified',
  'Deleted',
  'StorageUsed',
  'FilesStored',
  'Region',
  'ReplicationRegions',
  'PullZones',
  'Rewrite404To200',
  'Custom404FilePath',
  'StorageHostname',
  'S3Hostname',
  'ZoneTier',
  'ReplicationChangeInProgress',
  'PriceOverride',
  'Discount',
  'StorageZoneType',
] as const;

/** A storage zone under the API's own field names, without its passwords. */
export function storageRow(zone: StorageZone): Record<(typeof STORAGE_ROW_NAMES)[number], Row[string]> {
  return {
    Id: digits(zone.id),
    UserId: zone.userId,
    Name: zone.name,
    DateModified: zone.modifiedAt === null ? null : new Date(zone.modifiedAt).toISOString(),
    Deleted: zone.deleted,
    StorageUsed: zone.storageUsed,
    FilesStored: zone.filesStored,
    Region: zone.region,
    ReplicationRegions: zone.replicationRegions,
    PullZones: zone.pullZones.map((each) => each.name),
    Rewrite404To200: zone.rewrite404To200,
    Custom404FilePath: zone.custom404FilePath,
    StorageHostname: zone.hostname,
    S3Hostname: zone.s3Hostname,
    ZoneTier: zone.tier,
    ReplicationChangeInProgress: zone.replicationChangeInProgress,
    PriceOverride: zone.priceOverride,
    Discount: zone.discount,
    StorageZoneType: zone.type,
  };
}

/** The same as an object of the API's shape: pull zones are objects there. */
export function storageObject(zone: StorageZone): object {
  const pullZones = zone.pullZones.map(({ id, name }) => ({ Id: digits(id), Name: name }));
  return { ...storageRow(zone), PullZones: pullZones };
}

/** How a change ended, for a script: the verdict, what became of each field, and the API's own error. */
export function verdictObject(
  zone: StorageZone,
  patch: StorageZonePatch,
  verdict: Verdict,
  undoFile: string,
) {
  const { failure } = verdict;
  return {
    verdict: VERDICTS[verdict.kind],
    Id: digits(zone.id),
    Name: zone.name,
    fields: changesOf(zone, patch).map(({ field, before, after }) => ({
      field,
      before,
      wanted: after,
      fate: verdict.fates.find((each) => each.field === field)?.fate ?? 'unseen',
    })),
    sideEffects: verdict.sideEffects,
    reasons: verdict.reasons,
    error:
      failure === null
        ? null
        : {
            kind: failure.kind,
            status: failure.status,
            ErrorKey: failure.errorKey ?? null,
            Field: failure.field,
            Message: failure.detail,
          },
    undo: undoFile,
  };
}

/** The verdict as cells, for CSV and tables. */
export function verdictRow(zone: StorageZone, patch: StorageZonePatch, verdict: Verdict): Row {
  const names = STORAGE_FIELD_NAMES.filter((field) => patch[field] !== undefined);
  const { failure } = verdict;
  return {
    verdict: VERDICTS[verdict.kind],
    zone: zone.name,
    wanted: names.map((field) => `${field}=${wantedIn(patch, field)}`),
    sideEffects: verdict.sideEffects.map((each) => each.name),
    errorKey: failure?.errorKey ?? null,
    field: failure?.field ?? null,
    message: failure === null ? null : failure.detail || failure.kind,
  };
}

/** What stands in the place of a verdict where the zone has the wanted values already and nothing is sent. */
const UNCHANGED = 'UNCHANGED';

/** In the shape of `verdictObject`. */
export function unchangedObject(zone: StorageZone, draft: StorageZonePatch) {
  return {
    verdict: UNCHANGED,
    Id: digits(zone.id),
    Name: zone.name,
    fields: STORAGE_FIELD_NAMES.filter((field) => draft[field] !== undefined).map((field) => ({
      field,
      before: valueIn(zone, field),
      wanted: wantedIn(draft, field),
      fate: 'unchanged',
    })),
    sideEffects: [],
    reasons: ['the zone has these values already; nothing was sent'],
    error: null,
    undo: null,
  };
}

/** In the shape of `verdictRow`. */
export function unchangedRow(zone: StorageZone, draft: StorageZonePatch): Row {
  const names = STORAGE_FIELD_NAMES.filter((field) => draft[field] !== undefined);
  return {
    verdict: UNCHANGED,
    zone: zone.name,
    wanted: names.map((field) => `${field}=${wantedIn(draft, field)}`),
    sideEffects: [],
    errorKey: null,
    field: null,
    message: null,
  };
}

/** An id as a JSON number, exact however many digits it has. */
function digits(text: string): Digits {
  return { digits: text };
}
