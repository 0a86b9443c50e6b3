/**
 * `npm run package` writes every package into `dist/packages`, and what installs them; with `-- --url URL` for that place,
 * with `-- --only linux-x64` those for one platform. Twice they are the same bytes: `sha256sum --check` with the sums of a run
 * before tells. `prepack` is `-- --texts`: it builds what the npm package holds.
 */

import { hash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Bundle, bundledProgram, writeExecutable } from '../bundle.ts';
import { sourceTime, versionOf } from '../commit.ts';
import { type Executable, executableOf, PROGRAM_NAME } from '../launcher.ts';
import { type ArchiveEntry, below, beside, tarball, textEntry, writeEntries } from './archive.ts';
import { DEBIAN_ARCHITECTURES, debName, debOf, NODE_IN_DEBIAN } from './deb.ts';
import {
  type Library,
  type LockedPackage,
  lockedPackages,
  type NodeProgram,
  nodePackage,
  nodeProgram,
  type PackagePlatform,
  PLATFORM_NAMES,
  packageFolderOf,
} from './pinned.ts';
import { executableEntries, type ProgramTexts, programTexts, sharedEntries } from './program-files.ts';
import { sbomOf } from './sbom.ts';

/** Where the executable finds the Node beside it, and its program. */
const IN_PORTABLE = { node: '../lib/edgescope/node', place: `../lib/edgescope/${PROGRAM_NAME}` };

/** What is in a portable package of a bundled program: one folder that runs where it lies, or is laid over `/usr/local` or `~/.local`. */
export function portableEntries(o: {
  name: string;
  program: string;
  texts: ProgramTexts;
  node: NodeProgram;
}): ArchiveEntry[] {
  const { texts, node } = o;
  return below(o.name, [
    ...executableEntries('bin/edgescope', executableOf(o.program, IN_PORTABLE)),
    { path: 'lib/edgescope/node', mode: 0o755, content: node.program },
    textEntry('share/man/man1/edgescope.1', texts.manual),
    ...sharedEntries(texts, 'site-functions'),
    textEntry('share/doc/edgescope/LICENSE', texts.license),
    textEntry('share/doc/edgescope/THIRD-PARTY.txt', texts.notices),
    { path: 'share/doc/edgescope/LICENSE.node', content: node.notice },
    ...(node.library === null ? [] : besideNode(node.library)),
  ]);
}

function besideNode({ content }: Library): ArchiveEntry[] {
  return [
    { path: 'lib/edgescope/libatomic.so.1', content },
    textEntry('share/doc/edgescope/LICENSE.libatomic', beside('LICENSE.libatomic')),
  ];
}

export function portableName(version: string, platform: PackagePlatform): string {
  return `edgescope-${version}-${platform}`;
}

/** What npm takes unasked, and what the README leads to, so that its links lead somewhere where the package is installed. */
const DOCUMENTS = ['LICENSE', 'README.md', 'CHANGELOG.md', 'SECURITY.md', 'docs'] as const;

/** The built files that the npm package names in `files`, by their path, but for the executable. */
function builtTexts(texts: ProgramTexts): ArchiveEntry[] {
  return below('dist', [
    textEntry('edgescope.1', texts.manual),
    textEntry('edgescope.lnav.json', texts.lnav),
    textEntry('completions/edgescope.bash', texts.completions.bash),
    textEntry('completions/_edgescope', texts.completions.zsh),
    textEntry('completions/edgescope.fish', texts.completions.fish),
    textEntry('THIRD-PARTY.txt', texts.notices),
  ]);
}

