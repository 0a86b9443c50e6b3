import { accessSync, constants, existsSync, mkdtempSync, readdirSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type LedgerPlace, ledgerDirectory, openBook } from '../api/quota/ledger-file.ts';
import { hostLane } from '../api/quota/quota.ts';
import type { Directories } from '../config/directories.ts';
import { viewStore } from '../config/kept/saved-views.ts';
import { findPlace, placesIn } from '../config/kept/session-places.ts';
import { fileTrouble } from '../files/file-trouble.ts';
import { shellCommand } from '../text/shell-command.ts';
import { counted } from '../text/units.ts';
import type { Clock } from '../time/clock.ts';
import { type DoctorFinding, fine, noted, troubled } from './finding.ts';

const NOTEBOOK = /^edgescope-notebook-\d{4}-\d\d-\d\d\.md$/;

/** The ledger that all processes of the user count requests in; makes it where there is none. */
export function quotaFinding(place: LedgerPlace, clock: Clock, baseUrl: string | null): DoctorFinding {
  try {
    const now = clock.monotonic();
    const book = openBook(place, now);
    try {
      const used = baseUrl === null ? 0 : book.view(hostLane(baseUrl), now).used;
      return fine('quota', `${ledgerDirectory(place)}, ${counted(used, 'request')} in the present window`);
    } finally {
      book.close();
    }
  } catch (error) {
    return noted(
      'quota',
      `the ledger cannot be used: ${fileTrouble(error)}`,
      'make /dev/shm or /tmp writable; until then each process keeps to an eighth of the quota',
    );
  }
}

/** Where undo, audit, notebooks and sessions are kept: whether it takes files. */
export function stateFinding({ state }: Directories): DoctorFinding {
  const todo = 'make it writable, or set XDG_STATE_HOME to a folder that is';
  try {
    if (!existsSync(state)) {
      accessSync(nearestAbove(state), constants.W_OK);
      return fine('state', `${state}, made when something is kept`);
    }
    rmdirSync(mkdtempSync(join(state, '.doctor-')));
  } catch (error) {
    return troubled('state', `${state} takes no files: ${fileTrouble(error)}`, todo);
  }
  const close = closing(state);
  return close === null ? fine('state', state) : noted('state', `${state} is open to others`, close);
}

/** What is kept in files: notebooks, places of sessions that were cut off, saved views. */
export async function storeFindings({ state, config }: Directories, clock: Clock): Promise<DoctorFinding[]> {
  return [notebooks(state), await sessions(state, clock), await views(config, clock)];
}

function notebooks(state: string): DoctorFinding {
  try {
    const days = existsSync(state) ? readdirSync(state).filter((name) => NOTEBOOK.test(name)) : [];
    return fine('notebooks', counted(days.length, 'day'));
  } catch (error) {
    return troubled('notebooks', `${state} cannot be read: ${fileTrouble(error)}`, 'check its permissions');
  }
}

async function sessions(state: string, clock: Clock): Promise<DoctorFinding> {
  const { newest, unusable } = await findPlace(placesIn(state), clock.wall());
  const [first] = unusable;
  if (newest !== null) return fine('sessions', 'one was cut off; edgescope --resume goes on with it');
  return first === undefined
    ? fine('sessions', 'none was cut off')
    : noted('sessions', first, `remove what cannot be resumed from ${placesIn(state)}`);
}

async function views(config: string, clock: Clock): Promise<DoctorFinding> {
  const { views: saved, trouble } = await viewStore(config, { clock }).read();
  return trouble === null
    ? fine('views', counted(saved.length, 'saved view'))
    : troubled('views', trouble, 'nothing is saved until that is put right');
}

/** The command that closes a folder to others; null where it is closed. */
function closing(folder: string): string | null {
  if ((statSync(folder).mode & 0o077) === 0) return null;
  return shellCommand(['chmod', '700', folder]) ?? 'close it to others';
}

function nearestAbove(path: string): string {
  const above = dirname(path);
  return existsSync(above) || above === path ? above : nearestAbove(above);
}
