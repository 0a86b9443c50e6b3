import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where the ledger of the quota lives: the session's runtime directory, else a private one under `temporary`. */
export type LedgerPlace = {
  /** `XDG_RUNTIME_DIR`; null when unset. */
  runtimeDirectory: string | null;
  temporary?: string;
  /** Default: this user. */
  user?: number;
};

const NAME = 'edgescope';
const BOOT_ID = '/proc/sys/kernel/random/boot_id';

/**
 * The directory for files that the user's processes share, existing, owned by the user and closed to others.
 * Throws when there is none.
 */
export function ledgerDirectory(place: LedgerPlace): string {
  const user = place.user ?? process.getuid?.() ?? 0;
  const runtime = place.runtimeDirectory;
  if (runtime !== null && isPrivate(runtime, user)) {
    const inside = join(runtime, NAME);
    mkdirSync(inside, { recursive: true, mode: 0o700 });
    if (isPrivate(inside, user)) return inside;
  }
  const fallback = join(place.temporary ?? tmpdir(), `${NAME}-${user}`);
  mkdirSync(fallback, { recursive: true, mode: 0o700 });
  if (!isPrivate(fallback, user))
    throw new Error('the directory of the quota ledger belongs to somebody else');
  return fallback;
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
