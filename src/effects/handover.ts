import { randomBytes } from 'node:crypto';
import { constants, unlinkSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { type NotebookEntry, withEntry } from '../domain/handover/notebook.ts';
import type { ViewStore } from '../domain/handover/place.ts';
import { withPseudonyms } from '../domain/handover/pseudonyms.ts';
import type { SheetLine } from '../domain/handover/sheet.ts';
import { sheetWriter } from '../domain/handover/sheet-formats.ts';
import {
  DISK,
  type Disk,
  makeDirectory,
  refuseStrange,
  replaceFile,
  syncDirectory,
  writeAll,
} from '../files/durable-files.ts';
import { underLock } from '../files/file-lock.ts';
import { fileTrouble, ifThere } from '../files/file-trouble.ts';
import type { ExportJob, ExportOutcome } from '../state/handover-model.ts';
import type { Action, Effect } from '../state/messages.ts';
import { dayOf } from '../text/units.ts';
import type { Clock } from '../time/clock.ts';
import { type Running, untilStopped } from './supervise.ts';

/** Where what is handed over goes. */
export type HandoverPlaces = {
  /** Asks the terminal to put a text into the clipboard; false when the text is too long for terminals. */
  copy: (text: string) => boolean;
  views: ViewStore;
  /** The directory of notebooks, and those that a typed file name is relative to. */
  notebooks: string;
  current: string;
  home: string;
};

type HandoverEffect = Extract<
  Effect,
  { type: 'copy' | 'readViews' | 'saveView' | 'deleteView' | 'addFinding' }
>;

/** Carries out one order of the hand-over; its outcome goes in as an action. */
export async function handOver(
  effect: HandoverEffect,
  { places, clock }: { places: HandoverPlaces; clock: Clock },
  dispatch: (action: Action) => void,
): Promise<void> {
  switch (effect.type) {
    case 'copy': {
      const { text } = effect;
      dispatch({ type: 'copied', length: text.length, isSent: places.copy(text) });
      return;
    }
    case 'readViews':
      dispatch({ type: 'viewsRead', ...(await places.views.read()), done: null, failed: null });
      return;
    case 'saveView': {
      const { failed, ...file } = await places.views.save(effect.view);
      const done = `saved as ${effect.view.name}`;
      dispatch({ type: 'viewsRead', ...file, done, failed: failed && `not saved: ${failed}` });
      return;
    }
    case 'deleteView': {
      const { failed, ...file } = await places.views.remove(effect.name);
      const done = `deleted ${effect.name}`;
      dispatch({ type: 'viewsRead', ...file, done, failed: failed && `not deleted: ${failed}` });
      return;
    }
    case 'addFinding': {
      const { entry, at, isMasked } = effect;
      const path = shownPath(notebookPath(places.notebooks, at), places);
      try {
        await addEntry(places.notebooks, entry, at, { isMasked, clock });
        dispatch({ type: 'findingAdded', path });
      } catch (error) {
        dispatch({ type: 'findingFailed', path, why: fileTrouble(error) });
      }
    }
  }
}

/** Writes a file until it is complete or stopped; a stopped one leaves nothing behind. */
export function startExport(
  job: ExportJob,
  { places, clock }: { places: HandoverPlaces; clock: Clock },
  dispatch: (action: Action) => void,
): Running {
  const { id } = job;
  return untilStopped(dispatch, async (signal, tell) => {
    const advanced = (written: number) => tell({ type: 'exportAdvanced', id, written });
    const outcome = await exportFile(job, places, { clock, signal, advanced });
    tell({ type: 'exportEnded', id, outcome });
  });
}

/** The largest notebook, bytes: it is read whole for its timeline. */
const LARGEST = 16 * 1024 * 1024;

/** The notebook of a UTC day. `at`: Unix ms. */
export function notebookPath(directory: string, at: number): string {
  return join(directory, `edgescope-notebook-${dayOf(at, 'utc')}.md`);
}

/** Which address is which pseudonym of a notebook; the file stays with whoever wrote the notebook. */
export function addressesPath(directory: string, at: number): string {
  return join(directory, `edgescope-notebook-${dayOf(at, 'utc')}.addresses.json`);
}

/**
 * Adds an entry to the notebook of its day, 0600, as `withEntry` says. It is on the disk when this resolves; whenever
 * the machine stops, the notebook is whole with it or without it. `isMasked`: with pseudonyms for addresses.
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

/** The entry with pseudonyms; new addresses are numbered on, and written down first. */
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
    // Reported below.
  }
  throw new Error(`${path}, the list of its pseudonyms, is damaged`);
}

/** The bytes of a file; null where there is none. Throws for a file that is somebody else's or too large. */
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

/** Rows are made for at most this long before keys are answered, ms. */
const SLICE = 8;
/** Text gathered before it is written, UTF-16 units. */
const GATHERED = 256 * 1024;
/** Time between two reports of progress, ms. */
const REPORT_EVERY = 200;

/**
 * Writes a sheet to a new file, 0600: to a temporary file beside it, which gets the name once it is complete and on
 * the disk. An existing file stays. The rows are those in view at the call. When the signal aborts, the temporary
 * file goes at once.
 */
