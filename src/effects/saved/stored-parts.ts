import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredLogClient } from '../../api/stored-log-calls.ts';
import { type Failure, failureOf, type Result } from '../../domain/failure.ts';
import { type LogPart, type PartStore, partFolders, partsWithin } from '../../domain/storage/log-parts.ts';
import type { TimeRange } from '../../domain/tail/coverage.ts';
import { fileTrouble } from '../../files/file-trouble.ts';
import { sanitise } from '../../text/sanitise.ts';
import type { SavedInput } from './saved-input.ts';

/**
 * The stored parts of a pull zone that may hold lines of a time. `isWhole`: the server listed each folder as asked,
 * and nothing else in its place.
 */
type ZoneArchive = { store: PartStore; parts: LogPart[]; isWhole: boolean };

/** Where parts are spooled while they are read: each goes as soon as it is read. */
export type Spool = { client: StoredLogClient; folder: string };

/** The disk does not take a part; the message says why. */
export class SpoolTrouble extends Error {}

/** Bytes, packed or not; a worker closes its file at 2 GB before it is compressed. */
export const LARGEST_PART = 4e9;
/** A broken download begins again from its start: nothing says that a server sends a part of a file. */
const TRIES = 3;

let lastNumber = 0;

/** What is stored of a pull zone. */
export async function archiveOf(
  client: StoredLogClient,
  pullZoneId: string,
  range: TimeRange,
  signal: AbortSignal,
): Promise<Result<ZoneArchive>> {
  const archive = await client.logArchive(pullZoneId, { signal });
  if (!archive.ok) return archive;
  const { pullZone, storageZoneId } = archive.value;
  if (storageZoneId === null)
    return { ok: false, failure: failureOf('noStoredFiles', { host: sanitise(pullZone, 'text', 100) }) };
  const store = await client.partStore(storageZoneId, { signal });
  if (!store.ok) return store;
  const parts: LogPart[] = [];
  let isWhole = true;
  for (const folder of partFolders(pullZone, range)) {
    const files = await client.storedFiles(store.value, folder, { signal });
    if (!files.ok) return files;
    parts.push(...partsWithin(folder, files.value.files, range));
    isWhole &&= files.value.strays === undefined;
  }
  parts.sort((a, b) => a.span.from - b.span.from || a.name.localeCompare(b.name, 'en'));
  return { ok: true, value: { store: store.value, parts, isWhole } };
}

/**
 * A part as an input that is complete on this disk, so that no slow reader holds a connection up. The file has no
 * name by then: it goes with the program, however that ends. Throws a SpoolTrouble.
 */
export async function spooledPart(
  { client, folder }: Spool,
  { store, part }: { store: PartStore; part: LogPart },
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<Result<SavedInput>> {
  const lost = (detail: string): Result<never> => ({
    ok: false,
    failure: failureOf('unreadable', { host: store.hostname, detail }),
  });
  if (part.length > LARGEST_PART) return lost(`${part.name} is larger than any part is`);
  const { reader, writer } = await nameless(folder);
  let failure: Failure | null = null;
  try {
    for (let tries = 0; tries < TRIES; tries++) {
      const before = tries === 0 ? 0 : (await writer.stat()).size;
      onBytes(-before);
      await writer.truncate(0);
      const opened = await client.storedFile(store, [...part.folder, part.name], { signal });
      failure = opened.ok ? await written(opened.value) : opened.failure;
      // The call has tried often enough to open it.
      if (failure === null || !opened.ok || failure.kind === 'cancelled') break;
    }
  } catch (error) {
    await reader.close();
    throw new SpoolTrouble(`a part cannot be put down in ${folder}: ${fileTrouble(error)}`);
  } finally {
    await writer.close();
  }
  if (failure === null)
    return {
      ok: true,
      value: { kind: 'file', name: part.name, path: '', handle: reader, size: part.length },
    };
  await reader.close();
  return { ok: false, failure };

  /** Writes the file from its beginning; returns why it is incomplete, or null. */
  async function written(chunks: AsyncIterable<Result<Uint8Array>>): Promise<Failure | null> {
    let size = 0;
    for await (const chunk of chunks) {
      if (!chunk.ok) return chunk.failure;
      size += chunk.value.byteLength;
      if (size > LARGEST_PART) return failureOf('unreadable', { detail: `${part.name} does not end` });
      await writer.write(chunk.value, 0, chunk.value.byteLength, size - chunk.value.byteLength);
      onBytes(chunk.value.byteLength);
    }
    const isShort = size < part.length;
    return isShort
      ? failureOf('connectionLost', { host: store.hostname, detail: `${size} of ${part.length} bytes came` })
      : null;
  }
}

/** A new file that only its owner may open, opened twice and without a name. */
async function nameless(folder: string): Promise<{ reader: FileHandle; writer: FileHandle }> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, `part-${process.pid}-${++lastNumber}`);
    await rm(path, { force: true });
    const writer = await open(path, 'wx', 0o600);
    try {
      return { writer, reader: await open(path, 'r') };
    } finally {
      await rm(path, { force: true });
    }
  } catch (error) {
    throw new SpoolTrouble(`a part cannot be put down in ${folder}: ${fileTrouble(error)}`);
  }
}
