import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createClient, type ReadingClient } from '../../src/api/client.ts';
import { createQuota } from '../../src/api/quota/quota.ts';
import { everyPage, printZones } from '../../src/print/zones-command.ts';
import { Secret } from '../../src/text/secret.ts';
import { systemClock } from '../../src/time/clock.ts';
import type { Fault } from '../support/simulator/faults.ts';
import { startSimulator } from '../support/simulator/server.ts';
import { textTaker } from '../support/text-taker.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { linesOfText, objectsOf, programOf } from './support.ts';

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
  const stderr = textTaker((text) => {
    texts.err += text;
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

/** A list read in pages, before a standard error that somebody watches. */
function pagesRead(of: (page: number) => object) {
  const list = async (_: string, { page }: { page: number }) => ({ ok: true, value: of(page) });
  const client = { list } as unknown as Pick<ReadingClient, 'list'>;
  const stderr = textTaker(() => {});
  return everyPage({ client, stderr, isWatched: true, clock: new VirtualClock(), onEnd() {} }, 'keys');
}

test('a list of 200,000 that comes as one page is read whole', async () => {
  const items = Array.from({ length: 200_000 }, (_, at) => item(at));
  const list = await pagesRead((page) => ({ items, page, total: items.length, hasMore: false }));
  assert.ok(list.ok && list.value.length === items.length);
});

test('a list that repeats itself, or brings others for ever, ends with a failure', async () => {
  let asked = 0;
  const endless = (id: (page: number) => number) =>
    pagesRead((page) => {
      asked += 1;
      return { items: [item(id(page))], page: 1, total: 1, hasMore: true };
    });
  const repeated = await endless(() => 7);
  assert.ok(!repeated.ok);
  assert.match(repeated.failure.detail, /does not end/);
  assert.equal(asked, 2);
  assert.equal((await endless((page) => page)).ok, false);
  assert.ok(asked < 5_000, `${asked} requests`);
});

function item(id: number): { id: string } {
  return { id: String(id) };
}

test('API keys are printed by fingerprint, and never by value', async (t) => {
  const { simulator, run } = programOf(t);
  const { code, stdout, stderr } = await run('keys');
  const rows = objectsOf(stdout);
  assert.equal(code, 0, stderr);
  assert.ok(rows.length > 1);
  for (const { fingerprint } of rows) assert.match(String(fingerprint), /^([0-9a-f]{8}|null)$/);
  for (const secret of simulator.secrets) assert.ok(!stdout.includes(secret));
});
