import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LinkRate } from '../support/slow-link.ts';
import type { Terminal } from '../support/terminal.ts';
import { type Figures, percentile } from './figures.ts';
import { followersOf } from './followers.ts';
import { GrowingLog, newestRow, ROW } from './growing-log.ts';
import { type Size, started, startedOnce } from './measures.ts';

type Setting = { folder: string; figures: Figures; quick: boolean; notes: Set<string> };

const OURS = 'edgescope';
const SIZE: Size = { columns: 120, rows: 40 };
/** 256 kbit/s, and 100 ms there and back. */
const LINK: LinkRate = { bytesPerSecond: 32_000, delayMs: 50, bufferBytes: 65_536 };
const RATES = { lag: 100, prompt: 1000 };
/** How often the screen is looked at, ms: the error of each time. */
const LOOK_EVERY = 2;
const PROMPT_EVERY = 700;

/**
 * A file that grows, followed over a slow line: how long until a row that was written is on the screen, and until the
 * prompt of a key is, while rows arrive.
 */
export async function measureLink(setting: Setting): Promise<void> {
  const { folder, figures, quick } = setting;
  mkdirSync(folder, { recursive: true });
  const ratios = [[OURS, 'lnav']] as const;
  for (const work of ['lag', 'prompt'] as const) {
    for (const make of followersOf(setting).slice(0, 2)) {
      const log = new GrowingLog(join(folder, `growing-${work}.log`));
      const { program, prompt } = make(log.file);
      if (program.name === OURS) await startedOnce({ ...program, ready: ROW }, SIZE);
      const { terminal } = await started({ ...program, link: LINK }, SIZE);
      log.grow(RATES[work]);
      try {
        // To the end, where what is new is followed.
        await terminal.type('G');
        await sleep(quick ? 2000 : 3000);
        const seconds = quick ? 4 : 8;
        const waits =
          work === 'lag'
            ? await rowLags(terminal, log, seconds)
            : await promptWaits(terminal, prompt, seconds);
        const name = `256 kbit/s line, ${RATES[work]} rows/s:`;
        const value = (p: number) => ({ [program.name]: percentile(waits, p) });
        if (work === 'lag') figures.add(`${name} row written → on the screen, p50`, 'ms', value(50), ratios);
        else figures.add(`${name} key → its prompt, p99`, 'ms', value(99), ratios);
      } finally {
        log.stop();
        await terminal.close();
      }
    }
  }
}

/** For each row that was written meanwhile: until it, or one that is newer, could be read on the screen, ms. */
async function rowLags(terminal: Terminal, log: GrowingLog, seconds: number): Promise<number[]> {
  const lags: number[] = [];
  const end = performance.now() + seconds * 1000;
  for (let next = log.rows; performance.now() < end; await sleep(LOOK_EVERY)) {
    const newest = newestRow(terminal);
    const now = performance.now();
    for (; next <= newest; next += 1) lags.push(now - log.writtenAt(next));
  }
  return lags;
}

/** Opens a prompt again and again: until it is on the screen, ms. */
async function promptWaits(terminal: Terminal, prompt: RegExp, seconds: number): Promise<number[]> {
  const waits: number[] = [];
  const isPrompted = () => prompt.test(terminal.text());
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const from = performance.now();
    await terminal.type('/');
    while (!isPrompted() && performance.now() < from + 5000) await sleep(LOOK_EVERY);
    waits.push(performance.now() - from);
    await terminal.type('<Esc>');
    while (isPrompted() && performance.now() < from + 10_000) await sleep(LOOK_EVERY);
    await sleep(Math.max(0, from + PROMPT_EVERY - performance.now()));
  }
  return waits;
}
