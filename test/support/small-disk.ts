import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type SmallDisk = { ok: true; path: string; close: () => void } | { ok: false; why: string };

/** A disk of so many kB, which only root may have; a test without one says why. */
export function smallDisk(kilobytes: number): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), 'edgescope-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'none', path], {
    encoding: 'utf8',
  });
  const remove = () => rmSync(path, { recursive: true, force: true });
  if (mounted.status !== 0) {
    remove();
    return { ok: false, why: `no small disk: ${mounted.error?.message ?? mounted.stderr.trim()}` };
  }
  const close = () => {
    spawnSync('umount', ['-l', path]);
    remove();
  };
  return { ok: true, path, close };
}
