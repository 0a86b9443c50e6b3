const BLOCK = 512;
const LONGEST_NAME = 100;
const FILE_MODE = 0o644;
const FOLDER_MODE = 0o755;

/** A file or a link of an archive; `path` has no leading slash, and folders above it are made as needed. */
export type ArchiveEntry = { path: string; mode?: number; content: Buffer } | { path: string; link: string };

/** The entries below a folder. */
export function below(folder: string, entries: readonly ArchiveEntry[]): ArchiveEntry[] {
  return entries.map((entry) => ({ ...entry, path: `${folder}/${entry.path}` }));
}

export function textEntry(path: string, text: string): ArchiveEntry {
  return { path, content: Buffer.from(text) };
}

type Head = { path: string; mode: number; size: number; type: '0' | '2' | '5'; link: string };

/**
 * A tar archive (ustar) in which nothing depends on the machine: entries sorted by their bytes, all of root and of one
 * time, in Unix seconds. Folders are entries of their own. Throws on a path that ustar cannot hold, and on two alike.
 */
export function tarOf(entries: readonly ArchiveEntry[], time: number): Buffer {
  const folders = new Set(entries.flatMap(({ path }) => foldersOf(path)));
  const names = [...folders, ...entries.map(({ path }) => path)];
  if (new Set(names).size < names.length) throw new Error('two entries of an archive have one path');
  const parts = [
    ...[...folders].map((path) => ({ path, blocks: [folderHead(path, time)] })),
    ...entries.map((entry) => ({ path: entry.path, blocks: blocksOf(entry, time) })),
  ].sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
  return Buffer.concat([...parts.flatMap(({ blocks }) => blocks), Buffer.alloc(2 * BLOCK)]);
}

/** `a/b/c` → `a/`, `a/b/`. */
function foldersOf(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return names
    .map((_, depth) => `${names.slice(0, depth + 1).join('/')}/`)
    .filter((folder) => folder !== './');
}

function folderHead(path: string, time: number): Buffer {
  return headOf({ path, mode: FOLDER_MODE, size: 0, type: '5', link: '' }, time);
}

function blocksOf(entry: ArchiveEntry, time: number): Buffer[] {
  const { path } = entry;
  if ('link' in entry) return [headOf({ path, mode: 0o777, size: 0, type: '2', link: entry.link }, time)];
  const { content, mode = FILE_MODE } = entry;
  const filling = Buffer.alloc((BLOCK - (content.byteLength % BLOCK)) % BLOCK);
  return [headOf({ path, mode, size: content.byteLength, type: '0', link: '' }, time), content, filling];
}

function headOf({ path, mode, size, type, link }: Head, time: number): Buffer {
  for (const name of [path, link])
    if (Buffer.byteLength(name) > LONGEST_NAME) throw new Error(`too long for the archive: ${name}`);
  const head = Buffer.alloc(BLOCK);
  head.write(path, 0);
  head.write(octal(mode, 8), 100);
  head.write(octal(0, 8), 108);
  head.write(octal(0, 8), 116);
  head.write(octal(size, 12), 124);
  head.write(octal(time, 12), 136);
  head.fill(' ', 148, 156);
  head.write(type, 156);
  head.write(link, 157);
  head.write('ustar\x0000', 257, 'latin1');
  head.write('root', 265);
  head.write('root', 297);
  const sum = head.reduce((all, byte) => all + byte, 0);
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return head;
}

/** A number as octal digits with a NUL behind them, `width` bytes in all. */
function octal(number: number, width: number): string {
  return `${number.toString(8).padStart(width - 1, '0')}\0`;
}
