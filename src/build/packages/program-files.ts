import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Executable } from '../launcher.ts';
import { type ArchiveEntry, textEntry } from './archive.ts';
import type { LockedPackage } from './pinned.ts';

/** What every package brings beside the program, by the names under which a build keeps it in `dist`. */
export type ProgramTexts = {
  manual: string;
  completions: Readonly<Record<'bash' | 'zsh' | 'fish', string>>;
  lnav: string;
  license: string;
  changes: string;
  /** The licences of the packages in the bundle, which must go with every copy. */
  notices: string;
};

/** The texts, as the executable at `program` prints them and the tree in `root` has them. */
export function programTexts(root: string, program: string, bundled: readonly LockedPackage[]): ProgramTexts {
  const told = (...words: readonly string[]) =>
    execFileSync(process.execPath, [program, ...words], { encoding: 'utf8' });
  return {
    manual: told('man'),
    completions: {
      bash: told('completion', 'bash'),
      zsh: told('completion', 'zsh'),
      fish: told('completion', 'fish'),
    },
    lnav: readFileSync(join(root, 'src/interop/edgescope.lnav.json'), 'utf8'),
    license: readFileSync(join(root, 'LICENSE'), 'utf8'),
    changes: readFileSync(join(root, 'CHANGELOG.md'), 'utf8'),
    notices: bundled.map((each) => noticeOf(root, each)).join('\n'),
  };
}

/** Both files of an executable whose launcher is at `path`. */
export function executableEntries(path: string, { launcher, program, place }: Executable): ArchiveEntry[] {
  return [
    { path, mode: 0o755, content: Buffer.from(launcher) },
    textEntry(posix.join(posix.dirname(path), place), program),
  ];
}

/** Where the texts lie below `/usr` or the folder of a portable package, but for the manual page and licences. `zsh`: its folder there. */
export function sharedEntries({ completions, lnav }: ProgramTexts, zsh: string): ArchiveEntry[] {
  return [
    textEntry('share/bash-completion/completions/edgescope', completions.bash),
    textEntry(`share/zsh/${zsh}/_edgescope`, completions.zsh),
    textEntry('share/fish/vendor_completions.d/edgescope.fish', completions.fish),
    textEntry('share/edgescope/edgescope.lnav.json', lnav),
  ];
}

function noticeOf(root: string, { at, name, version, license }: LockedPackage): string {
  const folder = join(root, at);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const file = names.sort().find((each) => /^(?:licen[cs]e|copying)(?:\.(?:md|txt))?$/i.test(each));
  const text =
    file === undefined ? `Licence: ${license ?? 'not told'}` : readFileSync(join(folder, file), 'utf8');
  const head = `${name} ${version}`;
  return `${head}\n${'-'.repeat(head.length)}\n\n${text.replaceAll('\r\n', '\n').trim()}\n`;
}
