import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bench, logging, logsPath } from './ask.ts';

test('the 31st request for a pull zone within 10 s is refused, whichever version is asked', async (t) => {
  const sim = await bench(t);
  const zone = sim.zone('status-page');
  const paths = [logsPath(zone, { limit: 1 }), `/08-20-26/${zone.id}.log?end=1`];
  for (let i = 0; i < 30; i++) {
    assert.equal((await logging(sim, paths[i % 2] as string)).status, 200);
    if (i === 9) sim.advance(4_000);
  }
  const refused = await Promise.all([0, 1, 2, 3].map(() => logging(sim, paths[0] as string)));
  assert.deepEqual(
    refused.map((reply) => reply.status),
    [429, 429, 429, 429],
  );
  assert.equal(JSON.parse(refused[0]?.text ?? '').error.code, 'rate_limited');
  assert.deepEqual(new Set(refused.map((reply) => reply.headers['retry-after'])), new Set(['6', undefined]));
  assert.equal((await logging(sim, logsPath(sim.zone('docs-site'), { limit: 1 }))).status, 200);
  sim.advance(6_000);
  for (let i = 0; i < 10; i++) assert.equal((await logging(sim, paths[0] as string)).status, 200);
  assert.equal((await logging(sim, paths[0] as string)).status, 429);
  const stats = sim.stats();
  assert.equal(stats.rateLimited, 5);
  assert.equal(stats.maxInWindow[zone.id], 35);
});

test('refused credentials do not use up the limit', async (t) => {
  const sim = await bench(t, { limit: { requests: 1, window: 10_000 } });
  const path = logsPath(sim.zone('docs-site'), { limit: 1 });
  assert.equal((await logging(sim, path, { AccessKey: 'x' })).status, 403);
  assert.equal((await logging(sim, path)).status, 200);
});

test('the statistics tell endpoints, statuses and headers, never a credential', async (t) => {
  const seen: (number | null)[] = [];
  const sim = await bench(t, { onRequest: (request) => seen.push(request.status) });
  await logging(sim, logsPath(sim.zone('docs-site')), { 'x-trace': 'a' });
  await logging(sim, '/nowhere', { Authorization: 'Bearer hidden-token' });
  const stats = sim.stats();
  assert.deepEqual(stats.byEndpoint, { logs: 1, unknown: 1 });
  assert.deepEqual(stats.byStatus, { 200: 1, 404: 1 });
  assert.equal(stats.lastHeaders['logs']?.['x-trace'], 'a');
  assert.equal(stats.lastHeaders['logs']?.['accesskey'], '[present]');
  assert.ok(!JSON.stringify(stats).includes('hidden-token'));
  assert.ok(!JSON.stringify(stats).includes(sim.accessKey));
  assert.deepEqual(seen, [200, 404]);
});
