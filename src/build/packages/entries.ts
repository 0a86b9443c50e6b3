/** A file or a link of an archive; `path` has no leading slash, and folders above it are made as needed. */
export type Entry = { path: string; mode?: number; content: Buffer } | { path: string; link: string };

/** The entries below a folder. */
export function below(folder: string, entries: readonly Entry[]): Entry[] {
  return entries.map((entry) => ({ ...entry, path: `${folder}/${entry.path}` }));
}

export function textEntry(path: string, text: string): Entry {
  return { path, content: Buffer.from(text) };
}
