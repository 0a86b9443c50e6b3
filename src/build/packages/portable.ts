import type { Architecture, NodeProgram } from './node-program.ts';
import { type ProgramTexts, sharedEntries } from './program-files.ts';
import { type ArchiveEntry, below, textEntry } from './tar.ts';

/** Where the executable finds the Node beside it. */
export const NODE_IN_PORTABLE = '../lib/edgescope/node';

/**
 * What is in a portable package: one folder that runs where it lies, or is laid over `/usr/local` or `~/.local`.
 * `executable` has the launcher that looks for its Node at `NODE_IN_PORTABLE`.
 */
export function portableEntries(o: {
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
