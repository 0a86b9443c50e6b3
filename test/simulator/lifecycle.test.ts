import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { startSimulator } from '../support/simulator/server.ts';
import { ask, bench } from './ask.ts';

test('after close nothing listens, whatever was under way', async () => {
  const sim = await startSimulator({ faults: [{ fault: { kind: 'hang' } }] });
  const pending = ask(`${sim.baseUrl}/pullzone`).catch((error: Error) => error);
  const idle = connect(Number(new URL(sim.loggingUrl).port), '127.0.0.1').on('error', () => undefined);
  await once(idle, 'connect');
  while (sim.stats().requests === 0) await new Promise(setImmediate);
  await sim.close();
  assert.ok((await pending) instanceof Error);
  await assert.rejects(ask(`${sim.baseUrl}/pullzone`), { code: 'ECONNREFUSED' });
  await assert.rejects(ask(sim.loggingUrl), { code: 'ECONNREFUSED' });
  idle.destroy();
});

test('a closed simulator lets the process end and has printed nothing', async () => {
  const script = `
    const { startSimulator } = await import(${JSON.stringify(import.meta.resolve('../support/simulator/server.ts'))});
    const sim = await startSimulator({ faults: [{ match: { nth: 1 }, fault: { kind: 'refuse', ms: 3600000 } }] });
    await fetch(sim.baseUrl + '/pullzone').catch(() => undefined);
    const agentless = { headers: { AccessKey: sim.accessKey } };
    for (let i = 0; i < 25; i++) await (await fetch(sim.loggingUrl + '/v2/pullzones/' + sim.zones[0].id + '/logs?limit=1', agentless)).text();
    await sim.close();
  `;
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', script],
    { timeout: 60_000 },
  );
  assert.deepEqual([stdout, stderr], ['', '']);
});

test('the port may be chosen, and one that is taken is an error', async (t) => {
  const sim = await bench(t);
  const port = Number(new URL(sim.baseUrl).port);
  await assert.rejects(startSimulator({ port }), { code: 'EADDRINUSE' });
});
