import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../support/until.ts';
import { filesNamed, jobsOf, LONG, laneOf, ROOT, testFiles } from './jobs.ts';
import { startWorker } from './worker.ts';

const RUN = join(ROOT, 'test', 'run.ts');

test('every file of tests has a lane, and is in one job', () => {
  const files = testFiles();
  assert.ok(files.length > 100);
  const inJobs = jobsOf(files).flatMap((job) => job.files);
  assert.deepEqual([...inJobs].sort(), files);
  for (const job of jobsOf(files)) {
    assert.deepEqual([...new Set(job.files.map(laneOf))], [job.lane]);
    if (job.lane !== 'inside') assert.equal(job.files.length, 1);
  }
});

test('what takes long among the tests of functions begins before all others of them', () => {
  const inside = jobsOf(testFiles()).filter(({ lane }) => lane === 'inside');
  const first = inside.slice(0, LONG.length).flatMap(({ files }) => files);
  for (const file of LONG) assert.ok(first.includes(file), file);
});

test('a file, a folder and a part of a name are what is run, from wherever they are named', () => {
  const files = testFiles();
  const own = 'test/runner/run.test.ts';
  assert.deepEqual(filesNamed(own, files, ROOT), [own]);
  assert.deepEqual(filesNamed('run.test.ts', files, join(ROOT, 'test', 'runner')), [own]);
  assert.deepEqual(
    filesNamed('test/text', files, ROOT),
    files.filter((file) => file.startsWith('test/text/')),
  );
  assert.deepEqual(filesNamed('quota-led', files, ROOT), ['test/api/quota-ledger.test.ts']);
  assert.deepEqual(filesNamed('.', files, ROOT), files);
  assert.deepEqual(filesNamed('no-such', files, ROOT), []);
});

test('npm test runs just the test that is named', async () => {
  const { code, out } = await runTests(['test/text/secret.test.ts', '--name', 'value to REVEAL alone']);
  assert.equal(code, 0, out);
  assert.match(out, /^1 passed, 0 failed, 0 skipped$/m);
});

test('a name that no test has, and a path that is none, are told and fail', async () => {
  const none = await runTests(['test/text/secret.test.ts', '--name', 'no test is called so']);
  assert.equal(none.code, 1);
  assert.match(none.out, /no test has that name/);
  const nowhere = await runTests(['test/no-such-room']);
  assert.equal(nowhere.code, 2);
  assert.match(nowhere.out, /no file of tests is at or below 'test\/no-such-room'/);
});

test('a failure is told with its error, and a process that outlives its test is one', async (t) => {
  const file = ownFile(t, [
    "import { spawn } from 'node:child_process';",
    "import { test } from 'node:test';",
    "test('adds up', () => { throw new Error('it does not'); });",
    // It has left the group of the job, as a daemon would.
    "test('starts', () => spawn('sleep', ['600'], { detached: true, stdio: 'ignore' }).unref());",
    // Long enough to be seen by the runner, which looks twice a second.
    "test('goes on', () => new Promise((resolve) => setTimeout(resolve, 2_000)));",
  ]);
  const { code, out } = await runTests([file]);
  assert.equal(code, 1);
  assert.match(out, /adds up\n\s+Error: it does not/);
  assert.match(out, /^2 passed, 1 failed, 0 skipped$/m);
  const survivor = Number(/sleep \((\d+)\) outlived the tests/.exec(out)?.[1]);
  assert.ok(survivor > 0, out);
  await until(() => isGone(survivor), 'the end of what outlived the tests');
});

test('what a job leaves open after its tests ends the job as a failure, and is named', async (t) => {
  const file = ownFile(t, [
    "import { test } from 'node:test';",
    "test('passes', () => void setInterval(() => {}, 1_000));",
  ]);
  const { code, out } = await runTests([file], { EDGESCOPE_TEST_SILENT_MS: '1000' });
  assert.equal(code, 1);
  assert.match(out, /the job outlives its tests by .*Timeout/);
});

test('an error that nobody catches fails the run and is told where it was made, whatever test it comes of', async (t) => {
  const file = ownFile(t, [
    "import { test } from 'node:test';",
    "import { setTimeout as later } from 'node:timers/promises';",
    "test('rejects', async () => { await later(1); void (async () => { throw new Error('a promise'); })(); });",
    "test('throws', async () => { await later(1); setTimeout(() => { throw new Error('a timer'); }); await later(9); });",
  ]);
  const { code, out } = await runTests([file]);
  assert.equal(code, 1);
  for (const what of ['promise', 'timer'])
    assert.match(out, new RegExp(`Error: a ${what}\\n\\s+at .*own\\.test\\.ts`));
});

test('a worker that looks for one failure ends with it, though the next test computes for ever', async (t) => {
  const file = ownFile(t, [
    "import { test } from 'node:test';",
    "test('fails', () => { throw new Error('here'); });",
    // Its line has to leave before.
    "test('waits', () => new Promise((resolve) => setImmediate(resolve)));",
    "test('computes', () => { for (;;); });",
  ]);
  const { tests, trouble } = await startWorker({ lane: 'inside', files: [file] }, null, {
    endsWithFirst: true,
  }).ended;
  assert.equal(trouble, null);
  assert.equal(tests[0]?.outcome, 'failed');
});

test('a runner that is killed leaves no process of its tests', async (t) => {
  const file = ownFile(t, [
    "import { spawn } from 'node:child_process';",
    "import { writeFileSync } from 'node:fs';",
    "import { test } from 'node:test';",
    "const { pid } = spawn('sleep', ['600'], { stdio: 'ignore' });",
    `writeFileSync(process.env.PIDS_FILE, [process.pid, pid].join(' '));`,
    "test('hangs', () => new Promise((resolve) => setTimeout(resolve, 600_000)));",
  ]);
  const pids = `${file}.pids`;
  const runner = spawn(process.execPath, [RUN, file], {
    env: { ...environment(), PIDS_FILE: pids },
    stdio: 'ignore',
  });
  await until(() => wordsOf(pids).length === 2, 'a test that hangs');
  const started = wordsOf(pids);
  runner.kill('SIGKILL');
  await until(() => started.every((pid) => isGone(Number(pid))), 'the end of what the runner started');
});

/** A file of tests where the runner looks for them, in a folder that needs no program built; it is taken away again. */
function ownFile(t: { after(fn: () => void): void }, lines: readonly string[]): string {
  const folder = mkdtempSync(join(ROOT, 'test', 'text', '.own-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'own.test.ts');
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

function runTests(
  args: readonly string[],
  more: NodeJS.ProcessEnv = {},
): Promise<{ code: number | null; out: string }> {
  const env = { ...environment(), ...more };
  const child = spawn(process.execPath, [RUN, ...args], { cwd: ROOT, env });
  let out = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (out += text));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out })));
}

/** That of a shell: this test runs within a test runner and maybe within npm. */
function environment(): NodeJS.ProcessEnv {
  const { NODE_TEST_CONTEXT: _, INIT_CWD: __, ...rest } = process.env;
  return rest;
}

function wordsOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split(' ').filter(Boolean);
  } catch {
    return [];
  }
}

function isGone(pid: number): boolean {
  try {
    // A zombie has ended; its parent has only not asked yet.
    return / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true;
  }
}
