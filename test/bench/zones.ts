import { setTimeout as sleep } from 'node:timers/promises';
import { appTail, isBuilt } from './app.ts';
import { flowCost, started } from './measures.ts';
import { startEvenZones } from './programs.ts';
import type { Setting } from './sections.ts';

const SIZE = { columns: 120, rows: 40 };
const ROWS = 6000;
const ZONES = 12;
/** Until the history of every zone is read, which is no part of following them. */
const WARM_MS = 40_000;

/** As many rows a second out of twelve zones and out of one, which is what several zones in one log are held against. */
export async function measureZones({ figures, quick }: Setting): Promise<void> {
  if (!isBuilt()) return;
  for (const zones of [ZONES, 1]) {
    const feed = await startEvenZones(zones, ROWS / zones);
    const { terminal } = await started(appTail(feed), SIZE);
    try {
      await sleep(quick ? WARM_MS / 4 : WARM_MS);
      const cost = await flowCost(terminal, quick ? 10 : 20);
      const name = zones === 1 ? 'one zone' : 'twelve zones';
      const add = (what: string, unit: string, value: number) =>
        figures.add(`${ROWS} rows/s: ${what}`, unit, { [name]: value }, [['twelve zones', 'one zone']]);
      add('CPU', '%', cost.cpuPercent);
      add('bytes a second', 'B/s', cost.bytesPerSecond);
      add('resident memory', 'MB', cost.rssMb);
    } finally {
      await terminal.close();
      await feed.stop();
    }
  }
}
