import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const FILE_MODE = 0o644;
const MOST = 256 * 1024 * 1024;
/** What package managers call sane: a folder that everybody may read. */
const MASK = 0o022;

/** A file or a link of an archive; `path` has no leading slash, and folders above it are made as needed. */
export type ArchiveEntry = { path: string; mode?: number; content: Buffer } | { path: string; link: string };

/** The entries below a folder. */
export function below(folder: string, entries: readonly ArchiveEntry[]): ArchiveEntry[] {
  return entries.map((entry) => ({ ...entry, path: `${folder}/${entry.path}` }));
}

export function textEntry(path: string, text: string): ArchiveEntry {
  return { path, content: Buffer.from(text) };
}

/** A text that stands beside this file. */
export function beside(name: string): string {
  return readFileSync(join(import.meta.dirname, name), 'utf8');
}

/** Writes the entries below a folder. */
export function writeEntries(folder: string, entries: readonly ArchiveEntry[]): void {
  for (const entry of entries) {
    const file = join(folder, entry.path);
    mkdirSync(dirname(file), { recursive: true });
    if ('link' in entry) symlinkSync(entry.link, file);
    else writeFileSync(file, entry.content, { mode: entry.mode ?? FILE_MODE });
  }
}

/** What `make` makes of a folder with the entries, whose modes do not depend on who makes it. */
function laidOut(entries: readonly ArchiveEntry[], make: (root: string) => Buffer): Buffer {
  const mask = process.umask(MASK);
  const folder = mkdtempSync(join(tmpdir(), 'edgescope-package-'));
  try {
    const root = join(folder, 'root');
    writeEntries(root, entries);
    return make(root);
  } finally {
    process.umask(mask);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A gzipped tar archive in which nothing depends on the machine: sorted, of root and of one time, in Unix seconds. */
export function tarball(entries: readonly ArchiveEntry[], time: number): Buffer {
  const same = ['--sort=name', '--format=ustar', '--owner=root:0', '--group=root:0', `--mtime=@${time}`];
  return laidOut(entries, (root) =>
    told('tar', ['--create', '--use-compress-program=gzip -n', ...same, '-C', root, ...readdirSync(root)]),
  );
}

/** A package of Debian with these entries; `time`, Unix seconds, is the latest that any of it bears. */
export function debianArchive(entries: readonly ArchiveEntry[], time: number): Buffer {
  return laidOut(entries, (root) => {
    const file = `${root}.deb`;
    const same = ['--root-owner-group', '--threads-max=1', '-Zxz', '-z3'];
    told('dpkg-deb', [...same, '--build', root, file], { env: { SOURCE_DATE_EPOCH: String(time) } });
    return readFileSync(file);
  });
}

/** What a tool prints. Throws where it fails, or is not installed. */
export function told(
  tool: string,
  words: readonly string[],
  { env = {}, ...how }: { env?: NodeJS.ProcessEnv; input?: Buffer; cwd?: string } = {},
): Buffer {
  try {
    const stdio: ['pipe', 'pipe', 'inherit'] = ['pipe', 'pipe', 'inherit'];
    return execFileSync(tool, words, { ...how, maxBuffer: MOST, stdio, env: { ...process.env, ...env } });
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOENT') throw error;
    throw new Error(`${tool} is not installed; packages are made on a Linux with GNU tar, gzip and dpkg-deb`);
  }
}
