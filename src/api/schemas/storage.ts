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
} from './scalars.ts';

const linkedZone = z.lazy(() =>
  z.object({ Id: id, Name: lenientText }).transform((zone) => ({ id: zone.Id, name: zone.Name || zone.Id })),
);

/**
 * A storage zone as it comes. `Password` and `ReadOnlyPassword` are not in the schema, so they go no further. The description
 * requires nothing of it: one without a name goes by its id.
 */
export const storageZone = z.lazy(() =>
  z
    .object({
      Id: id,
      Name: lenientText,
      UserId: lenientText,
      DateModified: maybeTimestamp,
      Deleted: flag(false),
      StorageUsed: amountOrZero,
      FilesStored: amountOrZero,
      Region: lenientText,
      ReplicationRegions: readable(z.string()),
      PullZones: readable(linkedZone),
      Rewrite404To200: maybeFlag,
      Custom404FilePath: lenientText,
      StorageHostname: lenientText,
      S3Hostname: lenientText,
      ZoneTier: openEnum,
      ReplicationChangeInProgress: flag(false),
      PriceOverride: amountOrZero,
      Discount: amountOrZero,
      StorageZoneType: openEnum,
    })
    .transform(
      (zone): StorageZone => ({
        id: zone.Id,
        name: zone.Name || zone.Id,
        userId: zone.UserId,
        modifiedAt: zone.DateModified,
        deleted: zone.Deleted,
        storageUsed: zone.StorageUsed,
        filesStored: zone.FilesStored,
        region: zone.Region ?? '',
        replicationRegions: zone.ReplicationRegions,
        pullZones: zone.PullZones,
        rewrite404To200: zone.Rewrite404To200,
        custom404FilePath: zone.Custom404FilePath || null,
        hostname: zone.StorageHostname ?? '',
        s3Hostname: zone.S3Hostname,
        tier: zone.ZoneTier,
        replicationChangeInProgress: zone.ReplicationChangeInProgress,
        priceOverride: zone.PriceOverride,
        discount: zone.Discount,
        type: zone.StorageZoneType,
      }),
    ),
);
