import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { createClient } from '../../src/api/client.ts';
import { createQuota } from '../../src/api/quota/quota.ts';
import { printZones } from '../../src/print/zones.ts';
import { Secret } from '../../src/text/secret.ts';
import { systemClock } from '../../src/time/clock.ts';
import type { Fault } from '../support/simulator/faults.ts';
import { startSimulator } from '../support/simulator/server.ts';
import { linesOfText, objectsOf } from './support.ts';

async function zonesPrinted(t: TestContext, fault: Fault | null, format: 'ndjson' | 'csv' = 'ndjson') {
  const match = { path: 'pullzone-mapping' };
  const sim = await startSimulator({ seed: 7, faults: fault === null ? [] : [{ match, fault }] });
  const client = createClient({
    baseUrl: sim.baseUrl,
    loggingUrl: sim.loggingUrl,
    credentials: { accessKey: new Secret(sim.accessKey), token: null },
    allowWrites: false,
    quota: createQuota({ factor: 0.0001 }),
    factor: 0.001,
  });
  t.after(async () => {
    await client.close();
    await sim.close();
  });
  const texts = { out: '', err: '' };
  const stderr = new Writable({
    write(chunk, _encoding, done) {
      texts.err += String(chunk);
      done();
    },
  });
  const write = async (text: string) => {
    texts.out += text;
  };
  const code = await printZones({ stderr, format, client, clock: systemClock, write, onEnd() {} });
  return { code, ...texts, count: sim.zones.length };
}

test('zones are printed whole where only their join to Shield fails, which is told and not guessed', async (t) => {
  for (const fault of [
    { kind: 'serverError' },
    { kind: 'unauthorized' },
    { kind: 'literal', text: '{}' },
    { kind: 'noContent' },
  ] as const) {
    const { code, out, err, count } = await zonesPrinted(t, fault);
    const rows = objectsOf(out);
    assert.deepEqual([code, rows.length], [0, count], fault.kind);
    assert.ok(rows.every((row) => !('shieldZoneId' in row)));
    assert.match(err, /^edgescope: which zones have Shield is not known, shieldZoneId is left out: .+\n$/);
  }
  const { out, count } = await zonesPrinted(t, { kind: 'serverError' }, 'csv');
  assert.equal(linesOfText(out).length, count + 1);
});

test('an account without Shield zones has none, and nothing is told', async (t) => {
  const { code, out, err } = await zonesPrinted(t, { kind: 'literal', text: '{"data":null}' });
  assert.deepEqual([code, err], [0, '']);
  assert.ok(objectsOf(out).every((row) => row['shieldZoneId'] === null));
  const joined = objectsOf((await zonesPrinted(t, null)).out);
  assert.ok(joined.some((row) => typeof row['shieldZoneId'] === 'number'));
});
