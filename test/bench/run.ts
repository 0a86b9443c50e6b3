// Measures the built program against the floors and the peers of this machine, all in one run:
//   node test/bench/run.ts [--quick] [--rounds N] [--only start,keys,tail,idle,ingest,open,follow,link,fresh] [--write]
// With `--against REF` the program of another commit is built beside, and both are measured in turn, without their peers.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../support/source.ts';
import { isBuilt, measured } from './app.ts';
import { ratioChart } from './chart.ts';
import { Figures } from './figures.ts';
import { bundleBaselines } from './programs.ts';
import { SECTIONS, type Setting } from './sections.ts';

const README = join(import.meta.dirname, 'README.md');
const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    only: { type: 'string' },
    write: { type: 'boolean', default: false },
    against: { type: 'string' },
  },
});

const folder = mkdtempSync(join(tmpdir(), 'edgescope-bench-'));
try {
  const rounds = Number(flags.rounds ?? (flags.quick ? 1 : 5));
  const wanted = flags.only?.split(',') ?? Object.keys(SECTIONS);
  const setting: Setting = {
    folder,
    figures: new Figures(),
    baselines: await bundleBaselines(folder),
    quick: flags.quick,
    notes: new Set(isBuilt() ? [] : ['dist/edgescope is not built: only the baselines were measured.']),
  };
  if (flags.against === undefined) await besidePeers(setting, wanted, rounds);
  else console.log(await againstOther(flags.against, { rounds, wanted, setting }));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function besidePeers(setting: Setting, wanted: readonly string[], rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) await measure(setting, wanted, round);
  const report = [
    `Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model.trim()}), ${rounds} interleaved rounds.`,
    'Ratios are taken within a round; times drift with the machine, bytes do not.',
    ...setting.notes,
    '',
    setting.figures.table(),
    '',
    'The medians of the ratios as bars: left of the line is cheaper, right of it dearer, four blocks a doubling.',
    '',
    '```text',
    ratioChart(setting.figures.ratios().filter(({ value }) => value > 0)),
    '```',
  ].join('\n');
  console.log(report);
  if (flags.write) writeFileSync(README, readme(report));
}

async function measure(setting: Setting, wanted: readonly string[], round: number): Promise<void> {
  for (const [name, section] of Object.entries(SECTIONS)) {
    if (!wanted.includes(name)) continue;
    process.stderr.write(`round ${round + 1}: ${name}${measured.isAlone ? ` of ${measured.tree}` : ''}\n`);
    await section(setting, round);
  }
}

/** The ratios of this tree to another commit, both measured in turn: which goes first changes from round to round. */
async function againstOther(
  ref: string,
  { rounds, wanted, setting }: { rounds: number; wanted: readonly string[]; setting: Setting },
): Promise<string> {
  const tree = join(setting.folder, 'other');
  const git = (...args: string[]) => execFileSync('git', ['-C', ROOT, ...args], { stdio: 'inherit' });
  git('worktree', 'add', '--quiet', '--detach', tree, ref);
  try {
    installPackages(tree);
    execFileSync('npm', ['run', '--silent', 'build'], { cwd: tree, stdio: ['ignore', 2, 2] });
    measured.isAlone = true;
    const sides = [ROOT, tree].map((each, at) => ({
      tree: each,
      setting: { ...setting, figures: new Figures(), folder: join(setting.folder, `side-${at}`) },
    }));
    for (const side of sides) mkdirSync(side.setting.folder, { recursive: true });
    for (let round = 0; round < rounds; round++) {
      for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
        measured.tree = side.tree;
        await measure(side.setting, wanted, round);
      }
    }
    const [here, there] = sides.map((side) => side.setting.figures);
    return here && there ? here.against(there, ['this tree', ref]) : '';
  } finally {
    git('worktree', 'remove', '--force', tree);
  }
}

/** Another Node or bundler would be measured with the rest, where a commit has another lock file. */
function installPackages(tree: string): void {
  const [ours, theirs] = [ROOT, tree].map((root) => readFileSync(join(root, 'package-lock.json'), 'utf8'));
  if (ours === theirs) symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
  else execFileSync('npm', ['ci', '--include=dev', '--no-audit'], { cwd: tree, stdio: ['ignore', 2, 2] });
}

function readme(report: string): string {
  return `# What it costs

\`npm run bench\` starts the built program and its peers on real pseudo-terminals, in turn, and prints what each costs;
\`--quick\` takes a minute, \`--write\` replaces this file. Plain Ink is the simplest list with a cursor that Ink 8 alone gives
(\`baseline/ink-list.tsx\`), bundled as the program is; it polls the same simulator and keeps no ledger. Incremental Ink is
the same list with Ink's \`incrementalRendering\`, which writes the lines that changed and not the whole frame. The ideal is
an estimate of the fewest bytes that turn one screen into the next (\`ideal-bytes.ts\`).

Saved logs are a million seeded rows of the simulator, as v1 lines and as NDJSON. lnav gets a format for both
(\`lnav-home.ts\`), so that it knows their times and statuses; it looks at the other fields when it is asked for them,
where edgescope takes every row apart as it reads. less and fzf know bare lines. Filtering keeps the rows with MISS;
its first screen is timed to the last byte, all of it to the frame that says how many rows are hidden.
A group has its rows, bytes, misses, 5xx and newest time; lnav is asked for the rows alone, DuckDB for all of it, of a
table that it has in memory and without a terminal. JSON objects are what \`JSON.parse\` makes of the NDJSON, in an array.
Starts are from compiled code that a start before has kept, but for the first start ever.

The slow line stands between the program and the emulator (\`../support/slow-link.ts\`): 256 kbit/s with 64 kB of buffer,
50 ms there and 50 ms back, nothing lost. Both programs follow one growing file in v1 lines, so that no polling of an API
is in it; a row counts as seen when it, or one that is newer, can be read on the screen. Followed files are the same ones,
without that line.

A row of the API is readable when the simulator would answer with it; the floor is when the next request of the same
session reached the simulator, so that the quota's pace is in both.

## What is written by hand, and the row that says why

| by hand | instead of | row |
| --- | --- | --- |
| cells, their differences and scrolls (\`src/terminal\`) | Ink's writer, incremental or not | bytes: one row down, up · bytes: one row scrolled · tail 10 rows/s: bytes a second |
| lines that go past React (\`src/ui/body\`, \`src/ui/chrome\`) | a commit and a layout for each key | key held at 30/s: CPU |
| texts found as bytes (\`src/api/schemas/packed-v1\`, \`src/api/schemas/packed-log\`) | \`JSON.parse\` | a million NDJSON rows: rows in |
| columns (\`src/domain/logs\`) | an array of objects | a million NDJSON rows: memory a row |
| sums over columns (\`src/domain/logs/sums\`) | a database in memory | a million v1 lines: group by two columns |
| compiled code that is kept, modules fetched when called (\`src/build\`) | a plain bundle | start → first screen |

## Figures

${report}
`;
}
