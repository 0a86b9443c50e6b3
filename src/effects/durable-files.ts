import { constants, type Stats } from 'node:fs';
import type { FileHandle, mkdir, open, readdir, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { strangeFile } from '../domain/file-trouble.ts';

/** The calls to the file system that the journal makes, handed in so that a test can let each of them fail. */
export type JournalFs = {
  mkdir: typeof mkdir;
  open: typeof open;
  readdir: typeof readdir;
  unlink: typeof unlink;
};

const PRIVATE_FILE = 0o600;
const PRIVATE_DIRECTORY = 0o700;
const NEWLINE = 0x0a;

/** The directory, made with its parents where they lack; each new name is on the disk when this resolves. */
export async function makeDirectory(fs: JournalFs, path: string): Promise<void> {
  const first = await madeFirst(fs, path);
  if (first === null) return;
  for (let made = path; made.length >= first.length; made = dirname(made))
    await syncDirectory(fs, dirname(made));
}

/**
 * Makes the directory and those above it that lack; the uppermost that was made, null for none. Node's own way to do
 * so never ends where a directory takes no names although it is there, as in /proc.
 */
async function madeFirst(fs: JournalFs, path: string): Promise<string | null> {
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

/** A new file with this text, 0600, on the disk with its name when this resolves; nothing is left where it fails. */
export async function createFile(fs: JournalFs, path: string, text: string): Promise<void> {
  const file = await fs.open(path, 'wx', PRIVATE_FILE);
  try {
    try {
      await writeAll(file, Buffer.from(text));
      await file.sync();
    } finally {
      await file.close();
    }
    await syncDirectory(fs, dirname(path));
  } catch (error) {
    await fs.unlink(path).catch(() => undefined);
    throw error;
  }
}

/** One more line of a file, 0600, on the disk when this resolves. A line that an earlier failure tore is closed first. */
export async function appendLine(fs: JournalFs, path: string, line: string): Promise<void> {
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
export async function readEnd(fs: JournalFs, path: string, most: number): Promise<string> {
  let file: FileHandle;
  try {
    file = await fs.open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return '';
    throw error;
  }
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

/** Throws where an open file is not the user's own: others would read what is written, or have written what is read. */
export function refuseStrange(found: Stats): void {
  const trouble = strangeFile(found, process.getuid?.());
  if (trouble !== null) throw new Error(trouble);
}

/** The names in a directory are on the disk when this resolves. */
export async function syncDirectory(fs: Pick<JournalFs, 'open'>, path: string): Promise<void> {
  const directory = await fs.open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** A write may take less than it was given. */
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
