import * as z from 'zod/mini';
import type { Failure, Result } from '../domain/failure.ts';
import type { LogArchive, PartStore, StoredFile, StoredListing } from '../domain/storage/log-parts.ts';
import { type Strays, someStrays } from '../domain/strays.ts';
import { Secret } from '../text/secret.ts';
import { getCall, jsonReading, valueReader } from './account-calls.ts';
import type { Call, CallOptions } from './caller.ts';
import { isObject } from './http/json.ts';
import { type Answer, failureOfStatus } from './http/response.ts';
import { brokenOff, type OpenAnswer } from './http/response-body.ts';
import {
  amountOrZero,
  flag,
  id,
  lenientText,
  mapped,
  maybeTimestamp,
  readableOf,
  renamed,
} from './schemas/scalars.ts';

/**
 * The bytes of a stored file as they come. Ends after the last, or after one failure. Leaving the loop ends the
 * request.
 */
type FileBytes = AsyncIterable<Result<Uint8Array>>;

/** The calls that read stored log lines, which take a password of the account to another server. */
export type StoredLogClient = {
  /** Where a pull zone stores its log lines for good. */
  logArchive(pullZoneId: string, c?: CallOptions): Promise<Result<LogArchive>>;
  /** The server and password of a storage zone's files. */
  partStore(storageZoneId: string, c?: CallOptions): Promise<Result<PartStore>>;
  /** The files in a folder of a storage zone; none where there is no such folder. */
  storedFiles(store: PartStore, folder: readonly string[], c?: CallOptions): Promise<Result<StoredListing>>;
  /** A file as it is; `retries` and the quota apply to the start only. */
  storedFile(store: PartStore, names: readonly string[], c?: CallOptions): Promise<Result<FileBytes>>;
};

/** Files in one folder: a month of a hundred workers has a tenth. */
const MOST_FILES = 500_000;

export function logArchiveCall(pullZoneId: string): Call<LogArchive> {
  return getCall(`/pullzone/${pullZoneId}`, { read: valueReader(logArchive) });
}

export function partStoreCall(storageZoneId: string): Call<PartStore> {
  return getCall(`/storagezone/${storageZoneId}`, { read: valueReader(partStore) });
}

/** The entries of a folder; a missing one is a 404 or an empty list. Null for an invalid name. */
export function filesCall(store: PartStore, folder: readonly string[]): Call<StoredListing> | null {
  const path = pathOf([store.name, ...folder]);
  if (path === null) return null;
  const { list, read } = jsonReading(
    'a list of files was expected',
    (json) => (Array.isArray(json) ? listingOf(json, store.name, folder) : null),
    MOST_FILES,
  );
  return {
    host: 'storage',
    door: store,
    method: 'GET',
    path: `${path}/`,
    list,
    read(answer) {
      const files = read(answer);
      if (files.ok) return files;
      if (files.failure.kind === 'notFound') return { ok: true, value: { files: [] } };
      return { ok: false, failure: ofPassword(files.failure) };
    },
  };
}

/** The entries that stand in the folder, as far as they say where they stand. */
function listingOf(entries: readonly unknown[], zone: string, folder: readonly string[]): StoredListing {
  const path = `/${[zone, ...folder].join('/')}/`;
  const strays: Strays = { outside: 0, ofOthers: 0 };
  const own = entries.filter((entry) => {
    const { StorageZoneName, Path } = isObject(entry) ? entry : {};
    const isOfOther = typeof StorageZoneName === 'string' && StorageZoneName !== zone;
    const isOutside = !isOfOther && typeof Path === 'string' && Path.startsWith(`/${zone}/`) && Path !== path;
    if (isOfOther) strays.ofOthers += 1;
    if (isOutside) strays.outside += 1;
    return !isOfOther && !isOutside;
  });
  return { files: readableOf(own, storedFile), ...someStrays(strays) };
}

/** One file. Null for an invalid name. */
export function fileCall(store: PartStore, names: readonly string[]): Call<null> | null {
  const path = pathOf([store.name, ...names]);
  if (path === null) return null;
  const read = (answer: Answer): Result<null> => {
    const failure = failureOfStatus(answer);
    return failure === null ? { ok: true, value: null } : { ok: false, failure: ofPassword(failure) };
  };
  return { host: 'storage', door: store, method: 'GET', path, isFile: true, read };
}

/** The key refused here is not the account's. */
function ofPassword(failure: Failure): Failure {
  return failure.status === 401 || failure.status === 403 ? { ...failure, kind: 'refusedPassword' } : failure;
}

/** Names as parts of a path; null for one that would lead elsewhere. */
function pathOf(names: readonly string[]): string | null {
  if (names.some((name) => /^\.{0,2}$/.test(name) || !name.isWellFormed())) return null;
  return names.map((name) => `/${encodeURIComponent(name)}`).join('');
}

export async function* fileBytes({ answer, body, hangUp }: OpenAnswer, signal?: AbortSignal): FileBytes {
  try {
    for await (const value of body) yield { ok: true, value };
  } catch (error) {
    yield { ok: false, failure: brokenOff(error, answer, signal) };
  } finally {
    hangUp();
  }
}

/** Of a pull zone, only where it stores its log lines. Their folder bears the zone's name. */
export const logArchive = z.lazy(() =>
  mapped(
    z.object({
      Name: z.string().check(z.minLength(1)),
      LoggingSaveToStorage: flag(false),
      LoggingStorageZoneId: z.catch(z.nullish(id), null),
    }),
    ({ Name, LoggingSaveToStorage, LoggingStorageZoneId: zone }): LogArchive => {
      const isKept = LoggingSaveToStorage && zone != null && zone !== '0';
      return { pullZone: Name, storageZoneId: isKept ? zone : null };
    },
  ),
);

/** The one schema that takes a password from a storage zone: the read-only one, as a secret. */
export const partStore = z.lazy(() =>
  mapped(
    renamed({
      name: ['Name', z.string().check(z.minLength(1))],
      hostname: ['StorageHostname', lenientText],
      password: ['ReadOnlyPassword', z.string().check(z.minLength(1))],
    }),
    ({ name, hostname, password }): PartStore => ({
      name,
      hostname: hostname ?? '',
      password: new Secret(password),
    }),
  ),
);

/** A file as listed. Its times have no zone, and are UTC. */
export const storedFile: z.ZodMiniType<StoredFile> = z.lazy(() =>
  renamed({
    name: ['ObjectName', z.string().check(z.minLength(1))],
    length: ['Length', amountOrZero],
    isFolder: ['IsDirectory', flag(false)],
    createdAt: ['DateCreated', maybeTimestamp],
    changedAt: ['LastChanged', maybeTimestamp],
  }),
);
