/**
 * `npm run package` writes every package into `dist/packages`; with `-- --check` it makes them twice and compares, with
 * `-- --only x64` those for one architecture. `prepack` is `-- --texts`: it builds what the npm package holds.
 */

import { hash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Bundle, bundledProgram, writeExecutable } from '../bundle.ts';
import { sourceTime } from '../commit.ts';
import { withLauncher } from '../launcher.ts';
import { debName, debOf, NODE_IN_DEBIAN } from './deb.ts';
import { type LockedPackage, lockedPackages, packageFolderOf } from './lockfile.ts';
import {
  ARCHITECTURES,
  type Architecture,
  type NodeProgram,
  nodePackage,
  nodeProgram,
} from './node-program.ts';
import { gzipped, type ProgramTexts, programTexts, sharedEntries, xzipped } from './program-files.ts';
import { sbomOf } from './sbom.ts';
import { type ArchiveEntry, below, tarOf, textEntry } from './tar.ts';

/** Where the executable finds the Node beside it. */
const NODE_IN_PORTABLE = '../lib/edgescope/node';

/**
 * What is in a portable package: one folder that runs where it lies, or is laid over `/usr/local` or `~/.local`.
 * `executable` has the launcher that looks for its Node at `NODE_IN_PORTABLE`.
 */
function portableEntries(o: {
  name: string;
  executable: string;
  texts: ProgramTexts;
  node: NodeProgram;
}): ArchiveEntry[] {
  const { texts, node } = o;
  return below(o.name, [
    { path: 'bin/edgescope', mode: 0o755, content: Buffer.from(o.executable) },
    { path: 'lib/edgescope/node', mode: 0o755, content: node.program },
    textEntry('share/man/man1/edgescope.1', texts.manual),
    ...sharedEntries(texts),
    textEntry('share/doc/edgescope/LICENSE', texts.license),
    textEntry('share/doc/edgescope/THIRD-PARTY.txt', texts.notices),
    { path: 'share/doc/edgescope/LICENSE.node', content: node.license },
  ]);
}

export function portableName(version: string, architecture: Architecture): string {
  return `edgescope-${version}-linux-${architecture}`;
}

/** What npm takes beside `files`, whatever these say. */
const ALWAYS = ['LICENSE', 'README.md', 'package.json'] as const;

/** What the README leads to, so that its links lead somewhere where the package is installed. */
const DOCUMENTS = ['CHANGELOG.md', 'SECURITY.md', 'docs'] as const;

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

function writeEntries(folder: string, entries: readonly ArchiveEntry[]): void {
  for (const entry of entries) {
    if ('link' in entry) throw new Error(`${entry.path} is a link`);
    const file = join(folder, entry.path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, entry.content, { mode: entry.mode ?? 0o644 });
  }
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const DIST = join(ROOT, 'dist');
const OUTPUT = join(DIST, 'packages');
const CACHE = join(ROOT, '.cache');

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

/** Builds the program, and reads what goes with it. `time`: Unix seconds. */
async function makeParts() {
  const { version, description, license }: Record<'version' | 'description' | 'license', string> = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  );
  const bundle = await bundledProgram();
  const locked = lockedPackages(ROOT);
  const bundled = bundledPackages(bundle, locked);
  const folder = mkdtempSync(join(tmpdir(), 'edgescope-package-'));
  try {
    const program = join(folder, 'edgescope');
    writeExecutable(program, withLauncher(bundle.text));
    const texts = programTexts(ROOT, program, bundled);
    return { version, description, license, bundle, bundled, locked, texts, time: sourceTime(ROOT) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The packages for a Linux of one architecture: the portable one and Debian's. */
function linuxPackages(parts: Parts, architecture: Architecture, node: NodeProgram): Made[] {
  const { version, description, bundle, texts, time } = parts;
  const name = portableName(version, architecture);
  const portable = { name, texts, node, executable: withLauncher(bundle.text, NODE_IN_PORTABLE) };
  const executable = withLauncher(bundle.text, NODE_IN_DEBIAN);
  const deb = { version, description, architecture, executable, texts, node, time };
  return [
    { name: `${name}.tar.xz`, content: xzipped(tarOf(portableEntries(portable), time)) },
    { name: debName(deb), content: debOf(deb) },
  ];
}

/** Every package, the bill of materials and last the checksums of all. */
function makePackages(parts: Parts, architectures: readonly Architecture[]): Made[] {
  const { version, license, bundle, bundled, texts, time } = parts;
  const nodes = architectures.map((architecture) => {
    const pinned = nodePackage(parts.locked, architecture);
    return { architecture, pinned, node: nodeProgram(ROOT, pinned, CACHE) };
  });
  const shipped = nodes.map(({ architecture, pinned: { license }, node: { version, program } }) => ({
    architecture,
    version,
    license,
    program,
  }));
  const npm = npmEntries(ROOT, withLauncher(bundle.text), texts);
  const made: Made[] = [
    { name: `edgescope-${version}.tgz`, content: gzipped(tarOf(npm, time)) },
    {
      name: `edgescope-${version}.cdx.json`,
      content: Buffer.from(sbomOf({ version, license, bundled, nodes: shipped, time })),
    },
    ...nodes.flatMap(({ architecture, node }) => linuxPackages(parts, architecture, node)),
  ];
  const sums = made.map(({ name, content }) => `${hash('sha256', content)}  ${name}\n`);
  return [...made, { name: 'SHA256SUMS', content: Buffer.from(sums.join('')) }];
}

async function run(): Promise<void> {
  const { values } = parseArgs({
    options: { texts: { type: 'boolean' }, check: { type: 'boolean' }, only: { type: 'string' } },
  });
  const parts = await makeParts();
  if (values.texts) {
    writeExecutable(join(DIST, 'edgescope'), withLauncher(parts.bundle.text));
    writeEntries(ROOT, builtTexts(parts.texts));
    return;
  }
  const architectures = ARCHITECTURES.filter((each) => each === (values.only ?? each));
  if (architectures.length === 0) throw new Error(`--only takes ${ARCHITECTURES.join(' or ')}`);
  const made = makePackages(parts, architectures);
  rmSync(OUTPUT, { recursive: true, force: true });
  mkdirSync(OUTPUT, { recursive: true });
  for (const { name, content } of made) {
    writeFileSync(join(OUTPUT, name), content);
    console.log(`dist/packages/${name}  ${(content.byteLength / 1e6).toFixed(2)} MB`);
  }
  if (!values.check) return;
  const again = makePackages(await makeParts(), architectures);
  const differing = again.filter(({ content }, n) => !made[n]?.content.equals(content));
  if (differing.length > 0)
    throw new Error(`not the same twice: ${differing.map(({ name }) => name).join(', ')}`);
  console.log('made twice: the same bytes');
}

if (import.meta.main) await run();
