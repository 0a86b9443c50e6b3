import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, openSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { idsOf, newestOf } from '../faults/checks.ts';
import { fillingDisk } from '../faults/disk-scenes.ts';
import { ended, Scene, ZONE } from '../faults/scene.ts';
import { until } from '../support/until.ts';

const PROGRAM = fileURLToPath(new URL('../../dist/edgescope', import.meta.url));
const skip = existsSync('/dev/full') ? false : 'no /dev/full here';

test('rows that a full disk did not take end with 1 and a sentence, never with 0', { skip }, async (t) => {
  const scene = new Scene(7);
  t.after(() => scene.close());
  const simulator = await scene.simulate();
  const stdout = openSync('/dev/full', 'w');
  for (const args of [['zones'], ['logs', ZONE, '-f', '--since', '5s'], ['man']]) {
    const run = scene.run({ simulator, args, stdout });
    assert.equal(await ended(run), 1, args.join(' '));
    assert.match(run.stderr(), /standard output cannot be written \(ENOSPC\)/, args.join(' '));
  }
});

test('a closed standard output is told, and is no success', () => {
  const { status, stderr } = spawnSync('/bin/sh', ['-c', '"$0" zones --demo >&-', PROGRAM], {
    encoding: 'utf8',
  });
  assert.equal(status, 1);
  assert.match(stderr, /^edgescope: standard output is closed/);
});

test('of a disk that fills up the program says so, and the file is the beginning of what was to be printed', async (t) => {
  const scene = new Scene(7);
  t.after(() => scene.close());
  await fillingDisk(scene);
  for (const note of scene.notes) t.diagnostic(note);
});

test('SIGUSR1 opens no debugger, and a followed log goes on', async (t) => {
  const scene = new Scene(7);
  t.after(() => scene.close());
  const simulator = await scene.simulate();
  const run = scene.run({ simulator, args: ['logs', ZONE, '-f', '--since', '5s'] });
  await until(() => idsOf(run).length > 0, 'the first rows');
  run.child.kill('SIGUSR1');
  const told = newestOf(run);
  await until(() => newestOf(run) > told + 1_000, 'rows after the signal');
  assert.equal(run.stderr(), '');
  run.child.kill('SIGINT');
  assert.equal(await ended(run), 130);
});
