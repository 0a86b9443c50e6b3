// Loaded before the program by NODE_OPTIONS: what only the process itself can tell, a line of JSON each time.
import { appendFileSync } from 'node:fs';
import { constants, PerformanceObserver } from 'node:perf_hooks';

const EVERY = 5_000;
const file = process.env['EDGESCOPE_SOAK_PROBE'];

/** What is alive: the heap as a full collection of the program's own left it, MB. None is forced. */
let alive = null;
if (file !== undefined) {
  new PerformanceObserver((list) => {
    const isFull = list
      .getEntries()
      .some(({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR);
    if (isFull) alive = process.memoryUsage().heapUsed / 2 ** 20;
  }).observe({ entryTypes: ['gc'] });
  setInterval(() => {
    const resources = Object.groupBy(process.getActiveResourcesInfo(), (kind) => kind);
    const counts = Object.entries(resources).map(([kind, list]) => [kind, list.length]);
    const memory = Object.entries(process.memoryUsage()).map(([kind, bytes]) => [kind, bytes / 2 ** 20]);
    const line = {
      at: Date.now(),
      alive,
      memory: Object.fromEntries(memory),
      resources: Object.fromEntries(counts),
    };
    appendFileSync(file, `${JSON.stringify(line)}\n`);
    alive = null;
  }, EVERY).unref();
}
