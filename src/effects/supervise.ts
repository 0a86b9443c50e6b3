/** Something that runs until it is stopped. */
export type Running = { stop: () => void };

/**
 * Keeps exactly the wanted things running: what is no longer wanted is stopped, what is new is started, and what is
 * wanted still goes on undisturbed. Two wants are the same when their keys are.
 */
export function createSupervisor<Want extends { key: string }, Job extends Running>(
  start: (want: Want) => Job,
) {
  const running = new Map<string, Job>();
  return {
    match(wants: readonly Want[]): void {
      const keys = new Set(wants.map((want) => want.key));
      for (const [key, job] of running) {
        if (keys.has(key)) continue;
        running.delete(key);
        job.stop();
      }
      for (const want of wants) {
        if (!running.has(want.key)) running.set(want.key, start(want));
      }
    },
    jobs(): Job[] {
      return [...running.values()];
    },
  };
}
