import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { underLock } from '../../src/files/file-lock.ts';
import { bornAt, isRunning } from '../../src/files/processes.ts';
import { systemClock } from '../../src/time/clock.ts';
import { ownFolder } from '../support/own-folder.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const WRITERS = 6;
const TURNS = 12;

/** Another program with the lock at hand; `work` is a piece of its source. */
function program(t: TestContext, lock: string, work: string): ChildProcess {
  const source = (path: string) => JSON.stringify(new URL(`../../src/${path}`, import.meta.url).href);
  const code = `
    import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
    import { underLock } from ${source('files/file-lock.ts')};
    import { systemClock } from ${source('time/clock.ts')};
    const held = (work) => underLock(${JSON.stringify(lock)}, systemClock, work);
    ${work}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  return child;
}

test('programs that read and write in turns under a lock lose nothing, also where some are killed', async (t) => {
  const folder = ownFolder(t);
  const [lock, sum] = [join(folder, 'lock'), join(folder, 'sum')];
  writeFileSync(sum, '0');
  const add = `const n = Number(readFileSync(${JSON.stringify(sum)}, 'utf8'));
    await new Promise((done) => setImmediate(done));
    writeFileSync(${JSON.stringify(sum)}, String(n + 1));`;
  const killed = Array.from({ length: 3 }, () =>
    program(t, lock, `await held(async () => { ${add} process.kill(process.pid, 'SIGKILL'); });`),
  );
  const writers = Array.from({ length: WRITERS }, () =>
    program(t, lock, `for (let n = 0; n < ${TURNS}; n++) await held(async () => { ${add} });`),
  );
  const codes = await Promise.all(writers.map(async (each) => (await once(each, 'close'))[0]));
  assert.deepEqual(codes, Array(WRITERS).fill(0));
  await Promise.all(killed.map(async (each) => each.exitCode ?? each.signalCode ?? once(each, 'close')));
  assert.equal(readFileSync(sum, 'utf8'), String(WRITERS * TURNS + killed.length));
  assert.deepEqual([statSync(lock).size, statSync(lock).mode & 0o777], [0, 0o600]);
});

test('a program that holds the lock is waited for five seconds, and once it is killed nobody waits', async (t) => {
  const lock = join(ownFolder(t), 'lock');
  const holder = program(
    t,
    lock,
    "await held(() => { process.stdout.write('held'); return new Promise((done) => setInterval(done, 1 << 30)); });",
  );
  assert.ok(holder.stdout);
  await once(holder.stdout, 'data');
  const clock = new VirtualClock();
  let refused: Error | null = null;
  underLock(lock, clock, async () => assert.fail('two held it at once')).catch((error: Error) => {
    refused = error;
  });
  const start = clock.real;
  while (refused === null) {
    await turn();
    clock.next();
  }
  assert.match(String(refused), /another program is writing it/);
  assert.ok(clock.real - start >= 5_000 && clock.real - start < 5_100);
  holder.kill('SIGKILL');
  await once(holder, 'close');
  const still = new VirtualClock();
  await underLock(lock, still, async () => {});
  assert.equal(still.pending, 0);
});

test('within one program the turns do not overlap either, and work that fails gives the lock back', async (t) => {
  const lock = join(ownFolder(t), 'lock');
  let inside = 0;
  let most = 0;
  const work = async () => {
    inside += 1;
    most = Math.max(most, inside);
    await turn();
    inside -= 1;
    throw new Error('the work failed');
  };
  const done = await Promise.allSettled(Array.from({ length: 8 }, () => underLock(lock, systemClock, work)));
  assert.ok(done.every((each) => each.status === 'rejected' && /the work failed/.test(String(each.reason))));
  assert.equal(most, 1);
});

test('a process that bears the number of a dead one is told from it by its birth', () => {
  const born = bornAt(process.pid);
  assert.equal(isRunning(process.pid), true);
  assert.equal(isRunning(process.pid, born), true);
  if (born !== 0) assert.equal(isRunning(process.pid, born + 1), false);
  for (const pid of [0, -1, Number.NaN, 1.5]) assert.equal(isRunning(pid), false);
});
