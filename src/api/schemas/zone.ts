import * as z from 'zod';
import type { Anonymisation, PullZone } from '../../domain/zone.ts';
import { amount, flag, id, lenientText, openEnum, readable } from './scalars.ts';

const hostname = z.lazy(() => z.object({ Value: z.string(), IsSystemHostname: flag(false) }));

/**
 * A pull zone as it comes, as far as it is used; the rest, secrets among it, is never kept. The description requires nothing
 * of it: one without a name goes by its id.
 */
export const pullZone = z.lazy(() =>
  z
    .object({
      Id: id,
      Name: lenientText,
      Enabled: flag(true),
      Suspended: flag(false),
      EnableLogging: flag(true),
      LoggingSaveToStorage: flag(false),
      LoggingIPAnonymizationEnabled: flag(false),
      LogAnonymizationType: openEnum,
      MonthlyBandwidthUsed: amount.nullish().catch(null),
      Hostnames: readable(hostname),
    })
    .transform((zone): PullZone => {
      const names = zone.Hostnames;
      return {
        id: zone.Id,
        name: zone.Name || zone.Id,
        hostnames: [false, true].flatMap((system) =>
          names.filter((name) => name.IsSystemHostname === system).map((name) => name.Value),
        ),
        enabled: zone.Enabled,
        suspended: zone.Suspended,
        logging: zone.EnableLogging,
        ...(zone.LoggingSaveToStorage ? { isStored: true } : {}),
        ...(zone.MonthlyBandwidthUsed == null ? {} : { bandwidth: zone.MonthlyBandwidthUsed }),
        anonymisation: anonymisationOf(zone.LoggingIPAnonymizationEnabled, zone.LogAnonymizationType),
        shieldZoneId: undefined,
      };
    }),
);

/** 0 or a word with "octet" keeps the network; 1 or "drop" keeps nothing. */
function anonymisationOf(enabled: boolean, type: number | string | null): Anonymisation {
  if (!enabled) return 'none';
  return type === 1 || type === '1' || /drop/i.test(String(type)) ? 'drop' : 'lastOctet';
}
