import { hash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Executable } from '../launcher.ts';
import { type ArchiveEntry, below, beside, debianArchive, textEntry } from './archive.ts';
import type { NodeProgram } from './pinned.ts';
import { executableEntries, type ProgramTexts, sharedEntries } from './program-files.ts';

/** Where the executable finds its Node: a path of its own, since Debian's `node` may be older. */
export const NODE_IN_DEBIAN = '/usr/lib/edgescope/node';

/** What Debian calls a platform; undefined: it is none of Debian's. */
export const DEBIAN_ARCHITECTURES: Readonly<Record<string, string>> = {
  'linux-x64': 'amd64',
  'linux-arm64': 'arm64',
};

/** What Node is linked with; the rest that the launcher calls is in every Debian. */
const DEPENDS = 'libatomic1, libc6 (>= 2.28), libgcc-s1 | libgcc1, libstdc++6 (>= 7)';
/** Whoever publishes it puts a name here; mail to this one reaches nobody. */
const MAINTAINER = 'The edgescope authors <edgescope@example.com>';
/** A licence whose text every Debian has. */
const COMMON = {
  begin: /^ +Apache License\n/m,
  end: 'END OF TERMS AND CONDITIONS\n',
  where: 'The Apache License, Version 2.0, stands in /usr/share/common-licenses/Apache-2.0.\n',
};

type DebContent = {
  version: string;
  /** As Debian calls it. */
  architecture: string;
  description: string;
  homepage: string;
  executable: Executable;
  texts: ProgramTexts;
  node: NodeProgram;
  /** Unix seconds. */
  time: number;
};

export function debName({ version, architecture }: Pick<DebContent, 'version' | 'architecture'>): string {
  return `edgescope_${version}_${architecture}.deb`;
}

export function debOf(o: DebContent): Buffer {
  const data = debEntries(o);
  return debianArchive([...data, ...below('DEBIAN', controlEntries(o, data))], o.time);
}

/** What the package puts on the system, below its root. */
function debEntries({ version, time, executable, texts, node }: DebContent): ArchiveEntry[] {
  const changes = [
    `edgescope (${version}) unstable; urgency=medium`,
    '\n  * What changed stands in CHANGELOG.md.gz beside this file.\n',
    ` -- ${MAINTAINER}  ${new Date(time * 1000).toUTCString().replace('GMT', '+0000')}\n`,
  ];
  return below('usr', [
    { path: 'bin/edgescope', link: '../lib/edgescope/edgescope' },
    ...executableEntries('lib/edgescope/edgescope', executable),
    { path: 'lib/edgescope/node', mode: 0o755, content: node.program },
    zippedEntry('share/man/man1/edgescope.1', texts.manual),
    ...sharedEntries(texts, 'vendor-completions'),
    textEntry('lib/systemd/system/edgescope-keep.service', beside('edgescope-keep.service')),
    textEntry('lib/sysusers.d/edgescope-keep.conf', beside('edgescope-keep.sysusers')),
    textEntry('share/lintian/overrides/edgescope', beside('edgescope.lintian-overrides')),
    textEntry('share/doc/edgescope/copyright', `${texts.license}\n${withoutCommon(texts.notices)}`),
    zippedEntry('share/doc/edgescope/changelog', changes.join('\n')),
    zippedEntry('share/doc/edgescope/CHANGELOG.md', texts.changes),
    zippedEntry('share/doc/edgescope/LICENSE.node', node.notice),
  ]);
}

function zippedEntry(path: string, content: string | Buffer): ArchiveEntry {
  return { path: `${path}.gz`, content: gzipSync(content, { level: 9 }) };
}

function withoutCommon(notices: string): string {
  const [first, ...rest] = notices.split(COMMON.begin);
  return [first, ...rest.map((part) => part.slice(part.indexOf(COMMON.end) + COMMON.end.length))].join(
    COMMON.where,
  );
}

function controlEntries(o: DebContent, data: readonly ArchiveEntry[]): ArchiveEntry[] {
  const files = data.filter((entry) => 'content' in entry);
  const bytes = files.reduce((all, { content }) => all + content.byteLength, 0);
  const sums = files.map(({ path, content }) => `${hash('md5', content)}  ${path}\n`);
  const control = [
    'Package: edgescope',
    `Version: ${o.version}`,
    `Architecture: ${o.architecture}`,
    `Maintainer: ${MAINTAINER}`,
    `Installed-Size: ${Math.ceil(bytes / 1024)}`,
    `Depends: ${DEPENDS}`,
    'Section: net',
    'Priority: optional',
    `Homepage: ${o.homepage}`,
    'Description: terminal explorer of an edge platform',
    o.description.replace(/(.{1,78})(?: |$)/g, ' $1\n'),
  ];
  return [textEntry('control', control.join('\n')), textEntry('md5sums', sums.sort().join(''))];
}
