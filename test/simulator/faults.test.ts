import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FAULTS, type Fault } from '../support/simulator/faults.ts';
import {
  ask,
  type Bench,
  bench,
  type Entry,
  type LogPage,
  logging,
  logsPath,
  main,
  NOON,
  type Reply,
} from './ask.ts';

const RANGE = { from: NOON - 10 * 60_000, to: NOON - 6 * 60_000, order: 'asc', limit: 300 };

function read(sim: Bench, q: Record<string, string | number> = RANGE): Promise<Reply> {
  return logging(sim, logsPath(sim.zone('docs-site'), q));
}

async function page(sim: Bench, q: Record<string, string | number> = RANGE): Promise<LogPage> {
  return JSON.parse((await read(sim, q)).text);
}

/** A sound answer, and the same one under the fault. */
async function both(sim: Bench, fault: Fault): Promise<{ sound: LogPage; faulty: LogPage; reply: Reply }> {
  await sim.setFaults([]);
  const sound = await page(sim);
  await sim.setFaults([{ fault }]);
  const reply = await read(sim);
  return { sound, reply, faulty: parsed(reply.text) };
}

function parsed(text: string): LogPage {
  try {
    return JSON.parse(text);
  } catch {
    return { data: [], pagination: { offset: 0, limit: 0, returned: 0, hasMore: false }, query: {} };
  }
}

const roomy = { limit: { requests: 10_000, window: 10_000 } };

test('a fault meets the requests it is for: by number, range, every so many, path, host and method', async (t) => {
  const sim = await bench(t, roomy);
  const zone = sim.zone('docs-site');
  const statuses = async (n: number) => {
    const got: number[] = [];
    for (let i = 0; i < n; i++) got.push((await logging(sim, logsPath(zone, { limit: 1 }))).status);
    return got;
  };
  const bare: Fault = { kind: 'bare', status: 503 };
  await sim.setFaults([{ match: { nth: [2, 4] }, fault: bare }]);
  assert.deepEqual(await statuses(5), [200, 503, 200, 503, 200]);
  await sim.setFaults([{ match: { from: 2, to: 3 }, fault: bare }]);
  assert.deepEqual(await statuses(4), [200, 503, 503, 200]);
  await sim.setFaults([{ match: { every: 2 }, fault: bare }]);
  assert.deepEqual(await statuses(4), [200, 503, 200, 503]);
  await sim.setFaults([{ match: { path: /pullzones\/\d+/ }, fault: bare }]);
  assert.deepEqual(await statuses(1), [503]);
  assert.equal((await main(sim, '/pullzone')).status, 200);
  await sim.setFaults([{ match: { host: 'main', method: 'POST' }, fault: bare }]);
  assert.deepEqual(await statuses(1), [200]);
  assert.equal((await main(sim, '/pullzone')).status, 200);
  assert.equal((await main(sim, '/storagezone/605220', { body: {} })).status, 503);
});

test('an update may be carried out although the connection breaks', async (t) => {
  const sim = await bench(t);
  const post = () => main(sim, '/storagezone/605220', { body: { Rewrite404To200: true } });
  await sim.setFaults([{ match: { method: 'POST' }, fault: { kind: 'reset' } }]);
  await assert.rejects(post());
  assert.equal(sim.storageZone(605220)?.read.Rewrite404To200, false);
  await sim.setFaults([{ match: { method: 'POST' }, fault: { kind: 'resetAfter' } }]);
  await assert.rejects(post());
  assert.equal(sim.storageZone(605220)?.read.Rewrite404To200, true);
});

test('who follows a redirect is recorded, with or without credentials', async (t) => {
  const sim = await bench(t, roomy);
  await sim.setFaults([{ fault: { kind: 'redirect', status: 307 } }]);
  const reply = await read(sim);
  assert.equal(reply.status, 307);
  const location = reply.headers['location'] ?? '';
  assert.ok(![sim.baseUrl, sim.loggingUrl].includes(new URL(location).origin));
  await ask(location);
  await ask(location, { headers: { AccessKey: 'x' } });
  assert.deepEqual(sim.stats().elsewhere, { requests: 2, withCredentials: 1 });
});

