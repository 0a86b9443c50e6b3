import { setTimeout as sleep } from 'node:timers/promises';

// A guard against what never comes, not a wait: just below that of the test runner, so that what was awaited is told.
const HANGS_MS = 240_000;

/** Resolves when `holds`; looks again and again. For what another process does, which tells nobody. */
export async function until(holds: () => boolean, what: string): Promise<void> {
  const guard = performance.now() + HANGS_MS;
  while (!holds()) {
    if (performance.now() > guard) throw new Error(`waited in vain for ${what}`);
    await sleep(10);
  }
}
