import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Architecture, NodeProgram } from './node-program.ts';
import { gzipped, type ProgramTexts, sharedEntries, xzipped } from './program-files.ts';
import { type ArchiveEntry, below, tarOf, textEntry } from './tar.ts';

/** Where the executable finds its Node: a path of its own, since Debian's `node` may be older. */
export const NODE_IN_DEBIAN = '/usr/lib/edgescope/node';

const DEBIAN_ARCHITECTURES: Readonly<Record<Architecture, string>> = { x64: 'amd64', arm64: 'arm64' };

/** What Node is linked with; the rest that the launcher calls is in every Debian. */
const DEPENDS = 'libc6 (>= 2.28), libgcc-s1 | libgcc1, libstdc++6 (>= 5)';

type DebContent = {
  version: string;
  architecture: Architecture;
  description: string;
  executable: string;
  texts: ProgramTexts;
  node: NodeProgram;
  /** Unix seconds. */
  time: number;
};

export function debName({ version, architecture }: Pick<DebContent, 'version' | 'architecture'>): string {
  return `edgescope_${version}_${DEBIAN_ARCHITECTURES[architecture]}.deb`;
}

/** A package of Debian: an `ar` archive of its version, its control files and its data. */
export function debOf(o: DebContent): Buffer {
  const data = debEntries(o);
  const members = {
    'debian-binary': Buffer.from('2.0\n'),
    'control.tar.gz': gzipped(tarOf(below('.', controlEntries(o, data)), o.time)),
    'data.tar.xz': xzipped(tarOf(below('.', data), o.time)),
  };
  return arOf(members, o.time);
}

/** What the package puts on the system, below its root. */
function debEntries({ executable, texts, node }: DebContent): ArchiveEntry[] {
  return below('usr', [
    { path: 'bin/edgescope', link: '../lib/edgescope/edgescope' },
    { path: 'lib/edgescope/edgescope', mode: 0o755, content: Buffer.from(executable) },
    { path: 'lib/edgescope/node', mode: 0o755, content: node.program },
    { path: 'share/man/man1/edgescope.1.gz', content: gzipped(Buffer.from(texts.manual)) },
    ...sharedEntries(texts),
    textEntry('lib/systemd/system/edgescope-keep.service', beside('edgescope-keep.service')),
    textEntry('lib/sysusers.d/edgescope-keep.conf', beside('edgescope-keep.sysusers')),
    textEntry('share/doc/edgescope/copyright', `${texts.license}\n${texts.notices}`),
    { path: 'share/doc/edgescope/LICENSE.node.gz', content: gzipped(node.license) },
  ]);
}

/** A text that stands beside this file. */
function beside(name: string): string {
  return readFileSync(join(import.meta.dirname, name), 'utf8');
}

function controlEntries(
  { version, architecture, description }: DebContent,
  data: readonly ArchiveEntry[],
): ArchiveEntry[] {
  const files = data.filter((entry) => 'content' in entry);
  const bytes = files.reduce((all, { content }) => all + content.byteLength, 0);
  const sums = files.map(({ path, content }) => `${hash('md5', content)}  ${path}\n`);
  const control = [
    'Package: edgescope',
    `Version: ${version}`,
    `Architecture: ${DEBIAN_ARCHITECTURES[architecture]}`,
    'Maintainer: the edgescope authors <edgescope@localhost>',
    `Installed-Size: ${Math.ceil(bytes / 1024)}`,
    `Depends: ${DEPENDS}`,
    'Section: net',
    'Priority: optional',
    'Description: terminal explorer of an edge platform',
    ` ${description}`,
    '',
  ];
  return [textEntry('control', control.join('\n')), textEntry('md5sums', sums.sort().join(''))];
}

/** An `ar` archive with the members in this order, all of root and of one time, in Unix seconds. */
function arOf(members: Readonly<Record<string, Buffer>>, time: number): Buffer {
  const parts = Object.entries(members).flatMap(([name, content]) => {
    const owner = '0     0     100644  ';
    const head = name.padEnd(16) + String(time).padEnd(12) + owner + String(content.byteLength).padEnd(10);
    const filling = Buffer.from(content.byteLength % 2 === 1 ? '\n' : '');
    return [Buffer.from(`${head}\`\n`), content, filling];
  });
  return Buffer.concat([Buffer.from('!<arch>\n'), ...parts]);
}
