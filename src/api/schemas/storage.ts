import * as z from 'zod';
import type { StorageZone } from '../../domain/storage/storage.ts';
import { amountOrZero, flag, id, lenientText, maybeTimestamp, openEnum } from './scalars.ts';

const linkedZone = z.lazy(() =>
  z.object({ Id: id, Name: z.string() }).transform((zone) => ({ id: zone.Id, name: zone.Name })),
);

/** A storage zone as it comes. `Password` and `ReadOnlyPassword` are not in the schema, so they go no further. */
export const storageZone = z.lazy(() =>
  z
    .object({
      Id: id,
      Name: z.string(),
      UserId: lenientText,
      DateModified: maybeTimestamp,
      Deleted: flag(false),
      StorageUsed: amountOrZero,
      FilesStored: amountOrZero,
      Region: lenientText,
      ReplicationRegions: z.array(z.string()).nullish(),
      PullZones: z.array(linkedZone).nullish().catch(null),
      Rewrite404To200: z.boolean(),
      Custom404FilePath: z.string().nullish(),
      StorageHostname: lenientText,
      ZoneTier: openEnum,
      ReplicationChangeInProgress: flag(false),
      PriceOverride: amountOrZero,
      Discount: amountOrZero,
      StorageZoneType: openEnum,
    })
    .transform(
      (zone): StorageZone => ({
        id: zone.Id,
        name: zone.Name,
        userId: zone.UserId,
        modifiedAt: zone.DateModified,
        deleted: zone.Deleted,
        storageUsed: zone.StorageUsed,
        filesStored: zone.FilesStored,
        region: zone.Region ?? '',
        replicationRegions: zone.ReplicationRegions ?? [],
        pullZones: zone.PullZones ?? [],
        rewrite404To200: zone.Rewrite404To200,
        custom404FilePath: zone.Custom404FilePath || null,
        hostname: zone.StorageHostname ?? '',
        tier: zone.ZoneTier,
        replicationChangeInProgress: zone.ReplicationChangeInProgress,
        priceOverride: zone.PriceOverride,
        discount: zone.Discount,
        type: zone.StorageZoneType,
      }),
    ),
);
