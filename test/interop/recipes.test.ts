import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, test } from 'node:test';
import { startClickhouse } from '../support/clickhouse.ts';
import { cleanEnvironment, KEPT_CODE } from '../support/environment.ts';
import { unlessInstalled } from '../support/installed.ts';
import { recipes } from '../support/recipes.ts';
import { type Simulator, startSimulator } from '../support/simulator/server.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const RECIPES = recipes();
const HAS_DUCKDB_PYTHON = spawnSync('python3', ['-c', 'import duckdb'], { stdio: 'ignore' }).status === 0;
/** The engine behind the command that the README names, for machines that have it as a Python package alone. */
const DUCKDB = `#!/bin/sh
exec python3 -c 'import duckdb, sys; duckdb.sql(sys.argv[2]).show()' "$@"
`;

/** What may be said beside the data: that it was cut or moved, and that lnav took the format. */
const NOTICES =
  /^(?:edgescope: (?:stopped after|read [\d,]+ of|hidden here|rows of the time since) .*|✔ installed .*)\n/gm;

type Ran = { code: number | null; stdout: string; stderr: string };

let simulator: Simulator;
let home: string;

before(async () => {
  simulator = await startSimulator({ seed: 3, rate: 20 });
  home = mkdtempSync(join(tmpdir(), 'edgescope-recipes-'));
  symlinkSync(join(ROOT, 'dist'), join(home, 'dist'));
  mkdirSync(join(home, 'bin'));
  if (HAS_DUCKDB_PYTHON) {
    writeFileSync(join(home, 'bin', 'duckdb'), DUCKDB);
    chmodSync(join(home, 'bin', 'duckdb'), 0o755);
  }
});

after(async () => {
  await simulator.close();
  rmSync(home, { recursive: true, force: true });
});

/** Runs a script as a user would in a folder of his own, with the simulator for an account. */
function run(script: string, more: Record<string, string | undefined> = {}): Promise<Ran> {
  const env = cleanEnvironment(home, {
    EDGESCOPE_BASE_URL: simulator.baseUrl,
    EDGESCOPE_LOGGING_URL: simulator.loggingUrl,
    EDGESCOPE_ACCESS_KEY: simulator.accessKey,
    ...KEPT_CODE,
    // The engine may be a Python package of whoever runs the tests.
    PYTHONPATH: process.env['PYTHONPATH'],
    ...more,
  });
  const path = [join(ROOT, 'dist'), process.env['PATH'], join(home, 'bin')].join(delimiter);
  const child = spawn('/bin/sh', ['-c', script], {
    cwd: home,
    env: { ...env, PATH: path },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ran: Ran = { code: null, stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    ran.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    ran.stderr += text;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ ...ran, code })));
}

function missing(programs: readonly string[]): string | false {
  for (const program of programs) {
    if (program === 'duckdb' && HAS_DUCKDB_PYTHON) continue;
    const skip = unlessInstalled(program);
    if (skip) return skip;
  }
  return false;
}

test('the README has a recipe for each of ten questions and for each of three engines', () => {
  const titles = RECIPES.map(({ title }) => title);
  for (let question = 1; question <= 10; question++)
    assert.ok(titles.some((title) => title.startsWith(`${question}. `)));
  for (const engine of ['lnav', 'DuckDB', 'ClickHouse']) assert.ok(titles.includes(engine), engine);
});

for (const { title, script, needs, mayPrintNothing } of RECIPES) {
  test(`README, ${title}: the commands run, and say nothing but data`, {
    skip: missing(needs),
  }, async (t) => {
    const more = needs.includes('clickhouse-server') ? { CLICKHOUSE: await startClickhouse(t) } : {};
    const { code, stdout, stderr } = await run(script, more);
    assert.deepEqual([code, stderr.replace(NOTICES, '')], [0, '']);
    const isFile = / > /.test(script);
    if (!mayPrintNothing && !isFile) assert.ok(stdout.trim() !== '');
  });
}