test('rows drift the same way in every read, the others stay whole', async (t) => {
  const sim = await bench(t, roomy);
  const { sound, faulty } = await both(sim, { kind: 'driftedRows', share: 0.3 });
  assert.deepEqual((await page(sim)).data, faulty.data);
  const whole = faulty.data.filter((row, i) => JSON.stringify(row) === JSON.stringify(sound.data[i]));
  assert.ok(whole.length > 0.5 * sound.data.length && whole.length < 0.9 * sound.data.length);
  const { faulty: bare } = await both(sim, { kind: 'missingField', text: 'requestId' });
  assert.ok(bare.data.every((row) => row.requestId === undefined));
});

test('a coarse clock puts many rows into one instant, and intervals still partition them', async (t) => {
  const sim = await bench(t, roomy);
  const all = (await page(sim, { ...RANGE, limit: 10_000 })).data.map((row) => row.requestId);
  await sim.setFaults([{ fault: [{ kind: 'coarse', ms: 20_000 }, { kind: 'shuffledTies' }] }]);
  const parts: Entry[] = [];
  for (let from = RANGE.from; from < RANGE.to; from += 7_000) {
    parts.push(
      ...(await page(sim, { ...RANGE, from, to: Math.min(from + 7_000, RANGE.to), limit: 10_000 })).data,
    );
  }
  assert.deepEqual(parts.map((row) => row.requestId).sort(), all.sort());
  assert.ok(new Set(parts.map((row) => row.timestamp)).size <= 12);
  const again = await page(sim, { ...RANGE, limit: 10_000 });
  const once = await page(sim, { ...RANGE, limit: 10_000 });
  assert.notDeepEqual(again.data, once.data);
  await sim.setFaults([{ fault: { kind: 'limitCap', count: 3 } }]);
  const capped = await page(sim);
  assert.deepEqual([capped.data.length, capped.pagination.hasMore], [3, true]);
});

test('rows without ids have twins that are alike in every byte', async (t) => {
  const sim = await bench(t, roomy);
  const { sound, faulty } = await both(sim, { kind: 'twins', share: 0.2 });
  assert.ok(faulty.data.length > sound.data.length);
  assert.ok(faulty.data.every((row) => row.requestId === undefined));
  assert.equal(new Set(faulty.data.map((row) => JSON.stringify(row))).size, sound.data.length);
});

test('a lagging replica lacks the newest rows, and others at random; very late rows come in the end', async (t) => {
  const sim = await bench(t, roomy);
  const zone = sim.zone('shop-frontend');
  const q = { from: NOON - 120_000, to: NOON, limit: 10_000, urlContains: 'images' };
  const ids = async () => (JSON.parse((await logging(sim, logsPath(zone, q))).text) as LogPage).data;
  const sound = await ids();
  await sim.setFaults([{ fault: { kind: 'laggingReplica', ms: 60_000, share: 0.3 } }]);
  const [one, two] = [await ids(), await ids()];
  assert.ok(one.length < 0.5 * sound.length);
  assert.ok(one.every((row) => Date.parse(row.timestamp) <= NOON - 60_000));
  assert.notDeepEqual(one, two);
  await sim.setFaults([{ fault: { kind: 'lateRows', share: 0.2, ms: 420_000 } }]);
  const lacking = await ids();
  assert.ok(lacking.length < sound.length);
  assert.deepEqual(await ids(), lacking);
  sim.advance(700_000);
  assert.ok((await ids()).length >= sound.length);
});

test('the table covers F01 to F28, as far as a server can', () => {
  const covered = new Set(Object.values(FAULTS).flatMap((row) => row.covers.match(/F\d\d/g) ?? []));
  const missing = Array.from({ length: 28 }, (_, i) => `F${String(i + 1).padStart(2, '0')}`).filter(
    (id) => !covered.has(id),
  );
  assert.deepEqual(
    missing,
    ['F26', 'F27'],
    'capacity is the option `surges`, four days asleep the option `clock`',
  );
});
