/** Longer than the system takes to stop a process. */
const NOT_STOPPED_MS = 250;

/**
 * Stops the process group, as Ctrl-Z would, and resolves when it goes on. Where nobody could continue it (an orphaned
 * group) the system ignores the stop, and the promise resolves shortly after.
 */
export function stopUntilContinued(): Promise<void> {
  return new Promise((resolve) => {
    const goOn = (): void => {
      clearTimeout(timer);
      process.off('SIGCONT', goOn);
      resolve();
    };
    const timer = setTimeout(goOn, NOT_STOPPED_MS);
    process.on('SIGCONT', goOn);
    process.kill(0, 'SIGTSTP');
  });
}
