import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownFolder } from '../support/own-folder.ts';
import { startSimulator } from '../support/simulator/server.ts';
import { until } from '../support/until.ts';
import { startProgram } from './support.ts';

const ZONE = 'shop-frontend';

/** Reading needs less than 56 MB of old space; a reader that kept these rows would need more than 80. */
const OLD_SPACE_MB = 70;

test('memory does not grow with the rows that pass', async (t) => {
  const simulator = await startSimulator({ seed: 7, rate: 1_400, isSteady: true, incidents: false });
  t.after(() => simulator.close());
  const child = startProgram(ownFolder(t), simulator, ['logs', ZONE, 'from:-11m', 'to:-10m'], {
    env: { NODE_OPTIONS: `--max-old-space-size=${OLD_SPACE_MB}`, XDG_CACHE_HOME: undefined },
  });
  let rows = 0;
  child.stdout?.on('data', (chunk: Buffer) => {
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) rows += 1;
  });
  // Node ends itself where the space does not do.
  assert.equal(await new Promise((resolve) => child.on('close', resolve)), 0);
  assert.ok(rows > 80_000, `${rows} rows`);
});

test('a reader that stalls holds up neither an interrupt nor the memory', async (t) => {
  const simulator = await startSimulator({ seed: 7, rate: 400, isSteady: true, incidents: false });
  t.after(() => simulator.close());
  const child = startProgram(ownFolder(t), simulator, ['logs', ZONE, '-f', '--since', '2m']);
  const started = Promise.withResolvers<void>();
  child.stdout?.once('data', () => {
    child.stdout?.pause();
    started.resolve();
  });
  await started.promise;
  // The list of zones, the slice that measures the density, and some of those that follow: more than a pipe holds.
  await until(() => simulator.stats().requests >= 5, 'five requests');
  child.kill('SIGINT');
  // It ends although what it has written is never read.
  assert.equal(await new Promise((resolve) => child.on('exit', resolve)), 130);
});
