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

function rowsOf(ended: Ended): Record<string, unknown>[] {
  return ended.stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

test('zones prints one object a line, with the join to Shield', async (t) => {
  const simulator = await simulated(t);
  const ended = await piped(t, simulator, ['zones']);
  assert.equal(ended.code, 0);
  assert.equal(ended.stderr, '');
  const rows = rowsOf(ended);
  assert.equal(rows.length, simulator.zones.length);
  assert.deepEqual(Object.keys(rows[0] ?? {}), [
    'id',
    'name',
    'hostnames',
    'shieldZoneId',
    'logging',
    'suspended',
  ]);
});

test('keys are printed by fingerprint, and never by value', async (t) => {
  const simulator = await simulated(t);
  const ended = await piped(t, simulator, ['keys']);
  assert.equal(ended.code, 0);
  assert.ok(rowsOf(ended).every((row) => /^([0-9a-f]{8}|null)$/.test(String(row['fingerprint']))));
  for (const secret of simulator.secrets) assert.ok(!ended.stdout.includes(secret));
});

test('a closed window is printed whole: each row that the server has, once, in order', async (t) => {
  // An hour ago nothing is late any more, so the server's own truth is complete.
  const simulator = await simulated(t);
  const to = Math.floor(Date.now() / 60_000) * 60_000 - 3_600_000;
  const from = to - 240_000;
  const args = ['logs', ZONE, '--from', new Date(from).toISOString(), '--to', new Date(to).toISOString()];
  const ended = await piped(t, simulator, args);
  assert.equal(ended.code, 0, ended.stderr);
  const zone = simulator.zones.find((each) => each.name === ZONE);
  const truth = simulator.truth(String(zone?.id), from, to).map((row) => row.entry.requestId);
  const printed = rowsOf(ended).map((row) => String(row['requestId']));
  assert.ok(printed.length > 100);
  assert.deepEqual(printed.toSorted(), truth.toSorted());
  const times = rowsOf(ended).map((row) => String(row['timestamp']));
  assert.deepEqual(times, times.toSorted());
});

test('filters of the server and of this program hold in a pipe', async (t) => {
  const simulator = await simulated(t);
  const ended = await piped(t, simulator, ['logs', ZONE, 'status:4xx,5xx', '-status:404', 'last:30m']);
  const codes = rowsOf(ended).map((row) => Number(row['statusCode']));
  assert.ok(codes.length > 0);
  assert.ok(codes.every((code) => code >= 400 && code !== 404));
});

test('CSV and tables have a head line, and the same rows', async (t) => {
  const simulator = await simulated(t);
  const csv = await piped(t, simulator, ['logs', ZONE, 'last:2m', '--format', 'csv', '--limit', '5']);
  assert.match(csv.stdout, /^"timestamp","pullZoneId"/);
  assert.equal(csv.stdout.trimEnd().split('\n').length, 6);
  const table = await piped(t, simulator, ['zones', '--format', 'table']);
  assert.match(table.stdout, /^ID +NAME +HOSTNAMES/);
  assert.equal(table.stdout.trimEnd().split('\n').length, simulator.zones.length + 1);
});

test('--limit says that it cut', async (t) => {
  const simulator = await simulated(t);
  const ended = await piped(t, simulator, ['logs', ZONE, 'last:2m', '--limit', '3']);
  assert.equal(rowsOf(ended).length, 3);
  assert.match(ended.stderr, /stopped after 3 rows/);
  assert.equal(ended.code, 0);
});

test('a reader that closes the pipe ends the program quietly with 0', async (t) => {
  const simulator = await simulated(t);
  const ended = await piped(t, simulator, ['logs', ZONE, '-f'], { head: 2 });
  assert.equal(ended.code, 0);
  assert.equal(ended.stderr, '');
});

test('an interrupt ends a followed log with 130, after whole lines', async (t) => {
  const simulator = await simulated(t);
  const ended = await piped(t, simulator, ['logs', ZONE, '-f', '--since', '1m'], { until: /\n.*\n/ });
  assert.equal(ended.code, 130);
  assert.ok(ended.stdout.endsWith('\n'));
  assert.ok(rowsOf(ended).length >= 2);
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

test('an unknown zone is wrong usage and gives the nearest names', async (t) => {
  const simulator = await simulated(t);
  const ended = await piped(t, simulator, ['logs', 'shop-fronted']);
  assert.equal(ended.code, 2);
  assert.match(ended.stderr, /no zone is called 'shop-fronted'; nearest: shop-frontend/);
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

test('a window that could not be read to its end prints the gap and ends with 1', async (t) => {
  const simulator = await simulated(t);
  await simulator.setFaults([{ match: { host: 'logging' }, fault: { kind: 'html' } }]);
  const ended = await piped(t, simulator, ['logs', ZONE, 'last:2m']);
  assert.equal(ended.code, 1);
  const gap = rowsOf(ended).at(-1)?.['_gap'] as { from: string; to: string; reason: string };
  assert.equal(gap.reason, 'failed');
  assert.ok(Date.parse(gap.to) - Date.parse(gap.from) === 120_000);
});

test('a zone without logging says where it is switched on', async (t) => {
  const simulator = await simulated(t);
  const ended = await piped(t, simulator, ['logs', 'legacy-no-logs']);
  assert.equal(ended.code, 1);
  assert.match(ended.stderr, /[Ll]ogging/);
});
