import { closeSync, constants, openSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../time/clock.ts';
import { isBusy, openDatabase } from './sqlite.ts';

/** How long to wait for another program's turn, and between two looks, ms. */
const WAIT = { most: 5_000, step: 20 } as const;

/**
 * Does work while no other program does its own under the same lock file, which stays and is empty. The system holds
 * the lock (SQLite asks for it) and releases it when its program ends, however that ends: no process id is written
 * that another process may have later. Throws when the turn does not come within five seconds.
 */
export async function underLock<T>(path: string, clock: Clock, work: () => Promise<T>): Promise<T> {
  closeSync(openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600));
  const database = openDatabase(path, 0);
  try {
    const start = clock.monotonic();
    while (!isTaken(database, path)) {
      if (clock.monotonic() - start > WAIT.most)
        throw new Error(`another program is writing it (it holds ${path})`);
      await clock.sleep(WAIT.step * (0.5 + Math.random()));
    }
    return await work();
  } finally {
    database.close();
  }
}

function isTaken(database: DatabaseSync, path: string): boolean {
  try {
    // Nothing is written that would need a journal, and on a full disk there is no room for one.
    database.exec('PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE;');
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw new Error(`${path} cannot be locked: ${(error as Error).message}`);
  }
}
