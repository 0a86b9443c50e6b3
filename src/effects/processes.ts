/** Whether a process of this number is running, whoever owns it. */
export function isRunning(pid: number): boolean {
  // 0 and numbers below it would mean whole groups of processes.
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM';
  }
}
