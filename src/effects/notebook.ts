import { constants } from 'node:fs';
import { join } from 'node:path';
import { type NotebookEntry, withEntry } from '../domain/handover/notebook.ts';
import { withPseudonyms } from '../domain/handover/pseudonyms.ts';
import { DISK, type Disk, makeDirectory, refuseStrange, replaceFile } from '../files/durable-files.ts';
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
 * Adds an entry to the notebook of its day, 0600, as `withEntry` says. It is on the disk when this resolves; the notebook is
 * whole with it or without it, even when the machine stops meanwhile. `isMasked`: with pseudonyms for addresses.
 */
export async function addEntry(
  directory: string,
  entry: NotebookEntry,
  at: number,
  { clock, isMasked = false, fs = DISK }: { clock: Clock; isMasked?: boolean; fs?: Disk },
): Promise<string> {
  await makeDirectory(fs, directory);
  const path = notebookPath(directory, at);
  return underLock(join(directory, 'notebook.lock'), clock, async () => {
    const notebook = await readWhole(path);
    const added = isMasked ? await maskedEntry(addressesPath(directory, at), entry) : entry;
    await replaceFile(fs, path, withEntry(notebook ?? Buffer.alloc(0), added, dayOf(at, 'utc')));
    return path;
  });
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
  const bytes = await readWhole(path);
  if (bytes === null) return [];
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value;
  } catch {
    // Told below.
  }
  throw new Error(`${path}, the list of its pseudonyms, is damaged`);
}

/** The bytes of a file, null where there is none; what is not the user's own, or too large, throws. */
async function readWhole(path: string): Promise<Buffer | null> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const handle = await ifThere(DISK.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK), null);
  if (handle === null) return null;
  try {
    const found = await handle.stat();
    refuseStrange(found);
    if (found.size > LARGEST) throw new Error('the notebook is too large');
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}
