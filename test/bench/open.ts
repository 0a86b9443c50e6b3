import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Terminal } from '../support/terminal.ts';
import { BUILT, isBuilt } from './app.ts';
import { type Figures, percentile } from './figures.ts';
import { lnavHome } from './lnav-home.ts';
import { keyCost, type Size, started, startedOnce } from './measures.ts';
import { installed, type Program } from './programs.ts';
import { type SavedFiles, savedFiles } from './saved-file.ts';

type Setting = { folder: string; figures: Figures; quick: boolean; notes: Set<string> };

/** One program over one file: how it is known to have read all of it, and how it filters and groups. */
type Viewer = {
  program: Program;
  /** Another start that ends when everything was read; null = the same one. */
  opener: Program | null;
  whole: RegExp;
  filter: Step | null;
  groups: Step | null;
  /** Keys that move a row and a page. */
  scrolls: boolean;
};
type Step = { before: string; keys: string; isDone: (screen: readonly string[]) => boolean; after: string };

const SIZE: Size = { columns: 120, rows: 40 };
const OURS = 'edgescope';
const WAIT = 120_000;
const BETWEEN_KEYS = 15;
const ROW = /\b(HIT|MISS|BYPASS)\b/;

/** A million saved rows (a tenth of that in a quick run): opened, filtered, grouped and scrolled, with the peers. */
export async function measureOpen(setting: Setting): Promise<void> {
  const { folder, figures, quick } = setting;
  const files = savedFiles(folder, quick ? 100_000 : 1_000_000);
  const million = quick ? '100,000' : 'a million';
  const viewers = viewersOf(files, setting);
  const ours = viewers.find(({ program }) => program.name === OURS);
  if (ours !== undefined) await startedOnce(ours.program, SIZE);
  for (const viewer of viewers) await measureViewer(figures, `${million} v1 lines`, viewer, files);
  const objects = viewersOf({ ...files, v1: files.ndjson }, setting).filter(({ program }) =>
    [OURS, 'lnav'].includes(program.name),
  );
  for (const viewer of objects) await measureReading(figures, `${million} NDJSON rows`, viewer, files);
  await measureFloor(setting, files);
}

async function measureViewer(
  figures: Figures,
  what: string,
  viewer: Viewer,
  files: SavedFiles,
): Promise<void> {
  const { program } = viewer;
  const terminal = await measureReading(figures, what, viewer, files, true);
  if (terminal === null) return;
  const ratios = (peers: string[]) => peers.map((peer) => [OURS, peer] as const);
  try {
    const time = async (step: Step | null): Promise<number> => {
      if (step === null) return Number.NaN;
      await terminal.settled(300);
      if (step.before !== '') await terminal.type(step.before);
      // What is typed is worked on before the first byte of its answer is there: quiet alone would not tell.
      await sleep(300);
      await terminal.settled(300);
      const from = performance.now();
      await terminal.type(step.keys);
      await terminal.waitFor(step.isDone, { timeout: WAIT, what: `${program.name} after ${step.keys}` });
      const ms = performance.now() - from;
      await terminal.settled(300);
      if (step.after !== '') await terminal.type(step.after);
      // A program that repaints a clock every second is never quiet for as long as its work may take.
      await sleep(1500);
      return ms;
    };
    figures.add(
      `${what}: filter`,
      'ms',
      { [program.name]: await time(viewer.filter) },
      ratios(['less', 'lnav', 'fzf']),
    );
    figures.add(
      `${what}: group by one column`,
      'ms',
      { [program.name]: await time(viewer.groups) },
      ratios(['lnav']),
    );
    if (!viewer.scrolls) return;
    await terminal.settled(500);
    await terminal.type('g');
    await terminal.settled(500);
    const row = await keyCost(terminal, ['j', 'k', 'j', 'j'], 10);
    const page = await keyCost(terminal, ['<PgDn>', '<PgDn>', '<PgUp>'], 6);
    figures.add(`${what}: one row down, up`, 'B', { [program.name]: row.bytes }, ratios(['less', 'lnav']));
    figures.add(
      `${what}: key → last byte, p50`,
      'ms',
      { [program.name]: row.settledP50 },
      ratios(['less', 'lnav']),
    );
    figures.add(`${what}: a page down, up`, 'B', { [program.name]: page.bytes }, ratios(['less', 'lnav']));
  } finally {
    await terminal.close();
  }
}

/** Start → first rows and → all rows read, and what the rows take; gives the terminal back when it is to be used on. */
async function measureReading(
  figures: Figures,
  what: string,
  viewer: Viewer,
  files: SavedFiles,
  goesOn = false,
): Promise<Terminal | null> {
  const { program, opener, whole } = viewer;
  const ratios = (['less', 'lnav', 'fzf'] as const).map((peer) => [OURS, peer] as const);
  const { terminal, readyMs } = await started(program, SIZE);
  figures.add(`${what}: start → first rows`, 'ms', { [program.name]: readyMs }, ratios);
  const read = opener === null ? terminal : (await started(opener, SIZE)).terminal;
  await read.waitFor(whole, { timeout: WAIT, what: `${program.name} to have read all` });
  figures.add(
    `${what}: start → all read`,
    'ms',
    { [program.name]: performance.now() - read.startedAt },
    ratios,
  );
  await read.settled(500);
  const bytes = (read.usage().anonMb * 1e6) / files.rows;
  figures.add(`${what}: memory a row (RssAnon of all)`, 'B', { [program.name]: bytes }, ratios);
  if (read !== terminal) await read.close();
  if (program.name === OURS) await measureKeysWhile(figures, what, viewer);
  if (goesOn) return terminal;
  await terminal.close();
  return null;
}

