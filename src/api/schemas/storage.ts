import * as z from 'zod';
import type { StorageZone } from '../../domain/storage/storage.ts';
import {
  amountOrZero,
  flag,
  id,
  lenientText,
  maybeFlag,
  maybeTimestamp,
  openEnum,
  readable,
  renamed,
} from './scalars.ts';

const linkedZone = z.lazy(() =>
  renamed({ id: ['Id', id], name: ['Name', lenientText] }).transform((zone) => ({
    id: zone.id,
    name: zone.name || zone.id,
  })),
);

/**
 * A storage zone as it comes. `Password` and `ReadOnlyPassword` are not in the schema, so they go no further. The description
 * requires nothing of it: one without a name goes by its id.
 */
export const storageZone = z.lazy(() =>
  renamed({
    id: ['Id', id],
    name: ['Name', lenientText],
    userId: ['UserId', lenientText],
    modifiedAt: ['DateModified', maybeTimestamp],
    deleted: ['Deleted', flag(false)],
    storageUsed: ['StorageUsed', amountOrZero],
    filesStored: ['FilesStored', amountOrZero],
    region: ['Region', lenientText],
    replicationRegions: ['ReplicationRegions', readable(z.string())],
    pullZones: ['PullZones', readable(linkedZone)],
    rewrite404To200: ['Rewrite404To200', maybeFlag],
    custom404FilePath: ['Custom404FilePath', lenientText],
    hostname: ['StorageHostname', lenientText],
    s3Hostname: ['S3Hostname', lenientText],
    tier: ['ZoneTier', openEnum],
    replicationChangeInProgress: ['ReplicationChangeInProgress', flag(false)],
    priceOverride: ['PriceOverride', amountOrZero],
    discount: ['Discount', amountOrZero],
    type: ['StorageZoneType', openEnum],
  }).transform(
    (zone): StorageZone => ({
      ...zone,
      name: zone.name || zone.id,
      region: zone.region ?? '',
      custom404FilePath: zone.custom404FilePath || null,
      hostname: zone.hostname ?? '',
    }),
  ),
);
