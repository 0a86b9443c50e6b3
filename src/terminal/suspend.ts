import type { Clock } from '../time/clock.ts';

/** Longer than the system takes to stop a process. */
const NOT_STOPPED_MS = 250;

/**
 * Stops the process group, as Ctrl-Z would, and resolves when it goes on. Where nobody could continue it (an orphaned
 * group) the system ignores the stop, and the promise resolves shortly after.
 */
export function stopUntilContinued(clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const goOn = (): void => {
      cancel();
      process.off('SIGCONT', goOn);
      resolve();
    };
    const cancel = clock.after(NOT_STOPPED_MS, goOn);
    process.on('SIGCONT', goOn);
    process.kill(0, 'SIGTSTP');
  });
}