export async function exportFile(
  job: ExportJob,
  where: FilePlaces,
  o: { clock: Clock; signal: AbortSignal; advanced: (written: number) => void; fs?: Disk },
): Promise<ExportOutcome> {
  const fs = o.fs ?? DISK;
  // The first line takes the ids of all others: rows that arrive from now on are not in this file.
  const lines = job.sheet.lines()[Symbol.iterator]();
  const first = lines.next();
  const path = pathOf(job.path, where);
  const shown = shownPath(path, where);
  const temporary = join(dirname(path), temporaryName());
  const clean = () => removed(temporary);
  let handle: FileHandle | null = null;
  let isNamed = false;
  try {
    if (await isThere(fs, path))
      return { kind: 'exists', path: shown, free: await freeName(fs, job.path, where) };
    await removeAbandoned(fs, dirname(path), o.clock.wall());
    handle = await fs.open(temporary, 'wx', 0o600);
    o.signal.addEventListener('abort', clean);
    const sums = await written(handle, job, first, lines, o);
    await handle.sync();
    await handle.close();
    handle = null;
    if (o.signal.aborted) throw new Error('cancelled');
    isNamed = await named(fs, temporary, path);
    if (!isNamed) return { kind: 'exists', path: shown, free: await freeName(fs, job.path, where) };
    await syncDirectory(fs, dirname(path));
    return { kind: 'written', path: shown, ...sums };
  } catch (error) {
    // Nobody can tell whether the name is on the disk, and a file that was not written must not have one.
    if (isNamed) removed(path);
    return { kind: 'failed', path: shown, why: fileTrouble(error) };
  } finally {
    await handle?.close().catch(() => undefined);
    o.signal.removeEventListener('abort', clean);
    clean();
  }
}

async function written(
  handle: FileHandle,
  job: ExportJob,
  first: IteratorResult<SheetLine>,
  lines: Iterator<SheetLine>,
  o: { clock: Clock; signal: AbortSignal; advanced: (written: number) => void },
): Promise<{ rows: number; gaps: number; bytes: number }> {
  const writer = sheetWriter(job.format, job.sheet, job.source);
  let text = writer.head;
  let rows = 0;
  let gaps = 0;
  let bytes = 0;
  let begun = o.clock.monotonic();
  let reported = begun;
  const flush = async () => {
    const data = Buffer.from(text);
    text = '';
    await writeAll(handle, data);
    bytes += data.length;
  };
  for (let next = first; !next.done; next = lines.next()) {
    text += writer.line(next.value);
    if (next.value.kind === 'gap') gaps += 1;
    else rows += 1;
    if (o.clock.monotonic() - begun < SLICE) continue;
    if (text.length >= GATHERED) await flush();
    await o.clock.sleep(0);
    if (o.signal.aborted) throw new Error('cancelled');
    begun = o.clock.monotonic();
    if (begun - reported < REPORT_EVERY) continue;
    reported = begun;
    o.advanced(rows);
  }
  text += writer.tail(rows);
  await flush();
  return { rows, gaps, bytes };
}

/** The temporary file under its name; false when something took the name meanwhile. */
async function named(fs: Disk, temporary: string, path: string): Promise<boolean> {
  try {
    await fs.link(temporary, path);
    return true;
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'EEXIST') return false;
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP' && code !== 'ENOSYS') throw error;
  }
  // On a file system without links the name can only be taken between the look and the rename.
  if (await isThere(fs, path)) return false;
  await fs.rename(temporary, path);
  return true;
}

async function isThere(fs: Disk, path: string): Promise<boolean> {
  return (await ifThere(fs.lstat(path), null)) !== null;
}

/** The typed name with the first free number. */
async function freeName(fs: Disk, name: string, where: FilePlaces): Promise<string> {
  const [, stem = name, ending = ''] = /^(.*?)(\.[A-Za-z0-9]+)?$/s.exec(name) ?? [];
  for (let n = 2; n < 1000; n++) {
    const candidate = `${stem}-${n}${ending}`;
    if (!(await isThere(fs, pathOf(candidate, where)))) return candidate;
  }
  return `${stem}-${randomBytes(4).toString('hex')}${ending}`;
}

/** A file unchanged for this long, ms, was left by a killed program: one being written changed a moment ago. */
const ABANDONED = 60 * 60_000;
const TEMPORARY = /^\.edgescope-[0-9a-f]{12}\.tmp$/;

function temporaryName(): string {
  return `.edgescope-${randomBytes(6).toString('hex')}.tmp`;
}

/** Removes what this user's killed exports left in a directory. `now`: Unix ms. */
async function removeAbandoned(fs: Disk, directory: string, now: number): Promise<void> {
  for (const name of await fs.readdir(directory).catch(() => [])) {
    if (!TEMPORARY.test(name)) continue;
    const file = join(directory, name);
    const found = await fs.lstat(file).catch(() => null);
    if (found === null || !found.isFile() || found.uid !== process.getuid?.()) continue;
    if (now - found.mtimeMs > ABANDONED) removed(file);
  }
}

function removed(temporary: string): void {
  try {
    unlinkSync(temporary);
  } catch {
    // It has its name already, or was never made.
  }
}

/** The directories that a file name is relative to. */
type FilePlaces = { current: string; home: string };

/** The path that a typed name means; `~/` is the home directory. */
function pathOf(name: string, { current, home }: FilePlaces): string {
  const path = name === '~' || name.startsWith('~/') ? join(home, name.slice(1)) : name;
  return isAbsolute(path) ? path : resolve(current, path);
}

/** A path as short as it can be typed again: relative to the current directory, `~` for the home directory. */
export function shownPath(path: string, { current, home }: FilePlaces): string {
  const near = within(current, path);
  if (near !== null) return near;
  const ours = within(home, path);
  return ours === null ? path : `~/${ours}`;
}

function within(directory: string, path: string): string | null {
  const rest = relative(directory, path);
  return rest === '' || rest.startsWith('..') || isAbsolute(rest) ? null : rest;
}
