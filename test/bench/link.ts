import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LinkRate } from '../support/slow-link.ts';
import type { Terminal } from '../support/terminal.ts';
import { BUILT, isBuilt } from './app.ts';
import { type Figures, percentile } from './figures.ts';
import { lnavHome } from './lnav-home.ts';
import { type Size, started, startedOnce } from './measures.ts';
import { installed, type Program } from './programs.ts';

type Setting = { folder: string; figures: Figures; quick: boolean; notes: Set<string> };
type Follower = { program: Program; prompt: RegExp };

const OURS = 'edgescope';
const SIZE: Size = { columns: 120, rows: 40 };
/** 256 kbit/s, and 100 ms there and back. */
const LINK: LinkRate = { bytesPerSecond: 32_000, delayMs: 50, bufferBytes: 65_536 };
const RATES = { lag: 100, prompt: 1000 };
const FIRST_ROWS = 2000;
/** Rows are written this often, ms: as a server that flushes its log. */
const WRITE_EVERY = 20;
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
    for (const make of followers(setting)) {
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

/** How a row tells its number, and the check of it. */
const TOLD = /\/row-(\d{7})-(\d\d)/g;
const ROW = /\/row-\d{7}-\d\d/;

function followers({ folder, notes }: Setting): ((file: string) => Follower)[] {
  const all: ((file: string) => Follower)[] = [];
  if (isBuilt()) {
    all.push((file) => ({
      program: {
        name: OURS,
        command: BUILT,
        args: ['open', '--follow', file],
        ready: ROW,
        home: join(folder, 'home'),
      },
      prompt: /^ \/text in any column/m,
    }));
  }
  const lnav = installed('lnav', [], ROW);
  if (lnav === null) notes.add('lnav is not installed here and was not measured.');
  else {
    const home = lnavHome(folder);
    all.push((file) => ({ program: { ...lnav, args: [file], home }, prompt: /Search for:/ }));
  }
  return all;
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

/** The screen may be half drawn: what was put together of two rows fails its check. */
function newestRow(terminal: Terminal): number {
  let newest = -1;
  for (const [, number, check] of terminal.text().matchAll(TOLD)) {
    if (checkOf(Number(number)) === check) newest = Math.max(newest, Number(number));
  }
  return newest;
}

function checkOf(row: number): string {
  return String((row * 37) % 97).padStart(2, '0');
}

/** Lines of v1 that tell their own number, and when each of them was written. */
class GrowingLog {
  readonly file: string;
  rows = 0;
  readonly #written: number[] = [];
  #timer: NodeJS.Timeout | null = null;

  constructor(file: string) {
    this.file = file;
    writeFileSync(file, '');
    this.#append(FIRST_ROWS);
  }

  grow(rate: number): void {
    const from = performance.now();
    const before = this.rows;
    this.#timer = setInterval(() => {
      const due = before + Math.floor(((performance.now() - from) * rate) / 1000);
      this.#append(due - this.rows);
    }, WRITE_EVERY);
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
  }

  writtenAt(row: number): number {
    return this.#written[row] ?? Number.NaN;
  }

  #append(count: number): void {
    const lines = Array.from({ length: count }, (_, i) => lineOf(this.rows + i));
    appendFileSync(this.file, lines.join(''));
    const now = performance.now();
    for (let i = 0; i < count; i += 1) this.#written.push(now);
    this.rows += count;
  }
}

function lineOf(row: number): string {
  const [cache, status] = row % 7 === 0 ? ['MISS', 502] : ['HIT', 200];
  const path = `/row-${String(row).padStart(7, '0')}-${checkOf(row)}`;
  const id = String(row).padStart(32, '0');
  const address = `192.0.2.${row % 250}`;
  return `${cache}|${status}|${Date.now()}|${1000 + (row % 900)}|7|${address}|-|https://shop.example${path}|WA|Mozilla/5.0 (X11; Linux x86_64)|${id}|DE\n`;
}
