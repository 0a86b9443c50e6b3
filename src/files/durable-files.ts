import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fsyncSync,
  openSync,
  renameSync,
  type Stats,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { type FileHandle, link, lstat, mkdir, open, readdir, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ifThere, strangeFile } from './file-trouble.ts';

/** The file system calls behind every durable write, passed on so that a test can make each fail. */
export const DISK = { link, lstat, mkdir, open, readdir, rename, unlink };
export type Disk = typeof DISK;

const PRIVATE_FILE = 0o600;
const PRIVATE_DIRECTORY = 0o700;
const NEWLINE = 0x0a;

/** Makes the directory and missing parents; every new name is on the disk when this resolves. */
export async function makeDirectory(fs: Disk, path: string): Promise<void> {
  const first = await madeFirst(fs, path);
  if (first === null) return;
  for (let made = path; made.length >= first.length; made = dirname(made))
    await syncDirectory(fs, dirname(made));
}

/**
 * Makes the directory and its missing parents; returns the uppermost one made, null for none. Node's own way never
 * ends in an existing directory that takes no names, as in /proc.
 */
async function madeFirst(fs: Disk, path: string): Promise<string | null> {
  const make = () =>
    fs.mkdir(path, { mode: PRIVATE_DIRECTORY }).then(
      () => 'made' as const,
      (error: { code?: string }) => {
        if (error.code === 'EEXIST') return 'there' as const;
        throw error;
      },
    );
  try {
    return (await make()) === 'made' ? path : null;
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOENT' || dirname(path) === path) throw error;
  }
  const above = await madeFirst(fs, dirname(path));
  return (await make()) === 'made' ? (above ?? path) : above;
}

/** Makes a new file with this text, 0600, on the disk with its name when this resolves; a failure leaves nothing. */
export function createFile(fs: Disk, path: string, text: string): Promise<void> {
  return written(fs, path, text, () => syncDirectory(fs, dirname(path)));
}

/** Leaves the old file or one that holds this, 0600, never half of it, even when the machine stops meanwhile. */
export function replaceFile(fs: Disk, path: string, content: string | Buffer): Promise<void> {
  const temporary = unguessable(path);
  return written(fs, temporary, content, async () => {
    await fs.rename(temporary, path);
    await syncDirectory(fs, dirname(path));
  });
}

/** `replaceFile`, synchronous. A dying process may leave `temporary`; with `isLasting` the file survives a power loss. `mode`: the bits that the umask may take from. */
export function replaceFileNow(
  path: string,
  text: string,
  {
    temporary = unguessable(path),
    isLasting = false,
    mode = PRIVATE_FILE,
  }: { temporary?: string; isLasting?: boolean; mode?: number } = {},
): void {
  const file = openSync(temporary, 'wx', mode);
  try {
    try {
      writeWhole(file, text);
      if (isLasting) fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    unlinkSync(temporary);
    throw error;
  }
}

/** A name beside the file that nobody can guess to place a link in advance. */
function unguessable(path: string): string {
  return `${path}.${randomBytes(6).toString('hex')}.tmp`;
}

async function written(
  fs: Disk,
  path: string,
  content: string | Buffer,
  finish: () => Promise<void>,
): Promise<void> {
  const file = await fs.open(path, 'wx', PRIVATE_FILE);
  try {
    try {
      await writeAll(file, typeof content === 'string' ? Buffer.from(content) : content);
      await file.sync();
    } finally {
      await file.close();
    }
    await finish();
  } catch (error) {
    await fs.unlink(path).catch(() => undefined);
    throw error;
  }
}

/** Appends a line to a file, 0600; on the disk when this resolves. First ends a line that an earlier failure tore. */
export async function appendLine(fs: Disk, path: string, line: string): Promise<void> {
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;
  const file = await fs.open(path, flags, PRIVATE_FILE);
  let isNew: boolean;
  try {
    const found = await file.stat();
    refuseStrange(found);
    if ((found.mode & 0o077) !== 0) await file.chmod(PRIVATE_FILE);
    isNew = found.size === 0;
    await writeAll(file, Buffer.from(`${(await endsTorn(file, found.size)) ? '\n' : ''}${line}\n`));
    await file.sync();
  } finally {
    await file.close();
  }
  if (isNew) await syncDirectory(fs, dirname(path));
}

/** The last `most` bytes of a file as text; empty where there is no file. */
export async function readEnd(fs: Disk, path: string, most: number): Promise<string> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await ifThere(fs.open(path, flags), null);
  if (file === null) return '';
  try {
    const found = await file.stat();
    refuseStrange(found);
    const { size } = found;
    const bytes = Buffer.alloc(Math.min(size, most));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Throws when an open file is not the user's own: others could read what is written, or have written what is read. */
export function refuseStrange(found: Stats): void {
  const trouble = strangeFile(found, process.getuid?.());
  if (trouble !== null) throw new Error(trouble);
}

/** The names in a directory are on the disk when this resolves. */
export async function syncDirectory(fs: Disk, path: string): Promise<void> {
  const directory = await fs.open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** Writes all bytes behind the last ones: one write may take fewer. */
export async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done);
    done += bytesWritten;
  }
}

async function endsTorn(file: FileHandle, size: number): Promise<boolean> {
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  await file.read(last, 0, 1, size - 1);
  return last[0] !== NEWLINE;
}

/** Writes a whole text into an open file: one write may take less. Throws as `writeSync` does. */
export function writeWhole(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}
