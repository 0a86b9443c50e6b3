import type { StorageZone } from './storage.ts';
import { type StorageField, tierName, valueIn } from './storage-edit.ts';

/** One setting of a zone as text. `value: null` = the API tells nobody; `field` = it can be changed. */
export type StorageSetting = { name: string; value: string | null; field: StorageField | null };

/** Every field of the read model but its passwords, by the API's own names, what can be changed first. */
export function settingsOfZone(zone: StorageZone): StorageSetting[] {
  const fixed = (name: string, value: string): StorageSetting => ({ name, value, field: null });
  return [
    {
      name: 'ReplicationRegions',
      value: zone.replicationRegions.join(' ') || 'none',
      field: 'ReplicationZones',
    },
    { name: 'OriginUrl', value: null, field: 'OriginUrl' },
    { name: 'Custom404FilePath', value: zone.custom404FilePath ?? 'none', field: 'Custom404FilePath' },
    { name: 'Rewrite404To200', value: valueIn(zone, 'Rewrite404To200'), field: 'Rewrite404To200' },
    fixed('Name', zone.name),
    fixed('Id', zone.id),
    fixed('Region', zone.region),
    fixed('ZoneTier', tierName(zone)),
    fixed('StorageHostname', zone.hostname),
    fixed('S3Hostname', zone.s3Hostname ?? 'none'),
    fixed('StorageUsed', `${zone.storageUsed} bytes`),
    fixed('FilesStored', String(zone.filesStored)),
    fixed('PullZones', zone.pullZones.map((each) => `${each.name} (${each.id})`).join(', ') || 'none'),
    fixed('ReplicationChangeInProgress', String(zone.replicationChangeInProgress)),
    fixed('DateModified', zone.modifiedAt === null ? 'unknown' : new Date(zone.modifiedAt).toISOString()),
    fixed('Deleted', String(zone.deleted)),
    fixed('StorageZoneType', String(zone.type ?? 'unknown')),
    fixed('PriceOverride', String(zone.priceOverride)),
    fixed('Discount', String(zone.discount)),
    fixed('UserId', zone.userId ?? 'unknown'),
  ];
}
