import { type Failure, failureOf, type Result } from '../domain/failure.ts';
import type { LogArchive, PartStore, StoredFile } from '../domain/storage/log-parts.ts';
import { getCall, valueReader } from './account-calls.ts';
import type { Call, CallOptions } from './caller.ts';
import { type Answer, failureOfStatus, listsOf, unusable } from './http/answer.ts';
import type { OpenAnswer } from './http/body.ts';
import { networkFailure } from './http/network-failure.ts';
import { readableOf } from './schemas/scalars.ts';
import { logArchive, partStore, storedFile } from './schemas/stored-file.ts';

/** The bytes of a stored file as they come. Ends after the last, or after one failure. Leaving the loop hangs up. */
type FileBytes = AsyncIterable<Result<Uint8Array>>;

/** What reads stored log lines, which takes a password of the account to another server. */
export type StoredLogClient = {
  /** Where a pull zone keeps its log lines for good. */
  logArchive(pullZoneId: string, c?: CallOptions): Promise<Result<LogArchive>>;
  /** What the files of a storage zone are read with. */
  partStore(storageZoneId: string, c?: CallOptions): Promise<Result<PartStore>>;
  /** The files of a folder of a storage zone; none where there is no such folder. */
  storedFiles(store: PartStore, folder: readonly string[], c?: CallOptions): Promise<Result<StoredFile[]>>;
  /** A file as it is; `retries` and the quota apply to the start alone. */
  storedFile(store: PartStore, names: readonly string[], c?: CallOptions): Promise<Result<FileBytes>>;
};

/** The calls over a client's own ways of sending. `laneOf`: whose quota a storage zone counts for. */
export function storedLogClient(o: {
  run: <T>(call: Call<T> | null, c: CallOptions | undefined, lane: string) => Promise<Result<T>>;
  about: <T>(id: string, make: (id: string) => Call<T>, c?: CallOptions) => Promise<Result<T>>;
  stream: (call: Call<null>, lane: string, c: CallOptions) => Promise<Result<OpenAnswer>>;
  laneOf: (store: PartStore) => string;
}): StoredLogClient {
  return {
    logArchive: (id, c) => o.about(id, logArchiveCall, c),
    partStore: (id, c) => o.about(id, partStoreCall, c),
    storedFiles: (store, folder, c) => o.run(filesCall(store, folder), c, o.laneOf(store)),
    async storedFile(store, names, c = {}) {
      const call = fileCall(store, names);
      if (call === null)
        return { ok: false, failure: failureOf('invalidRequest', { detail: 'no name of a file' }) };
      const opened = await o.stream(call, o.laneOf(store), c);
      return opened.ok ? { ok: true, value: fileBytes(opened.value, c.signal) } : opened;
    },
  };
}

/** Files in one folder: a month of a hundred workers has a tenth. */
const MOST_FILES = 500_000;

function logArchiveCall(pullZoneId: string): Call<LogArchive> {
  return getCall(`/pullzone/${pullZoneId}`, valueReader(logArchive));
}

function partStoreCall(storageZoneId: string): Call<PartStore> {
  return getCall(`/storagezone/${storageZoneId}`, valueReader(partStore));
}

/** What is in a folder; one that is not there is a 404 or an empty list. Null where a name of it is no name. */
function filesCall(store: PartStore, folder: readonly string[]): Call<StoredFile[]> | null {
  const path = pathOf([store.name, ...folder]);
  if (path === null) return null;
  return {
    host: 'storage',
    door: store,
    method: 'GET',
    path: `${path}/`,
    list: { most: MOST_FILES + 1 },
    read(answer) {
      const json = listsOf(answer, MOST_FILES);
      if (!json.ok && json.failure.kind === 'notFound') return { ok: true, value: [] };
      if (!json.ok) return { ok: false, failure: ofPassword(json.failure) };
      return Array.isArray(json.value)
        ? { ok: true, value: readableOf(json.value, storedFile) }
        : unusable(answer, 'wrongShape', 'a list of files was expected');
    },
  };
}

/** One file. Null where a name of it is no name. */
function fileCall(store: PartStore, names: readonly string[]): Call<null> | null {
  const path = pathOf([store.name, ...names]);
  if (path === null) return null;
  const read = (answer: Answer): Result<null> => {
    const failure = failureOfStatus(answer);
    return failure === null ? { ok: true, value: null } : { ok: false, failure: ofPassword(failure) };
  };
  return { host: 'storage', door: store, method: 'GET', path, isFile: true, read };
}

/** What was refused here is no key of the account. */
function ofPassword(failure: Failure): Failure {
  return failure.status === 401 || failure.status === 403 ? { ...failure, kind: 'refusedPassword' } : failure;
}

/** Names as parts of a path; one that would lead elsewhere is none. */
function pathOf(names: readonly string[]): string | null {
  if (names.some((name) => /^\.{0,2}$/.test(name) || !name.isWellFormed())) return null;
  return names.map((name) => `/${encodeURIComponent(name)}`).join('');
}

async function* fileBytes({ answer, body, hangUp }: OpenAnswer, signal?: AbortSignal): FileBytes {
  const { host, status } = answer;
  try {
    for await (const value of body) yield { ok: true, value };
  } catch (error) {
    const failure = signal?.aborted
      ? failureOf('cancelled', { host, status })
      : { ...networkFailure(error, new URL(`https://${host}`), false), status };
    yield { ok: false, failure };
  } finally {
    hangUp();
  }
}
