import { readFileSync } from 'node:fs';

/**
 * Whether a process of this number runs, whoever owns it. `born` (see `bornAt`) tells it from another that has the
 * number now; 0 = unknown, and the number alone decides.
 */
export function isRunning(pid: number, born = 0): boolean {
  // 0 and below would address whole process groups.
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as { code?: string }).code !== 'EPERM') return false;
  }
  return born === 0 || bornAt(pid) === born;
}

/** When a process was born, in ticks since the boot; 0 where the system does not say. */
export function bornAt(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? 0);
  } catch {
    return 0;
  }
}
