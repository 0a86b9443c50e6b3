import assert from 'node:assert/strict';
import { closeSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ownFolder } from '../support/own-folder.ts';
import { type Simulator, startSimulator } from '../support/simulator/server.ts';
import { startProgram } from './support.ts';

const ZONE = 'shop-frontend';
const KILLS = 2;

type Run = { code: number | null; err: string };

/** A window of 4,800 rows that nothing is late for any more, over a link that makes slices small and answers slow. */
async function bench(t: TestContext) {
  const simulator = await startSimulator({
    seed: 7,
    rate: 40,
    isSteady: true,
    incidents: false,
    limit: { requests: 10_000, window: 1_000 },
    faults: [
      { fault: { kind: 'slow', ms: 8 } },
      { match: { host: 'logging' }, fault: { kind: 'limitCap', count: 1_200 } },
    ],
  });
  t.after(() => simulator.close());
  const home = ownFolder(t);
  const to = Math.floor(Date.now() / 60_000) * 60_000 - 3_600_000;
  const from = to - 120_000;
  const args = ['logs', ZONE, '--from', new Date(from).toISOString(), '--to', new Date(to).toISOString()];
  return { simulator, home, args, file: join(home, 'place'), output: join(home, 'rows') };
}

/** Runs with the output appended to a file; killed once that has grown by so many bytes, and a piece of it is noted. */
async function run(
  o: { simulator: Simulator; home: string; output: string; args: string[]; file: string },
  killAfter?: number,
  more: string[] = [],
): Promise<Run> {
  const descriptor = openSync(o.output, 'a');
  const start = statSync(o.output).size;
  const child = startProgram(o.home, o.simulator, [...o.args, '--resume', o.file, ...more], {
    stdout: descriptor,
  });
  closeSync(descriptor);
  const ended: Run = { code: null, err: '' };
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    ended.err += text;
  });
  const watching = setInterval(() => {
    if (killAfter === undefined || statSync(o.output).size <= start + killAfter) return;
    if (/"size": [1-9]/.test(readFileSync(o.file, 'utf8'))) child.kill('SIGKILL');
  }, 1);
  return new Promise((resolve) =>
    child.on('close', (code) => {
      clearInterval(watching);
      resolve({ ...ended, code });
    }),
  );
}

test('a read that is killed again and again and goes on each time prints what one read prints', async (t) => {
  const o = await bench(t);
  let seed = 11;
  const random = (most: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return seed % most;
  };
  let killed = 0;
  let last: Run = { code: null, err: '' };
  for (let n = 0; n < KILLS; n++) {
    last = await run(o, 1 + random(1_000_000));
    if (last.code === null) killed += 1;
    assert.ok(last.code === null || last.code === 0, last.err);
  }
  while (last.code !== 0) last = await run(o);
  assert.ok(killed >= 1, `${killed} kills came in time`);
  const single = { ...o, output: join(o.home, 'single'), file: join(o.home, 'other-place') };
  assert.equal((await run(single)).code, 0);
  const [pieces, whole] = [readFileSync(o.output, 'utf8'), readFileSync(single.output, 'utf8')];
  assert.ok(whole.split('\n').length > 4_000);
  assert.ok(pieces === whole, 'the pieces are not the whole');
  assert.equal(statSync(o.file).mode & 0o777, 0o600);
  const again = await run(o);
  assert.equal(again.code, 0);
  assert.match(again.err, /all of it is written/);
  assert.equal(readFileSync(o.output, 'utf8'), pieces);
});

test('another question, another output and a damaged file are refused, and nothing is overwritten', async (t) => {
  const o = await bench(t);
  assert.equal((await run(o, 200_000)).code, null);
  const place = readFileSync(o.file, 'utf8');
  const rows = readFileSync(o.output);
  const other = await run(o, undefined, ['status:500']);
  assert.equal(other.code, 2);
  assert.match(other.err, /belongs to another question/);
  const more = Buffer.concat([rows, Buffer.alloc(5_000_000, 'x')]);
  writeFileSync(o.output, more);
  const grown = await run(o);
  assert.equal(grown.code, 2);
  assert.match(grown.err, /has grown by something else/);
  assert.ok(readFileSync(o.output).equals(more));
  writeFileSync(o.output, '');
  assert.match((await run(o)).err, /shorter than what was written/);
  assert.equal(readFileSync(o.file, 'utf8'), place);
  writeFileSync(o.file, '{"edgescope":"resume","version":1', { mode: 0o600 });
  const damaged = await run(o);
  assert.equal(damaged.code, 2);
  assert.match(damaged.err, /not a resume file of this version, or it is damaged/);
  assert.equal(readFileSync(o.file, 'utf8'), '{"edgescope":"resume","version":1');
});

test('a failure and an interrupt say how to go on, and going on completes the rows', async (t) => {
  const o = await bench(t);
  await o.simulator.setFaults([
    { match: { host: 'logging' }, fault: { kind: 'limitCap', count: 1_200 } },
    { match: { host: 'logging', from: 5 }, fault: { kind: 'forbidden' } },
  ]);
  const failed = await run(o);
  assert.equal(failed.code, 3);
  assert.match(failed.err, /the same command resumes there/);
  assert.doesNotMatch(readFileSync(o.output, 'utf8'), /_gap/);
  await o.simulator.setFaults([]);
  assert.equal((await run(o)).code, 0);
  const ids = readFileSync(o.output, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).requestId);
  assert.equal(new Set(ids).size, ids.length);
  const [, , , , from = '', , to = ''] = ['', ...o.args];
  const zone = o.simulator.zones.find((each) => each.name === ZONE);
  const truth = o.simulator.truth(String(zone?.id), Date.parse(from), Date.parse(to));
  assert.deepEqual(ids.toSorted(), truth.map((row) => row.entry.requestId).toSorted());
});
