import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { below, type Entry, textEntry } from './entries.ts';
import type { ProgramTexts } from './program-files.ts';

/** What npm takes beside `files`, whatever these say. */
const ALWAYS = ['LICENSE', 'README.md', 'package.json'] as const;

/** The built files that the npm package names in `files`, by their path, but for the executable. */
export function builtTexts(texts: ProgramTexts): Entry[] {
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
export function npmEntries(root: string, executable: string, texts: ProgramTexts): Entry[] {
  return below('package', [
    { path: 'dist/edgescope', mode: 0o755, content: Buffer.from(executable) },
    ...builtTexts(texts),
    ...ALWAYS.map((path) => ({ path, content: readFileSync(join(root, path)) })),
  ]);
}

export function writeEntries(folder: string, entries: readonly Entry[]): void {
  for (const entry of entries) {
    if ('link' in entry) throw new Error(`${entry.path} is a link`);
    const file = join(folder, entry.path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, entry.content, { mode: entry.mode ?? 0o644 });
  }
}
