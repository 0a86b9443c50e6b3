import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';

/** Where the ledger of the quota lives: in the first of these directories that takes one. */
export type LedgerPlace = {
  /** Default: places that no environment moves, because two ledgers of one user allow twice the quota. */
  directories?: readonly string[];
  /** Default: this user. */
  user?: number;
};

const NAME = 'edgescope';
const PLACES = ['/dev/shm', '/tmp'] as const;
const BOOT_ID = '/proc/sys/kernel/random/boot_id';

/**
 * The directory for files that the user's processes share, existing, owned by the user and closed to others.
 * Throws when there is none.
 */
export function ledgerDirectory(place: LedgerPlace): string {
  const user = place.user ?? process.getuid?.() ?? 0;
  for (const directory of place.directories ?? PLACES) {
    const own = join(directory, `${NAME}-${user}`);
    try {
      mkdirSync(own, { mode: 0o700 });
    } catch {
      // It is there already, or cannot be: the next look tells.
    }
    if (isPrivate(own, user)) return own;
  }
  throw new Error('no directory of this user can hold the quota ledger');
}

/** Makes the file, closed to others, before a library makes it open; refuses a link or somebody else's file. */
export function makeOwnFile(path: string): void {
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
  try {
    const found = fstatSync(file);
    if (!found.isFile() || (process.getuid !== undefined && found.uid !== process.getuid())) {
      throw new Error('the quota ledger is not a file of this user');
    }
    if ((found.mode & 0o077) !== 0) chmodSync(path, 0o600);
  } finally {
    closeSync(file);
  }
}

/** Names the file at a path, as long as it is that file; null = there is none. */
export function identityOf(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev} ${found.ino}`;
}

/** Names the boot that monotonic times belong to; `unknown` where the system does not say. */
export function bootId(): string {
  try {
    return readFileSync(BOOT_ID, 'utf8').trim();
  } catch {
    return 'unknown';
  }
}

function isPrivate(directory: string, user: number): boolean {
  try {
    const found = lstatSync(directory);
    return found.isDirectory() && found.uid === user && (found.mode & 0o077) === 0;
  } catch {
    return false;
  }
}
