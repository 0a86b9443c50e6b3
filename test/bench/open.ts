import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { headsOf } from '../support/heads.ts';
import type { Terminal } from '../support/terminal.ts';
import { type Figures, percentile } from './figures.ts';
import { keyCost, type Size, started, startedOnce } from './measures.ts';
import { type SavedFiles, savedFiles } from './saved-file.ts';
import { type Step, type Viewer, viewersOf } from './viewers.ts';

type Setting = { folder: string; figures: Figures; quick: boolean; notes: Set<string> };

const SIZE: Size = { columns: 120, rows: 40 };
const OURS = 'edgescope';
const GROUPS = ['one column', 'two columns'] as const;
const WAIT = 120_000;
const BETWEEN_KEYS = 15;

/** A million saved rows (a tenth of that in a quick run): opened, filtered, grouped and scrolled, with the peers. */
export async function measureOpen(setting: Setting): Promise<void> {
  const { folder, figures, quick } = setting;
  const files = savedFiles(folder, quick ? 100_000 : 1_000_000);
  const million = quick ? '100,000' : 'a million';
  const viewers = viewersOf(files, setting);
  const ours = viewers.find(({ program }) => program.name === OURS);
  if (ours !== undefined) await startedOnce(ours.program, SIZE);
  for (const viewer of viewers) await measureViewer(figures, `${million} v1 lines`, viewer, files);
  await measureEngine(setting, `${million} v1 lines`, files);
  if (!quick) await measureSmaller(setting);
  const objects = viewersOf({ ...files, v1: files.ndjson }, setting).filter(({ program }) =>
    [OURS, 'lnav'].includes(program.name),
  );
  for (const viewer of objects) await measureReading(figures, `${million} NDJSON rows`, viewer, files);
  await measureFloor(setting, files, `${million} NDJSON rows`);
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
    const time = async (step: Step | null | undefined): Promise<{ begun: number; all: number }> => {
      let begun = Number.NaN;
      if (!step) return { begun, all: Number.NaN };
      await terminal.quiet(300);
      if (step.before !== '') await terminal.type(step.before);
      // What is typed is worked on before the first byte of its answer is there: quiet alone would not tell.
      await sleep(300);
      await terminal.quiet(300);
      const mark = terminal.mark();
      await terminal.type(step.keys);
      const isDone = (screen: readonly string[]) => {
        if (Number.isNaN(begun) && step.isBegun?.(screen)) begun = terminal.since(mark).lastMs ?? Number.NaN;
        return step.isDone(screen);
      };
      await terminal.waitFor(isDone, { timeout: WAIT, what: `${program.name} after ${step.keys}` });
      const all = performance.now() - mark.at;
      await terminal.quiet(300);
      if (step.after !== '') await terminal.type(step.after);
      // A program that repaints a clock every second is never quiet for as long as its work may take.
      await sleep(1500);
      return { begun, all };
    };
    const filter = await time(viewer.filter);
    if (!Number.isNaN(filter.begun))
      figures.add(`${what}: filter → last byte of its first screen`, 'ms', { [program.name]: filter.begun });
    figures.add(`${what}: filter`, 'ms', { [program.name]: filter.all }, ratios(['less', 'lnav', 'fzf']));
    for (const [at, columns] of GROUPS.entries()) {
      figures.add(
        `${what}: group by ${columns}`,
        'ms',
        { [program.name]: (await time(viewer.groups[at])).all },
        ratios(['lnav', 'DuckDB']),
      );
    }
    if (!viewer.scrolls) return;
    await terminal.quiet(500);
    await terminal.type('g');
    await terminal.quiet(500);
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
  const ratios = ['less', 'lnav', 'fzf', 'JSON objects'].map((peer) => [OURS, peer] as const);
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
  await read.quiet(500);
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
  const [, place] = /([\d,]+)\/[\d,]+\s*$/.exec(headsOf(terminal.screen())) ?? [];
  return place === undefined ? 0 : Number(place.replaceAll(',', ''));
}

/** A file of a tenth of the rows: start → first rows. */
async function measureSmaller(setting: Setting): Promise<void> {
  for (const { program } of viewersOf(savedFiles(setting.folder, 100_000), setting)) {
    if (program.name !== OURS && program.name !== 'lnav') continue;
    const { terminal, readyMs } = await started(program, SIZE);
    await terminal.close();
    setting.figures.add('100,000 v1 lines: start → first rows', 'ms', { [program.name]: readyMs }, [
      [OURS, 'lnav'],
    ]);
  }
}

/** What the rows cost as the objects that `JSON.parse` makes of them, how fast it makes them, and what derived values cost. */
async function measureFloor({ figures }: Setting, files: SavedFiles, what: string): Promise<void> {
  const printed = async (script: string, ...flags: string[]): Promise<string> => {
    const args = [...flags, join(import.meta.dirname, script), files.ndjson];
    return (await promisify(execFile)(process.execPath, args)).stdout;
  };
  const told = async (...args: Parameters<typeof printed>) => Number(await printed(...args));
  const derived: Record<string, number> = JSON.parse(await printed('derived-groups.ts'));
  figures.add(`${what}: processor time of groups`, 'ms', derived, [['shape', 'page']]);
  const objects = await told('objects-memory.ts', '--expose-gc', '--max-old-space-size=4096');
  figures.add(`${what}: memory a row (RssAnon of all)`, 'B', { 'JSON objects': objects / files.rows });
  const values = {
    'file → book': (await told('open-ingest.ts')) / 1000,
    'JSON.parse alone': (await told('parse-floor.ts')) / 1000,
  };
  figures.add(`${what}: rows in`, 'thousand/s', values, [['file → book', 'JSON.parse alone']]);
}

/** DuckDB over the same lines as a table of its own in memory: the queries alone, without a terminal. */
async function measureEngine({ figures, notes }: Setting, what: string, files: SavedFiles): Promise<void> {
  const args = [join(import.meta.dirname, 'duckdb-groups.py'), files.v1];
  try {
    const { stdout } = await promisify(execFile)('python3', args);
    for (const [at, ms] of (JSON.parse(stdout) as number[]).entries())
      figures.add(`${what}: group by ${GROUPS[at]}`, 'ms', { DuckDB: ms });
  } catch {
    notes.add('The duckdb package of Python is not installed here and was not measured.');
  }
}