/**
 * Moves down a row again and again until all is read: how long each key waits for the frame that shows the cursor on
 * the next row, which the frames that only tell of rows read do not.
 */
async function measureKeysWhile(figures: Figures, what: string, { program, whole }: Viewer): Promise<void> {
  const { terminal } = await started(program, SIZE);
  const waits: number[] = [];
  let place = placeOf(terminal);
  while (!whole.test(terminal.text())) {
    const from = performance.now();
    place++;
    await terminal.type('j');
    await terminal.waitFor(() => placeOf(terminal) === place, { what: `the cursor on row ${place}` });
    waits.push(performance.now() - from);
    await sleep(BETWEEN_KEYS + Math.random() * BETWEEN_KEYS);
  }
  await terminal.close();
  const values = { p50: percentile(waits, 50), p90: percentile(waits, 90), most: Math.max(...waits) };
  figures.add(`${what}: a key while they are read → its frame`, 'ms', values);
}

/** The row of the cursor, as the list says it: "2/1,000,000". */
function placeOf(terminal: Terminal): number {
  const [, place] = /([\d,]+)\/[\d,]+\s*$/.exec(terminal.screen()[3] ?? '') ?? [];
  return place === undefined ? 0 : Number(place.replaceAll(',', ''));
}

async function measureFloor({ figures, quick }: Setting, files: SavedFiles): Promise<void> {
  const what = `${quick ? '100,000' : 'a million'} NDJSON rows: rows in`;
  const floor = join(import.meta.dirname, 'parse-floor.ts');
  const ingest = join(import.meta.dirname, 'open-ingest.ts');
  const run = async (script: string) =>
    Number((await promisify(execFile)(process.execPath, [script, files.ndjson])).stdout);
  const values = { 'file → book': (await run(ingest)) / 1000, 'JSON.parse alone': (await run(floor)) / 1000 };
  figures.add(what, 'thousand/s', values, [['file → book', 'JSON.parse alone']]);
}

function viewersOf({ v1: file, rows, misses }: SavedFiles, { folder, notes }: Setting): Viewer[] {
  const viewers: Viewer[] = [];
  const program = (name: string, args: string[], ready: RegExp, home?: string): Program | null => {
    const found = installed(name, args, ready);
    if (found === null) notes.add(`${name} is not installed here and was not measured.`);
    return found === null || home === undefined ? found : { ...found, home };
  };
  if (isBuilt()) {
    viewers.push({
      program: { name: OURS, command: BUILT, args: ['open', file], ready: ROW, home: join(folder, 'home') },
      opener: null,
      whole: /^.* READ$/m,
      filter: {
        before: 'icache:MISS',
        keys: '<Enter>',
        isDone: (screen) => /hidden here/.test(screen[2] ?? '') && /filtered/.test(screen[1] ?? ''),
        after: 'X',
      },
      groups: {
        before: 'bjj<Space>',
        keys: '<Enter>',
        isDone: (screen) => screen.some((line) => /MISS +[\d,]+ .*%/.test(line)),
        after: '<Esc>',
      },
      scrolls: true,
    });
  }
  const less = program('less', ['-S', file], ROW);
  if (less !== null) {
    viewers.push({
      program: less,
      opener: { ...less, args: ['-S', '+G', file], ready: /\(END\)/ },
      whole: /\(END\)/,
      filter: {
        before: '&MISS<Enter>',
        keys: 'G',
        isDone: (screen) => /\(END\)/.test(screen.join()),
        after: '&<Enter>',
      },
      groups: null,
      scrolls: true,
    });
  }
  const home = lnavHome(folder);
  const lnav = program('lnav', [file], ROW, home);
  if (lnav !== null) {
    viewers.push({
      program: lnav,
      opener: { ...lnav, args: ['-c', ':goto 100%', file] },
      whole: new RegExp(`L${rows - 10}|L${String(rows - 1).slice(0, -2)}\\d\\d`),
      filter: {
        before: '',
        keys: ':filter-in MISS<Enter>',
        isDone: (screen) => /filter now active/.test(screen.join()),
        after: ':delete-filter MISS<Enter>',
      },
      groups: {
        before: '',
        keys: ';SELECT cache, count(*) AS n FROM edge_lines GROUP BY cache<Enter>',
        isDone: (screen) => /SQL Result|MISS +\d{3}/.test(screen.join()),
        after: 'q',
      },
      scrolls: true,
    });
  }
  const fzf = program('sh', ['-c', `exec fzf --no-sort --no-mouse < ${file}`], /\d+\/\d+/);
  if (fzf !== null && installed('fzf', [], ROW) !== null) {
    viewers.push({
      program: { ...fzf, name: 'fzf' },
      opener: null,
      whole: new RegExp(`\\b${rows}/${rows}\\b`),
      filter: {
        before: '',
        keys: "'MISS",
        isDone: (screen) => screen.join().includes(`${misses}/${rows}`),
        after: '<C-u>',
      },
      groups: null,
      scrolls: false,
    });
  } else {
    notes.add('fzf is not installed here and was not measured.');
  }
  return viewers;
}
