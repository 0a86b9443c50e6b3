// The built program, twice: what one process has recorded another shows.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { isLive, logRows, ZONE } from '../session/log-screen.ts';
import { cleanEnvironment, KEPT_CODE } from '../support/environment.ts';
import { openProgram, openSession } from './support.ts';

const PROGRAM = join(import.meta.dirname, '../../dist/edgescope');

function folder(t: TestContext): string {
  const home = mkdtempSync(join(tmpdir(), 'edgescope-replay-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

test('a session on the screen is recorded without its key, and shown again without a key or a network', async (t) => {
  const home = folder(t);
  const file = join(home, 'session.ndjson');
  const { terminal, simulator } = await openSession({ t, args: ['logs', ZONE, '--record', file] });
  await terminal.waitFor(isLive);
  // Two answers of the head at least, so that there is a while to be seen.
  await terminal.waitFor((screen) => /\d req\/s/.test(screen[1] ?? ''));
  const rows = logRows(terminal.screen()).map((row) => row.slice(1));
  await terminal.type('<C-c>');
  assert.equal((await terminal.exit()).code, 0);
  await simulator.close();
  assert.equal(readFileSync(file, 'utf8').includes(simulator.accessKey), false);

  const again = await openProgram({ t, args: ['logs', ZONE, '--replay', file] });
  await again.waitFor(isLive);
  assert.match(again.screen()[0] ?? '', /^ edgescope replay /);
  // All rows that were seen are in it, at their own times.
  await again.type(' ');
  await again.waitFor(/PAUSED/);
  await again.type('g');
  await again.settled();
  assert.match(again.screen().join('\n'), /\d\d:\d\d:\d\d/);
  const [first = ''] = rows;
  await again.type(`/${/\/\S*/.exec(first)?.[0].slice(0, 12) ?? ''}<Enter>`);
  await again.waitFor(/\d+\/\d+/);
});

/** What is said beside the remark that a window so near to now may still grow. */
function said(stderr: string): string {
  return stderr.replace(/^edgescope: rows of the time since .*\n/gm, '');
}

test('where the recording ends, it says so', async (t) => {
  const home = folder(t);
  const file = join(home, 'session.ndjson');
  const env = cleanEnvironment(home, KEPT_CODE);
  // Forty seconds of a busy hour are more than Node takes by itself, which then ends the program.
  const maxBuffer = 1 << 28;
  const run = (...args: string[]) => spawnSync(PROGRAM, args, { encoding: 'utf8', env, maxBuffer });
  const [from, to] = [60_000, 20_000].map((ago) => new Date(Date.now() - ago).toISOString());
  const asked = ['logs', ZONE, `from:${from}`, `to:${to}`];
  const one = run(...asked, '--demo', '--record', file);
  assert.deepEqual([one.status, said(one.stderr)], [0, '']);
  const two = run(...asked, '--replay', file);
  assert.deepEqual([two.status, said(two.stderr)], [0, '']);
  assert.deepEqual(two.stdout.split('\n').sort(), one.stdout.split('\n').sort());
  const longer = run('logs', ZONE, 'last:10m', '--replay', file);
  assert.equal(longer.status, 1);
  assert.match(longer.stderr, /The recording holds no answer to this/);
  assert.match(longer.stdout, /^\{"_gap":/m);
});

test('a file that cannot be recorded to or replayed is wrong usage', (t) => {
  const home = folder(t);
  const env = cleanEnvironment(home, KEPT_CODE);
  const messageOf = (...args: string[]) => {
    const { status, stderr } = spawnSync(PROGRAM, args, { encoding: 'utf8', env });
    assert.equal(status, 2, stderr);
    return stderr;
  };
  assert.match(
    messageOf('zones', '--demo', '--record', '/nowhere/at/all'),
    /cannot make '\/nowhere\/at\/all'/,
  );
  assert.match(messageOf('zones', '--replay', '/nowhere/at/all'), /cannot replay .*there is no such file/);
  assert.match(messageOf('zones', '--replay', PROGRAM), /line 1: it is not a recording/);
  assert.match(messageOf('zones', '--replay', 'a', '--record', 'b'), /--replay sends no requests/);
  assert.match(
    messageOf('sim', '--record', 'a'),
    /--record goes with zones, logs, shield, health, ask, storage and keys/,
  );
});
