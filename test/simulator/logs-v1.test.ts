import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { bench, logging, NOON } from './ask.ts';

const lines = (text: string) => text.split('\n').slice(0, -1);

test('a day is a line per request that shows, newest first, twelve fields each', async (t) => {
  const sim = await bench(t);
  const zone = sim.zone('status-page');
  const reply = await logging(sim, `/08-20-26/${zone.id}.log`);
  const truth = sim
    .truth(zone.id, Date.UTC(2026, 7, 20), NOON)
    .filter((row) => row.visibleAt <= NOON && Number(row.entry['statusCode']) < 600)
    .reverse();
  const rows = lines(reply.text).map((line) => line.split('|'));
  assert.ok(rows.length > 1000);
  assert.deepEqual(
    rows.map((row) => row[10]),
    truth.map((row) => row.entry.requestId),
  );
  assert.ok(rows.every((row) => row.length === 12));
  const [first, entry] = [rows[0] ?? [], (truth[0]?.entry ?? {}) as Record<string, unknown>];
  const orDash = (value: unknown) => String(value ?? '-');
  assert.deepEqual(first, [
    entry['cacheStatus'],
    orDash(entry['statusCode']),
    String(truth[0]?.at),
    orDash(entry['bytesSent']),
    String(zone.id),
    orDash(entry['remoteIp']),
    orDash(entry['referer']),
    entry['url'],
    entry['edgeLocation'],
    orDash(entry['userAgent']),
    entry['requestId'],
    orDash(entry['countryCode']),
  ]);
});

test('start, end, sort, status and search choose the lines, and order does not', async (t) => {
  const sim = await bench(t, { limit: { requests: 1000, window: 10_000 } });
  const path = `/08-19-26/${sim.zone('quiet-landing').id}.log`;
  const all = lines((await logging(sim, path)).text);
  const get = async (q: string) => lines((await logging(sim, `${path}?${q}`)).text);
  assert.deepEqual(await get('start=10&end=25'), all.slice(10, 25));
  assert.deepEqual((await get('sort=asc')).slice(0, 5), all.toReversed().slice(0, 5));
  assert.deepEqual(await get('order=asc&end=3'), all.slice(0, 3));
  assert.deepEqual(
    await get('status=4,5'),
    all.filter((line) => /^[^|]*\|[45]/.test(line)),
  );
  assert.deepEqual(
    await get('search=docs.js'),
    all.filter((line) => line.includes('docs.js')),
  );
  const reply = await logging(sim, `${path}?download=true&end=1`);
  assert.match(reply.headers['content-disposition'] ?? '', /attachment/);
});

test('gzip goes to those who take it', async (t) => {
  const sim = await bench(t);
  const path = `/08-19-26/${sim.zone('quiet-landing').id}.log?end=500`;
  const plain = await logging(sim, path);
  const zipped = await logging(sim, path, { 'accept-encoding': 'gzip' });
  assert.equal(plain.headers['content-encoding'], undefined);
  assert.equal(zipped.headers['content-encoding'], 'gzip');
  assert.equal(gunzipSync(zipped.bytes).toString(), plain.text);
});

test('extended zones have three more fields', async (t) => {
  const sim = await bench(t);
  const reply = await logging(sim, `/08-20-26/${sim.zone('api-gateway').id}.log?end=50`);
  const rows = lines(reply.text).map((line) => line.split('|'));
  assert.ok(rows.every((row) => row.length === 15));
  assert.ok(rows.some((row) => row[14]?.startsWith('Bearer canary-')));
});

test('a day out of reach is 404, a day without rows an empty 200', async (t) => {
  const sim = await bench(t);
  const quiet = sim.zone('status-page');
  assert.equal((await logging(sim, `/08-16-26/${quiet.id}.log`)).status, 404);
  assert.equal((await logging(sim, `/08-21-26/${quiet.id}.log`)).status, 404);
  assert.equal((await logging(sim, `/02-31-26/${quiet.id}.log`)).status, 400);
  const none = await logging(sim, `/08-20-26/${quiet.id}.log?search=zzzz`);
  assert.deepEqual([none.status, none.text], [200, '']);
  assert.equal((await logging(sim, `/08-20-26/${sim.zone('legacy-no-logs').id}.log`)).status, 404);
});
