import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Figures } from './figures.ts';
import { followersOf } from './followers.ts';
import { GrowingLog } from './growing-log.ts';
import { flowCost, type Size, started } from './measures.ts';

type Setting = { folder: string; figures: Figures; quick: boolean; notes: Set<string> };

const SIZE: Size = { columns: 120, rows: 40 };
const RATES = [10, 100, 1000, 5000];
/** What was there before is read, and code gets warm. */
const WARM_MS = 3000;

/** A file that grows, followed to its end: what is written to the terminal for it, and the processor time. */
export async function measureFollow(setting: Setting): Promise<void> {
  const { folder, figures, quick } = setting;
  mkdirSync(folder, { recursive: true });
  for (const rate of quick ? RATES.slice(0, 2) : RATES) {
    for (const make of followersOf(setting)) {
      const log = new GrowingLog(join(folder, 'followed.log'));
      const { program } = make(log.file);
      const { terminal } = await started(program, SIZE);
      log.grow(rate);
      try {
        // To the end, where what is new is followed; less is there from the start.
        if (program.name !== 'less') await terminal.type('G');
        await sleep(WARM_MS);
        const cost = await flowCost(terminal, quick ? 3 : 8);
        const ratios = ['lnav', 'less'].map((peer) => ['edgescope', peer] as const);
        const what = `a file that grows by ${rate} rows/s:`;
        figures.add(`${what} bytes a second`, 'B/s', { [program.name]: cost.bytesPerSecond }, ratios);
        figures.add(`${what} CPU`, '%', { [program.name]: cost.cpuPercent }, ratios.slice(0, 1));
      } finally {
        log.stop();
        await terminal.close();
      }
    }
  }
}
