import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { KEPT_CODE } from '../support/environment.ts';
import { type Simulator, type SimulatorOptions, startSimulator } from '../support/simulator/server.ts';

const PROGRAM = fileURLToPath(new URL('../../dist/edgescope', import.meta.url));
const ZONE = 'shop-frontend';

type Ended = { code: number | null; stdout: string; stderr: string };

async function simulated(t: TestContext, o: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = await startSimulator({ seed: 7, rate: 20, ...o });
  t.after(() => simulator.close());
  return simulator;
}

/** Runs the program with its output in a pipe. `until`: interrupts it once the output says so. */
function piped(
  t: TestContext,
  simulator: Simulator,
  args: string[],
  o: { key?: string; until?: RegExp; head?: number } = {},
): Promise<Ended> {
  const home = mkdtempSync(join(tmpdir(), 'edgescope-piped-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const child = spawn(PROGRAM, args, {
    env: {
      PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
      HOME: home,
      XDG_RUNTIME_DIR: home,
      ...KEPT_CODE,
      EDGESCOPE_BASE_URL: simulator.baseUrl,
      EDGESCOPE_LOGGING_URL: simulator.loggingUrl,
      EDGESCOPE_ORIGIN_ERRORS_URL: simulator.originErrorsUrl,
      EDGESCOPE_STORAGE_URL: simulator.storageUrl,
      ...(o.key === '' ? {} : { EDGESCOPE_ACCESS_KEY: o.key ?? simulator.accessKey }),
    },
  });
  const ended: Ended = { code: null, stdout: '', stderr: '' };
  let isInterrupted = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    ended.stdout += text;
    if (!isInterrupted && o.until?.test(ended.stdout)) {
      isInterrupted = true;
      child.kill('SIGINT');
    }
    if (o.head !== undefined && ended.stdout.split('\n').length > o.head) child.stdout.destroy();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    ended.stderr += text;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ ...ended, code })));
}

test('a reader that closes the pipe ends the program quietly with 0', async (t) => {
  const simulator = await simulated(t);
  const ended = await piped(t, simulator, ['logs', ZONE, '-f'], { head: 2 });
  assert.equal(ended.code, 0);
  assert.equal(ended.stderr, '');
});

test('a followed log prints what comes', async (t) => {
  const simulator = await simulated(t);
  const started = Date.now();
  const isNew = (line: string) => Date.parse(JSON.parse(line).timestamp) > started;
  const until = {
    test: (text: string) => text.split('\n').slice(0, -1).filter(Boolean).some(isNew),
  } as RegExp;
  assert.equal((await piped(t, simulator, ['logs', ZONE, '-f', '--since', '1s'], { until })).code, 130);
});

test('no key and a refused key end with 3, and the key is not in the text', async (t) => {
  const simulator = await simulated(t);
  const none = await piped(t, simulator, ['zones'], { key: '' });
  assert.equal(none.code, 3);
  assert.match(none.stderr, /EDGESCOPE_ACCESS_KEY/);
  const refused = await piped(t, simulator, ['zones'], { key: 'canary-5f1c9b' });
  assert.equal(refused.code, 3);
  assert.doesNotMatch(refused.stdout + refused.stderr, /canary-5f1c9b/);
});
