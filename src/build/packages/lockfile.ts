import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A package as the lock file pins it. `at`: its folder; `integrity`: `sha512-…` in base64. */
export type LockedPackage = {
  at: string;
  name: string;
  version: string;
  integrity: string;
  license: string | null;
};

const FOLDER = 'node_modules/';

type Entry = { version?: string; integrity?: string; license?: string };

/** The packages of the lock file in `root`, by their folder. */
export function lockedPackages(root: string): Map<string, LockedPackage> {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Entry>;
  };
  const locked = new Map<string, LockedPackage>();
  for (const [at, { version, integrity, license = null }] of Object.entries(packages)) {
    if (version === undefined || integrity === undefined) continue;
    const name = at.slice(at.lastIndexOf(FOLDER) + FOLDER.length);
    locked.set(at, { at, name, version, integrity, license });
  }
  return locked;
}

/** The folder, as the lock file writes it, of the package that a file belongs to; null for a file of our own. */
export function packageFolderOf(file: string): string | null {
  const at = file.indexOf(FOLDER);
  const [folder = null] = /^(?:node_modules\/(?:@[^/]+\/)?[^/]+\/)+/.exec(at < 0 ? '' : file.slice(at)) ?? [];
  return folder?.slice(0, -1) ?? null;
}

/** Throws where the content is not what the lock file pins. */
export function verify(content: Buffer, { name, version, integrity }: LockedPackage): void {
  if (integrity !== `sha512-${hash('sha512', content, 'base64')}`)
    throw new Error(`${name}@${version} is not what the lock file pins`);
}
