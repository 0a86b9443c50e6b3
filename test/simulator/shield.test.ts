import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bench, type Entry, logs, main, NOON, search } from './ask.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

test('groups are counted by steps of the window, which add up to them on every page', async (t) => {
  const sim = await bench(t);
  const zone = sim.zone('shop-frontend');
  const asked = { groupBy: ['ip'], pageSize: 7, page: 2 };
  const plain = await search(sim, zone, asked);
  assert.ok(plain.groups?.every((group) => group.sparkline === undefined));
  const counted = await search(sim, zone, { ...asked, buckets: 12 });
  assert.deepEqual(
    counted.groups?.map(({ sparkline: _, ...group }) => group),
    plain.groups,
  );
  for (const [at, { key, count, sparkline }] of (counted.groups ?? []).entries()) {
    assert.equal(sparkline?.length, 12);
    assert.equal(
      sparkline.reduce((sum, each) => sum + each, 0),
      count,
    );
    if (at > 0) continue;
    const filters = [{ field: 'ip', op: 'eq', value: [key['ip']] }];
    for (const [step, events] of sparkline.entries()) {
      const from = sim.now() - (12 - step) * 15 * MINUTE;
      const { total } = await search(sim, zone, { filters, from, to: from + 15 * MINUTE });
      assert.equal(events, total, `step ${step}`);
    }
  }
});

test('a pattern has its letters as they stand, stars alone for any, and no case', async (t) => {
  const sim = await bench(t);
  const zone = sim.zone('shop-frontend');
  const found = async (pattern: string) =>
    (await search(sim, zone, { filters: [{ field: 'url', op: 'wildcard', value: [pattern] }] })).total;
  const all = await found('*');
  const queried = await found('*?*');
  assert.ok(queried > 0 && queried < all, `${queried} of ${all}`);
  assert.equal(await found('HTTPS://*'), await found('https://*'));
  assert.equal(await found('https:...*'), 0);
});

test('a wrong search is a 400 with problem details', async (t) => {
  const sim = await bench(t);
  const path = `/shield/event-logs/${sim.zone('staging-shop').shieldZoneId}/search`;
  const good = { from: NOON - HOUR, to: NOON };
  const bad: (object | string)[] = [
    '{',
    [],
    { to: NOON },
    { from: NOON, to: NOON },
    { from: NOON - 72 * HOUR - 1, to: NOON },
    { ...good, buckets: 20 },
    ...[0, 501, 1.5, '20'].map((buckets) => ({ ...good, groupBy: ['action'], buckets })),
    { ...good, sparkline: true },
    { ...good, groupBy: ['method'] },
    { ...good, filters: [{ field: 'method', op: 'eq', value: ['GET'] }] },
    { ...good, filters: [{ field: 'ip', op: 'ne', value: ['x'] }] },
    { ...good, filters: [{ field: 'ua', op: 'cidr', value: ['10.0.0.0/8'] }] },
    { ...good, filters: [{ field: 'ip', op: 'cidr', value: ['10.0.0.0/99'] }] },
    { ...good, filters: [{ field: 'ip', op: 'eq', value: 'x' }] },
    { ...good, page: 'one' },
  ];
  for (const body of bad) {
    const reply = await main(sim, path, { body });
    assert.equal(reply.status, 400, JSON.stringify(body));
    assert.match(reply.headers['content-type'] ?? '', /problem\+json/);
    assert.deepEqual(Object.keys(JSON.parse(reply.text)).slice(0, 5), [
      'type',
      'title',
      'status',
      'detail',
      'instance',
    ]);
  }
  assert.equal((await main(sim, path, { body: { from: NOON - 72 * HOUR, to: NOON } })).status, 200);
  assert.equal(
    (await main(sim, path, { body: good, headers: { 'content-type': 'text/plain' } })).status,
    415,
  );
  assert.equal(
    (await main(sim, path, { body: good, headers: { 'content-type': 'application/vnd.x+json' } })).status,
    200,
  );
});

test('events agree with the CDN log: same request id, blocked ones are a 403 there', async (t) => {
  const sim = await bench(t);
  const zone = sim.zone('shop-frontend');
  const window = { from: NOON - 20 * MINUTE, to: NOON - 6 * MINUTE };
  const requests = new Map<string, Entry>();
  for (let offset = 0, more = true; more; offset += 10_000) {
    const page = await logs(sim, zone, { ...window, limit: 10_000, offset });
    for (const row of page.data) requests.set(row.requestId, row);
    more = page.pagination.hasMore;
  }
  const { total } = await search(sim, zone, window);
  let blocked = 0;
  for (let page = 0; page * 500 < total; page++) {
    for (const event of (await search(sim, zone, { ...window, page, pageSize: 500 })).rows ?? []) {
      const headers = event.log['Headers'] as { Name: string; Value: string }[];
      const id = headers.find((header) => header.Name === 'CDN-RequestId')?.Value ?? '';
      const request = requests.get(id);
      if (request === undefined) continue;
      assert.equal(Date.parse(request.timestamp), event.timestamp);
      assert.equal(request.url, event.log['Url']);
      assert.equal(request['remoteIp'], event.fields['ip']);
      if (event.fields['action'] === 'blocked') {
        blocked += 1;
        assert.equal(request.statusCode, 403);
      }
      requests.delete(id);
    }
  }
  assert.ok(blocked > 100);
  const others = sim
    .truth(zone.id, window.from, window.to)
    .filter((row) => row.shield !== null && requests.has(row.entry.requestId));
  assert.deepEqual(others, []);
});

test('anonymised zones hide addresses from Shield too, and a log-only WAF blocks nothing', async (t) => {
  const sim = await bench(t);
  const octet = await search(sim, sim.zone('news-portal'), { pageSize: 500 }, 300);
  assert.ok(octet.rows?.some((row) => /^\d+\.\d+\.\d+\.\*$/.test(row.fields['ip'] ?? '')));
  const logOnly = await search(sim, sim.zone('docs-site'), { groupBy: ['action'] }, 300);
  assert.deepEqual(
    logOnly.groups?.map((group) => group.key['action']),
    ['logged'],
  );
});
