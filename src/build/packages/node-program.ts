import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LockedPackage, verify } from './lockfile.ts';
import { mappedPart } from './mapped-part.ts';

export const ARCHITECTURES = ['x64', 'arm64'] as const;

export type Architecture = (typeof ARCHITECTURES)[number];

/** Node's own program for Linux, and the text of its licence. */
export type NodeProgram = { version: string; program: Buffer; license: Buffer };

/** The package of the lock file that has Node for Linux. */
export function nodePackage(
  locked: ReadonlyMap<string, LockedPackage>,
  architecture: Architecture,
): LockedPackage {
  const found = locked.get(`node_modules/node-linux-${architecture}`);
  if (found === undefined) throw new Error(`the lock file has no Node for linux ${architecture}`);
  return found;
}

/**
 * Node as the lock file pins it: from node_modules where npm has installed it, else by `npm pack` into `cache`, where it
 * is kept. Throws where it cannot be had, or is another one.
 */
export function nodeProgram(root: string, pinned: LockedPackage, cache: string): NodeProgram {
  const folder = join(root, pinned.at);
  const read = existsSync(join(folder, 'bin/node'))
    ? (name: string) => readFileSync(join(folder, name))
    : packedFiles(pinned, cache);
  return { version: pinned.version, program: mappedPart(read('bin/node')), license: read('LICENSE') };
}

function packedFiles(pinned: LockedPackage, cache: string): (name: string) => Buffer {
  const { name, version } = pinned;
  const file = join(cache, `${name}-${version}.tgz`);
  if (!existsSync(file)) {
    mkdirSync(cache, { recursive: true });
    const words = ['pack', `${name}@${version}`, '--pack-destination', cache, '--loglevel=error'];
    execFileSync('npm', words, { stdio: ['ignore', 'ignore', 'inherit'] });
  }
  verify(readFileSync(file), pinned);
  return (path) => execFileSync('tar', ['-xzOf', file, `package/${path}`], { maxBuffer: 256 * 1024 * 1024 });
}
