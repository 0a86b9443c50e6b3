import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ProgramTexts } from './program-files.ts';
import { type ArchiveEntry, below, textEntry } from './tar.ts';

/** What npm takes beside `files`, whatever these say. */
const ALWAYS = ['LICENSE', 'README.md', 'package.json'] as const;

/** What the README leads to, so that its links lead somewhere where the package is installed. */
const DOCUMENTS = ['CHANGELOG.md', 'SECURITY.md', 'docs'] as const;

/** The built files that the npm package names in `files`, by their path, but for the executable. */
export function builtTexts(texts: ProgramTexts): ArchiveEntry[] {
  return below('dist', [
    textEntry('edgescope.1', texts.manual),
    textEntry('edgescope.lnav.json', texts.lnav),
    textEntry('completions/edgescope.bash', texts.completions.bash),
    textEntry('completions/_edgescope', texts.completions.zsh),
    textEntry('completions/edgescope.fish', texts.completions.fish),
    textEntry('THIRD-PARTY.txt', texts.notices),
  ]);
}

/** What the npm package holds, as npm packs it: below `package/`. */
export function npmEntries(root: string, executable: string, texts: ProgramTexts): ArchiveEntry[] {
  return below('package', [
    { path: 'dist/edgescope', mode: 0o755, content: Buffer.from(executable) },
    ...builtTexts(texts),
    ...[...ALWAYS, ...DOCUMENTS.flatMap((path) => filesIn(root, path))].map((path) => ({
      path,
      content: readFileSync(join(root, path)),
    })),
  ]);
}

/** A file itself, or the files below a folder, in order; as paths from the root. */
function filesIn(root: string, path: string): string[] {
  if (!statSync(join(root, path)).isDirectory()) return [path];
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => filesIn(root, `${path}/${name}`));
}

export function writeEntries(folder: string, entries: readonly ArchiveEntry[]): void {
  for (const entry of entries) {
    if ('link' in entry) throw new Error(`${entry.path} is a link`);
    const file = join(folder, entry.path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, entry.content, { mode: entry.mode ?? 0o644 });
  }
}
