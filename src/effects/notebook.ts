import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { entriesOf, TIMELINE_MARKS, timelineLines } from '../domain/handover/notebook.ts';
import { withPseudonyms } from '../domain/handover/pseudonyms.ts';
import { underLock } from '../files/file-lock.ts';
import type { Clock } from '../time/clock.ts';
import { refuseStrange } from './durable-files.ts';

/** The calls to the file system that an entry makes, handed in so that a test can let each of them fail. */
export type NotebookFs = { mkdir: typeof mkdir; open: typeof open };

/** A notebook is read whole for its timeline. */
const LARGEST = 16 * 1024 * 1024;

/** The notebook of a UTC day. `at`: Unix ms. */
export function notebookPath(directory: string, at: number): string {
  return join(directory, `edgescope-notebook-${dayOf(at)}.md`);
}

/** Which address is which pseudonym of a notebook; it stays with whoever wrote the notebook. */
export function addressesPath(directory: string, at: number): string {
  return join(directory, `edgescope-notebook-${dayOf(at)}.addresses.json`);
}

/**
 * Adds an entry to the notebook of its day, 0600; the first one of a day makes the file with its header. Findings are never
 * rewritten; the timeline that ends the notebook is made anew. The entry is on the disk when this resolves; where it
 * fails, what was written of it is taken back. `isMasked`: with pseudonyms for addresses.
 */
export async function addEntry(
  directory: string,
  entry: string,
  at: number,
  { clock, isMasked = false, fs = { mkdir, open } }: { clock: Clock; isMasked?: boolean; fs?: NotebookFs },
): Promise<string> {
  await fs.mkdir(directory, { recursive: true, mode: 0o700 });
  const path = notebookPath(directory, at);
  return underLock(join(directory, 'notebook.lock'), clock, async () => {
    const { O_RDWR, O_CREAT, O_NOFOLLOW } = constants;
    const handle = await fs.open(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600);
    try {
      const masked = isMasked ? await maskedEntry(addressesPath(directory, at), entry) : entry;
      await extend(handle, masked, at);
    } finally {
      await handle.close();
    }
    return path;
  });
}

/** The entry takes the place of the timeline, and the timeline follows. */
async function extend(handle: FileHandle, entry: string, at: number): Promise<void> {
  const found = await handle.stat();
  refuseStrange(found);
  const { size } = found;
  if (size > LARGEST) throw new Error('the notebook is too large');
  const old = size === 0 ? Buffer.alloc(0) : await readAll(handle, size);
  const timeline = timelineIn(old);
  const kept = old.subarray(0, timeline.from);
  // What somebody wrote behind the timeline stays, before the new finding.
  const after = old.subarray(timeline.to).toString('utf8').replace(/^\n/, '');
  const text = `${size === 0 ? header(at) : ''}${after}${entry}`;
  const lines = timelineLines(entriesOf(`${kept.toString('utf8')}${text}`));
  const tail = Buffer.from(`${text}${lines.map((line) => `${line}\n`).join('')}`);
  try {
    await writeAll(handle, tail, kept.length);
    await handle.truncate(kept.length + tail.length);
    await handle.sync();
  } catch (error) {
    await writeAll(handle, old.subarray(kept.length), kept.length).catch(() => undefined);
    await handle.truncate(size);
    throw error;
  }
}

/** Where the timeline stands in a notebook; its end where there is none. */
function timelineIn(notebook: Buffer): { from: number; to: number } {
  const none = { from: notebook.length, to: notebook.length };
  const from = notebook.lastIndexOf(`\n${TIMELINE_MARKS.start}\n`);
  if (from < 0) return none;
  const end = `\n${TIMELINE_MARKS.end}\n`;
  const to = notebook.indexOf(end, from);
  return to < 0 ? none : { from: from + 1, to: to + end.length };
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
  if (numbers.size > known.length) await saveAddresses(path, [...numbers.keys()]);
  return lines.join('\n');
}

async function knownAddresses(path: string): Promise<string[]> {
  let text: string;
  try {
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
    const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      refuseStrange(await file.stat());
      text = await file.readFile('utf8');
    } finally {
      await file.close();
    }
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return [];
    throw error;
  }
  let value: unknown = null;
  try {
    value = JSON.parse(text);
  } catch {
    // Told below.
  }
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value;
  throw new Error(`${path}, the list of its pseudonyms, is damaged`);
}

async function saveAddresses(path: string, addresses: readonly string[]): Promise<void> {
  // Nobody who may write in the folder can guess the name and have a link stand there.
  const temporary = `${path}.${randomBytes(6).toString('hex')}.new`;
  const file = await open(temporary, 'wx', 0o600);
  try {
    try {
      await file.writeFile(`${JSON.stringify(addresses, null, 1)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
}

async function readAll(handle: FileHandle, size: number): Promise<Buffer> {
  const bytes = Buffer.alloc(size);
  let done = 0;
  while (done < size) {
    const { bytesRead } = await handle.read(bytes, done, size - done, done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}

async function writeAll(handle: FileHandle, bytes: Buffer, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, at + done);
    done += bytesWritten;
  }
}

function header(at: number): string {
  return `# Incident notebook, ${dayOf(at)} (UTC)\n\nFindings with the commands that reproduce them, and at the end their timeline.\n\n`;
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
