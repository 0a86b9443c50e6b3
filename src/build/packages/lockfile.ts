import { createHash } from 'node:crypto';
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
  return new Map(
    Object.entries(packages).flatMap(([at, { version, integrity, license = null }]) =>
      version === undefined || integrity === undefined
        ? []
        : [
            [
              at,
              { at, name: at.slice(at.lastIndexOf(FOLDER) + FOLDER.length), version, integrity, license },
            ] as const,
          ],
    ),
  );
}

/** The folder, as the lock file writes it, of the package that a file belongs to; null for a file of our own. */
export function packageFolderOf(file: string): string | null {
  const at = file.indexOf(FOLDER);
  const [folder = null] = /^(?:node_modules\/(?:@[^/]+\/)?[^/]+\/)+/.exec(at < 0 ? '' : file.slice(at)) ?? [];
  return folder?.slice(0, -1) ?? null;
}

/** Throws where the content is not what the lock file pins. */
export function verify(content: Buffer, { name, version, integrity }: LockedPackage): void {
  const hash = createHash('sha512').update(content).digest('base64');
  if (integrity !== `sha512-${hash}`) throw new Error(`${name}@${version} is not what the lock file pins`);
}
