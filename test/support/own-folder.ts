import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that is gone after the test. */
export function ownFolder(t: { after(end: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'edgescope-test-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
