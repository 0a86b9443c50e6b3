import { randomBytes } from 'node:crypto';
import { link, open, readFile, rename, unlink } from 'node:fs/promises';
import type { Clock } from '../time/clock.ts';
import { isRunning } from './processes.ts';

/** How long another program's turn is waited for, and how often it is looked at, ms. */
const WAIT = { most: 5_000, step: 20 } as const;

/**
 * Does a piece of work while no other program does its own under the same lock file. A lock whose program is gone is
 * taken away. Throws when the turn does not come within five seconds.
 */
export async function underLock<T>(path: string, clock: Clock, work: () => Promise<T>): Promise<T> {
  const own = `${process.pid} ${randomBytes(8).toString('hex')}`;
  const start = clock.monotonic();
  while (!(await taken(path, own))) {
    await freed(path);
    if (clock.monotonic() - start > WAIT.most)
      throw new Error(`another program is writing it (${path} is there)`);
    await clock.sleep(WAIT.step * (0.5 + Math.random()));
  }
  try {
    return await work();
  } finally {
    await unlink(path).catch(() => undefined);
  }
}

async function taken(path: string, own: string): Promise<boolean> {
  // Written first and linked then, so that a lock is never seen without its owner.
  const mine = `${path}.${own.replace(' ', '-')}`;
  const file = await open(mine, 'wx', 0o600);
  try {
    await file.writeFile(own).finally(() => file.close());
    await link(mine, path);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === 'EEXIST') return false;
    throw error;
  } finally {
    await unlink(mine).catch(() => undefined);
  }
}

/** Takes a lock away whose program is gone; one that was taken anew meanwhile is put back. */
async function freed(path: string): Promise<void> {
  const seen = await readFile(path, 'utf8').catch(() => null);
  if (seen === null || isRunning(Number(seen.split(' ')[0]))) return;
  const aside = `${path}.${process.pid}.gone`;
  try {
    await rename(path, aside);
    if ((await readFile(aside, 'utf8')) !== seen) await link(aside, path);
  } catch {
    // Another program took it away first.
  } finally {
    await unlink(aside).catch(() => undefined);
  }
}
