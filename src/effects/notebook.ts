import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { type NotebookEntry, withEntry } from '../domain/handover/notebook.ts';
import { withPseudonyms } from '../domain/handover/pseudonyms.ts';
import { DISK, type Disk, refuseStrange, replaceFile, writeAll } from '../files/durable-files.ts';
import { underLock } from '../files/file-lock.ts';
import { ifThere } from '../files/file-trouble.ts';
import { dayOf } from '../text/units.ts';
import type { Clock } from '../time/clock.ts';

/** A notebook is read whole for its timeline. */
const LARGEST = 16 * 1024 * 1024;

/** The notebook of a UTC day. `at`: Unix ms. */
export function notebookPath(directory: string, at: number): string {
  return join(directory, `edgescope-notebook-${dayOf(at, 'utc')}.md`);
}

/** Which address is which pseudonym of a notebook; it stays with whoever wrote the notebook. */
export function addressesPath(directory: string, at: number): string {
  return join(directory, `edgescope-notebook-${dayOf(at, 'utc')}.addresses.json`);
}

/**
 * Adds an entry to the notebook of its day, 0600, as `withEntry` says. It is on the disk when this resolves; where it fails,
 * the notebook is as it was. `isMasked`: with pseudonyms for addresses.
 */
export async function addEntry(
  directory: string,
  entry: NotebookEntry,
  at: number,
  { clock, isMasked = false, fs = DISK }: { clock: Clock; isMasked?: boolean; fs?: Disk },
): Promise<string> {
  await fs.mkdir(directory, { recursive: true, mode: 0o700 });
  const path = notebookPath(directory, at);
  return underLock(join(directory, 'notebook.lock'), clock, async () => {
    const { O_RDWR, O_CREAT, O_NOFOLLOW } = constants;
    const handle = await fs.open(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600);
    try {
      const old = await readAll(handle);
      const added = isMasked ? await maskedEntry(addressesPath(directory, at), entry) : entry;
      await replace(handle, old, withEntry(old, added, dayOf(at, 'utc')));
    } finally {
      await handle.close();
    }
    return path;
  });
}

/** Writes what differs, and where that fails puts back what was there. */
async function replace(handle: FileHandle, old: Buffer, next: Buffer): Promise<void> {
  let same = 0;
  while (same < Math.min(old.length, next.length) && old[same] === next[same]) same++;
  try {
    await writeAll(handle, next.subarray(same), same);
    await handle.truncate(next.length);
    await handle.sync();
  } catch (error) {
    await writeAll(handle, old.subarray(same), same).catch(() => undefined);
    await handle.truncate(old.length);
    throw error;
  }
}

/** The entry with pseudonyms; addresses that are new to this notebook are numbered on, and written down first. */
async function maskedEntry(path: string, entry: NotebookEntry): Promise<NotebookEntry> {
  const known = await knownAddresses(path);
  const numbers = new Map(known.map((address, index) => [address, index + 1]));
  const [row = '', ...lines] = withPseudonyms([entry.row, ...entry.lines], (address) => {
    const number = numbers.get(address) ?? numbers.size + 1;
    numbers.set(address, number);
    return number;
  });
  if (numbers.size > known.length) {
    await replaceFile(DISK, path, `${JSON.stringify([...numbers.keys()], null, 1)}\n`);
  }
  return { lines, row };
}

async function knownAddresses(path: string): Promise<string[]> {
  const bytes = await ifThere(readWhole(path), null);
  if (bytes === null) return [];
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value;
  } catch {
    // Told below.
  }
  throw new Error(`${path}, the list of its pseudonyms, is damaged`);
}

async function readWhole(path: string): Promise<Buffer> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const handle = await DISK.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  return readAll(handle).finally(() => handle.close());
}

/** The bytes of a notebook; what is not the user's own, or too large, throws. */
async function readAll(handle: FileHandle): Promise<Buffer> {
  const found = await handle.stat();
  refuseStrange(found);
  if (found.size > LARGEST) throw new Error('the notebook is too large');
  return handle.readFile();
}
