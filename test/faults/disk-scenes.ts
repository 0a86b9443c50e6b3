import assert from 'node:assert/strict';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { smallDisk } from '../support/small-disk.ts';
import { ended, type RunOptions, type Scene, ZONE } from './scene.ts';

const DISK = 64;
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
