import assert from 'node:assert/strict';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { smallDisk } from '../support/small-disk.ts';
import { until } from '../support/until.ts';
import { ended, type RunOptions, type Scene, ZONE } from './scene.ts';

const DISK = 64;
const STORAGE_ZONE = 'video-masters';
const STORAGE_ZONE_ID = 605220;
const MINUTE = 60_000;

/** Rows that are handed over in one write, so that no other fails after it. */
function fewRows(): string[] {
  const to = Math.floor(Date.now() / MINUTE) * MINUTE - 30 * MINUTE;
  return [
    'logs',
    ZONE,
    '--from',
    new Date(to - MINUTE).toISOString(),
    '--to',
    new Date(to).toISOString(),
    '--limit',
    '500',
  ];
}

/** What is printed into a file on a disk that has too little room; null where no such disk is to be had. */
async function printedOnSmallDisk(scene: Scene, o: RunOptions) {
  const disk = smallDisk(DISK);
  if (!disk.ok) {
    scene.note(disk.why);
    return null;
  }
  scene.after(disk.close);
  const path = join(disk.path, 'output');
  const stdout = openSync(path, 'a');
  const run = scene.run({ ...o, stdout });
  const code = await ended(run);
  closeSync(stdout);
  return { code, err: run.stderr(), bytes: readFileSync(path) };
}

/** A disk takes the beginning of a write and says so only by a number: what it did not take is never passed off as written. */
export async function fillingDisk(scene: Scene): Promise<void> {
  const simulator = await scene.simulate();
  const rows = fewRows();
  const saved = join(scene.home(), 'saved.ndjson');
  for (const args of [rows, [...rows, '--format', 'csv'], ['open', saved], ['man']]) {
    const whole = scene.run({ simulator, args });
    assert.equal(await ended(whole), 0, whole.stderr());
    if (args === rows) writeFileSync(saved, whole.stdout());
    const o = await printedOnSmallDisk(scene, { simulator, args });
    if (o === null) return;
    const text = Buffer.from(whole.stdout());
    const isTooLarge = text.length > DISK * 1024;
    assert.equal(o.code, isTooLarge ? 1 : 0, `${args.join(' ')}: ${o.err}`);
    assert.ok(o.bytes.equals(text.subarray(0, o.bytes.length)), args.join(' '));
    if (isTooLarge) assert.match(o.err, /standard output cannot be written \(ENOSPC\): it is not whole/);
    else assert.equal(o.bytes.length, text.length);
  }
}

/** A request that hangs at a gateway is carried out after the program was interrupted: no start in between calls it off. */
export async function interruptedPost(scene: Scene): Promise<void> {
  const simulator = await scene.simulate({
    faults: [{ match: { method: 'POST' }, fault: { kind: 'hang' } }],
  });
  const home = scene.home();
  const words = ['set', 'Rewrite404To200=true', '--confirm', STORAGE_ZONE, '--write'];
  const posts = () => Object.values(simulator.stats().posts).reduce((sum, n) => sum + n, 0);
  const cut = scene.run({ simulator, home, args: ['storage', STORAGE_ZONE, ...words] });
  await until(() => posts() === 1, `the request: ${cut.stderr()}`);
  cut.child.kill('SIGINT');
  assert.equal(await ended(cut), 130, cut.stderr());
  const told = async () => {
    const run = scene.run({ simulator, home, args: ['storage', STORAGE_ZONE] });
    assert.equal(await ended(run), 0, run.stderr());
    return run.stderr();
  };
  const audit = () => readFileSync(join(home, '.local/state/edgescope/audit.ndjson'), 'utf8');
  assert.match(
    await told(),
    /whose program ended: UNKNOWN: the zone was read back and is as it was; the request may still be carried out until 20/,
  );
  assert.doesNotMatch(audit(), /verdict/);
  simulator.changeStorageZone(STORAGE_ZONE_ID, { Rewrite404To200: true });
  assert.match(await told(), /whose program ended: APPLIED by the zone as it is now/);
  assert.match(audit(), /"verdict":"APPLIED"/);
  assert.equal(posts(), 1);
}
