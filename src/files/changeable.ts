import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The group or everybody may write. A folder's sticky bit changes nothing: others may still add files that programs
 * look for in it.
 */
const OTHERS_WRITE = 0o022;

/** Folders of links that no program is loaded through. */
const COMMANDS = '.bin';

/**
 * How others than this user and root can change a file or folder, in words; null where they cannot, or files have no
 * owners.
 */
export function changeable(
  path: string,
  { uid, mode }: Pick<Stats, 'uid' | 'mode'>,
  user: number | undefined,
): string | null {
  if (user === undefined) return null;
  if (uid !== user && uid !== 0) return `${path} belongs to another user`;
  return (mode & OTHERS_WRITE) === 0 ? null : `${path} may be written by others`;
}

/** The same of a folder, which is no link, with all that is in it and the folders above it. */
export function changeableTree(folder: string, user: number | undefined): string | null {
  const found = changeableWithin(folder, user);
  if (found !== null) return found;
  for (let at = folder; dirname(at) !== at; at = dirname(at)) {
    const above = changeable(dirname(at), lstatSync(dirname(at)), user);
    if (above !== null) return above;
  }
  return null;
}

function changeableWithin(path: string, user: number | undefined): string | null {
  const found = lstatSync(path);
  if (found.isSymbolicLink()) return `${path} is a link to somewhere else`;
  const own = changeable(path, found, user);
  if (own !== null || !found.isDirectory()) return own;
  for (const name of readdirSync(path)) {
    const within = name === COMMANDS ? null : changeableWithin(join(path, name), user);
    if (within !== null) return within;
  }
  return null;
}
