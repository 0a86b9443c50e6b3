import * as z from 'zod';
import type { LogArchive, PartStore, StoredFile } from '../../domain/storage/log-parts.ts';
import { Secret } from '../../text/secret.ts';
import { amountOrZero, flag, id, lenientText, maybeTimestamp, renamed } from './scalars.ts';

/** Of a pull zone only where it keeps its log lines. Without a name nobody knows the folder of them. */
export const logArchive = z.lazy(() =>
  z
    .object({
      Name: z.string().min(1),
      LoggingSaveToStorage: flag(false),
      LoggingStorageZoneId: id.nullish().catch(null),
    })
    .transform(({ Name, LoggingSaveToStorage, LoggingStorageZoneId: zone }): LogArchive => {
      const isKept = LoggingSaveToStorage && zone != null && zone !== '0';
      return { pullZone: Name, storageZoneId: isKept ? zone : null };
    }),
);

/** The one schema that takes a password out of a storage zone: the one that only reads, as a secret. */
export const partStore = z.lazy(() =>
  renamed({
    name: ['Name', z.string().min(1)],
    hostname: ['StorageHostname', lenientText],
    password: ['ReadOnlyPassword', z.string().min(1)],
  }).transform(
    ({ name, hostname, password }): PartStore => ({
      name,
      hostname: hostname ?? '',
      password: new Secret(password),
    }),
  ),
);

/** A file as it is listed. Times have no zone there, and are UTC. */
export const storedFile: z.ZodType<StoredFile> = z.lazy(() =>
  renamed({
    name: ['ObjectName', z.string().min(1)],
    length: ['Length', amountOrZero],
    isFolder: ['IsDirectory', flag(false)],
    createdAt: ['DateCreated', maybeTimestamp],
    changedAt: ['LastChanged', maybeTimestamp],
  }),
);