/** What the npm package of this version holds, as npm packs it: below `package/`. */
export function npmEntries(
  root: string,
  version: string,
  executable: Executable,
  texts: ProgramTexts,
): ArchiveEntry[] {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return below('package', [
    ...executableEntries('dist/edgescope', executable),
    ...builtTexts(texts),
    textEntry('package.json', `${JSON.stringify({ ...manifest, version }, null, 2)}\n`),
    ...DOCUMENTS.flatMap((path) => filesIn(root, path)).map((path) => ({
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

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const DIST = join(ROOT, 'dist');
const OUTPUT = join(DIST, 'packages');
const CACHE = join(ROOT, '.cache');
/** Where packages are tried: a server of this folder on this machine. */
const USUAL_URL = 'http://127.0.0.1:8080';

type Made = { name: string; content: Buffer };

/** Everything that is the same in all packages. */
type Parts = Awaited<ReturnType<typeof makeParts>>;

/** The packages of the lock file whose files are in a bundle, each version once, by name. */
export function bundledPackages(
  { files }: Bundle,
  locked: ReadonlyMap<string, LockedPackage>,
): LockedPackage[] {
  const folders = new Set([...files].map(packageFolderOf).filter((folder) => folder !== null));
  const found = [...folders].map((folder) => {
    const entry = locked.get(folder);
    if (entry === undefined) throw new Error(`${folder} is in the bundle and not in the lock file`);
    return entry;
  });
  const once = new Map(found.map((each) => [`${each.name}@${each.version}`, each]));
  return [...once].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
}

/** Builds the program, and reads what goes with it. `time`: Unix seconds; `url`: where the packages will lie. */
async function makeParts(url: string) {
  const { description, license }: Record<'description' | 'license', string> = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  );
  const version = versionOf(ROOT);
  const bundle = await bundledProgram();
  const locked = lockedPackages(ROOT);
  const bundled = bundledPackages(bundle, locked);
  const folder = mkdtempSync(join(tmpdir(), 'edgescope-package-'));
  try {
    const program = join(folder, 'edgescope');
    writeExecutable(program, executableOf(bundle.text));
    const texts = programTexts(ROOT, program, bundled);
    const time = sourceTime(ROOT);
    return { url, version, description, license, bundle, bundled, locked, texts, time };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The packages for a platform: the portable one and, for Linux, Debian's. */
function platformPackages(parts: Parts, platform: PackagePlatform, node: NodeProgram): Made[] {
  const { version, description, url, bundle, texts, time } = parts;
  const name = portableName(version, platform);
  const entries = portableEntries({ name, program: bundle.text, texts, node });
  const made = [{ name: `${name}.tar.gz`, content: tarball(entries, time) }];
  const architecture = DEBIAN_ARCHITECTURES[platform];
  if (architecture === undefined) return made;
  const executable = executableOf(bundle.text, { node: NODE_IN_DEBIAN });
  const deb = { version, description, homepage: url, architecture, executable, texts, node, time };
  return [...made, { name: debName(deb), content: debOf(deb) }];
}

/** What installs the packages, with their place and their SHA-256, by the names of their files. */
export function installers(url: string, version: string, sums: ReadonlyMap<string, string>): Made[] {
  return ['install.sh', 'edgescope.rb', 'edgescope.nix'].map((name) => {
    const text = beside(name)
      .replaceAll('@URL@', url)
      .replaceAll('@VERSION@', version)
      // Some servers read a plus as a blank.
      .replaceAll('@VERSION_IN_URL@', encodeURIComponent(version))
      .replace(/@SHA256 (\S+)@/g, (_, of: string) => sums.get(of) ?? 'not made by --only');
    return { name, content: Buffer.from(text) };
  });
}

/** Every package, the bill of materials, what installs them, and last the checksums of all. */
function makePackages(parts: Parts, platforms: readonly PackagePlatform[]): Made[] {
  const { url, version, license, bundle, bundled, texts, time } = parts;
  const nodes = platforms.map((platform) => {
    const pinned = nodePackage(parts.locked, platform);
    return { platform, license: pinned.license, ...nodeProgram(ROOT, platform, pinned, CACHE) };
  });
  const npm = npmEntries(ROOT, version, executableOf(bundle.text), texts);
  const sbom = sbomOf({ version, license, bundled, nodes, time });
  const packages: Made[] = [
    { name: `edgescope-${version}.tgz`, content: tarball(npm, time) },
    { name: `edgescope-${version}.cdx.json`, content: Buffer.from(sbom) },
    ...nodes.flatMap((node) => platformPackages(parts, node.platform, node)),
  ];
  const sums = new Map(packages.map(({ name, content }) => [name, hash('sha256', content)]));
  const made = [...packages, ...installers(url, version, sums)];
  const lines = made.map(({ name, content }) => `${hash('sha256', content)}  ${name}\n`);
  return [...made, { name: 'SHA256SUMS', content: Buffer.from(lines.join('')) }];
}

async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      texts: { type: 'boolean' },
      only: { type: 'string' },
      url: { type: 'string' },
    },
  });
  const url = values.url ?? USUAL_URL;
  const parts = await makeParts(url);
  if (values.texts) {
    writeExecutable(join(DIST, 'edgescope'), executableOf(parts.bundle.text));
    writeEntries(ROOT, builtTexts(parts.texts));
    return;
  }
  const platforms = PLATFORM_NAMES.filter((each) => each === (values.only ?? each));
  if (platforms.length === 0) throw new Error(`--only takes ${PLATFORM_NAMES.join(' or ')}`);
  rmSync(OUTPUT, { recursive: true, force: true });
  mkdirSync(OUTPUT, { recursive: true });
  for (const { name, content } of makePackages(parts, platforms)) {
    writeFileSync(join(OUTPUT, name), content);
    console.log(`dist/packages/${name}  ${(content.byteLength / 1e6).toFixed(2)} MB`);
  }
}

if (import.meta.main) await run();
