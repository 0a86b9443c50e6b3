import { constants } from 'node:fs';
import { type FileHandle, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  blocksOf,
  type EntryChange,
  type Notebook,
  type NotebookBlock,
  withChange,
  withEntry,
} from '../domain/handover/notebook.ts';
import { hasPseudonyms, withPseudonyms } from '../domain/handover/pseudonyms.ts';
import { DISK, type Disk, refuseStrange, replaceFile, writeAll } from '../files/durable-files.ts';
import { underLock } from '../files/file-lock.ts';
import { ifThere } from '../files/file-trouble.ts';
import { dayOf } from '../text/units.ts';
import type { Clock } from '../time/clock.ts';

type Access = { clock: Clock; fs?: Disk };

/** A notebook is read whole for its timeline. */
const LARGEST = 16 * 1024 * 1024;

/** The notebook of a UTC day. `at`: Unix ms. */
export function notebookPath(directory: string, at: number): string {
  return pathOfDay(directory, dayOf(at, 'utc'));
}

/** Which address is which pseudonym of a notebook; it stays with whoever wrote the notebook. */
export function addressesPath(directory: string, at: number): string {
  return addressesOfDay(directory, dayOf(at, 'utc'));
}

/**
 * Adds an entry to the notebook of its day, 0600; the first one of a day makes the file with its header. Findings are not
 * rewritten; the timeline that ends the notebook is made anew. The entry is on the disk when this resolves; where it
 * fails, what was written of it is taken back. `isMasked`: with pseudonyms for addresses.
 */
export async function addEntry(
  directory: string,
  entry: string,
  at: number,
  { clock, isMasked = false, fs = DISK }: Access & { isMasked?: boolean },
): Promise<string> {
  await fs.mkdir(directory, { recursive: true, mode: 0o700 });
  const day = dayOf(at, 'utc');
  await rewritten(directory, day, { clock, fs }, constants.O_CREAT, async (notebook) => {
    const masked = isMasked ? await maskedEntry(addressesPath(directory, at), entry) : entry;
    return { notebook: withEntry(notebook, rawOf(masked), day) };
  });
  return notebookPath(directory, at);
}

/**
 * Changes an entry of the notebook of a day as `withChange` says; null = it is done and on the disk. A note of an entry
 * with pseudonyms is written with them. `at`: Unix ms.
 */
export async function changeEntry(
  directory: string,
  { day, block, change, at }: { day: string; block: NotebookBlock; change: EntryChange; at: number },
  { clock, fs = DISK }: Access,
): Promise<string | null> {
  return rewritten(directory, day, { clock, fs }, 0, async (notebook) => {
    if (change.kind === 'strike') return withChange(notebook, block, change, at);
    const isMasked = hasPseudonyms(block.text);
    const note = isMasked ? await maskedEntry(addressesOfDay(directory, day), change.note) : change.note;
    return withChange(notebook, block, { ...change, note: rawOf(note) }, at);
  });
}

/** The notebook of a day as it is while no other program writes it. */
export async function readNotebook(
  directory: string,
  day: string,
  { clock, fs = DISK }: Access,
): Promise<Notebook> {
  const days = await daysIn(directory);
  const near = {
    before: days.findLast((each) => each < day) ?? null,
    after: days.find((each) => each > day) ?? null,
  };
  if (!days.includes(day)) return { blocks: null, ...near };
  const bytes = await underLock(lockIn(directory), clock, () => readWhole(fs, pathOfDay(directory, day)));
  return { blocks: blocksOf(bytes.toString('latin1'), day), ...near };
}

/** What a notebook is made into, its bytes one character each; a string says why it stays as it is. */
async function rewritten(
  directory: string,
  day: string,
  { clock, fs }: Required<Access>,
  flags: number,
  change: (notebook: string) => Promise<{ notebook: string } | string>,
): Promise<string | null> {
  return underLock(lockIn(directory), clock, async () => {
    const { O_RDWR, O_NOFOLLOW } = constants;
    const handle = await fs.open(pathOfDay(directory, day), O_RDWR | O_NOFOLLOW | flags, 0o600);
    try {
      const old = await readAll(handle);
      const next = await change(old.toString('latin1'));
      if (typeof next === 'string') return next;
      await replace(handle, old, Buffer.from(next.notebook, 'latin1'));
      return null;
    } finally {
      await handle.close();
    }
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
async function maskedEntry(path: string, entry: string): Promise<string> {
  const known = await knownAddresses(path);
  const numbers = new Map(known.map((address, index) => [address, index + 1]));
  const lines = withPseudonyms(entry.split('\n'), (address) => {
    const number = numbers.get(address) ?? numbers.size + 1;
    numbers.set(address, number);
    return number;
  });
  if (numbers.size > known.length) {
    await replaceFile(DISK, path, `${JSON.stringify([...numbers.keys()], null, 1)}\n`);
  }
  return lines.join('\n');
}

async function knownAddresses(path: string): Promise<string[]> {
  const bytes = await ifThere(readWhole(DISK, path), null);
  if (bytes === null) return [];
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value;
  } catch {
    // Told below.
  }
  throw new Error(`${path}, the list of its pseudonyms, is damaged`);
}

async function readWhole(fs: Disk, path: string): Promise<Buffer> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const handle = await fs.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  return readAll(handle).finally(() => handle.close());
}

/** The bytes of a notebook; what is not the user's own, or too large, throws. */
async function readAll(handle: FileHandle): Promise<Buffer> {
  const found = await handle.stat();
  refuseStrange(found);
  if (found.size > LARGEST) throw new Error('the notebook is too large');
  return handle.readFile();
}

/** The days that have a notebook, the first one first. */
async function daysIn(directory: string): Promise<string[]> {
  const names = await ifThere(readdir(directory), []);
  return names.flatMap((name) => /^edgescope-notebook-(\d{4}-\d\d-\d\d)\.md$/.exec(name)?.[1] ?? []).sort();
}

function lockIn(directory: string): string {
  return join(directory, 'notebook.lock');
}

function pathOfDay(directory: string, day: string): string {
  return join(directory, `edgescope-notebook-${day}.md`);
}

function addressesOfDay(directory: string, day: string): string {
  return join(directory, `edgescope-notebook-${day}.addresses.json`);
}

/** A text as its bytes in UTF-8, one character each. */
function rawOf(text: string): string {
  return Buffer.from(text).toString('latin1');
}
