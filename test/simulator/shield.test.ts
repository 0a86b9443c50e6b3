import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bench, type Entry, logs, main, NOON, search } from './ask.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

test('without grouping there are rows, with it groups that add up to them', async (t) => {
  const sim = await bench(t);
  const zone = sim.zone('shop-frontend');
  const flat = await search(sim, zone, { pageSize: 500 });
  assert.equal(flat.groups, null);
  assert.ok(flat.total > 500);
  assert.equal(flat.totalPages, Math.ceil(flat.total / 500));
  const grouped = await search(sim, zone, { groupBy: ['action', 'ruleId'], pageSize: 500 });
  assert.equal(grouped.rows, null);
  assert.equal(grouped.total, grouped.groups?.length);
  assert.equal(
    grouped.groups?.reduce((sum, group) => sum + group.count, 0),
    flat.total,
  );
  for (const group of grouped.groups ?? []) {
    assert.deepEqual(Object.keys(group.key), ['action', 'ruleId']);
    const { blocked, challenged, logged } = group.context;
    assert.equal(Number(blocked) + Number(challenged) + Number(logged), group.count);
    assert.ok(group.firstSeen <= group.lastSeen);
    assert.equal(typeof group.context['features'], 'string');
  }
});

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

test('pages are zero-based, 50 long unless told, clamped to 1…500, and make up the whole', async (t) => {
  const sim = await bench(t);
  const zone = sim.zone('shop-frontend');
  const sizes = await Promise.all(
    [undefined, 0, -3, 501, 7].map(async (pageSize) => (await search(sim, zone, { pageSize })).rows?.length),
  );
  assert.deepEqual(sizes, [50, 1, 1, 500, 7]);
  const { total } = await search(sim, zone);
  const ids: string[] = [];
  for (let page = 0; page * 500 < total; page++) {
    ids.push(...((await search(sim, zone, { page, pageSize: 500 })).rows ?? []).map((row) => row.logId));
  }
  assert.equal(ids.length, total);
  assert.equal(new Set(ids).size, total);
  assert.deepEqual((await search(sim, zone, { page: 9999 })).rows, []);
});

test('every operator selects by its field, filters AND, values OR', async (t) => {
  const sim = await bench(t);
  const zone = sim.zone('shop-frontend');
  const all: Record<string, string>[] = [];
  for (let page = 0; page < 20; page++)
    all.push(...((await search(sim, zone, { page, pageSize: 500 })).rows ?? []).map((row) => row.fields));
  const v4 = all.find((f) => f['ip']?.includes('.'))?.['ip'] ?? '';
  const v6 = all.find((f) => f['ip']?.includes(':'))?.['ip'] ?? '';
  const net4 = v4.split('.').slice(0, 2).join('.');
  const net6 = v6.split(':').slice(0, 3).join(':');
  const cases: [object[], (f: Record<string, string>) => boolean][] = [
    [[{ field: 'action', op: 'eq', value: ['BLOCKED'] }], (f) => f['action'] === 'blocked'],
    [[{ field: 'country', op: 'in', value: ['DE', 'US'] }], (f) => ['DE', 'US'].includes(f['country'] ?? '')],
    [[{ field: 'ua', op: 'contains', value: ['firefox'] }], (f) => /firefox/i.test(f['ua'] ?? '')],
    [
      [{ field: 'url', op: 'wildcard', value: ['https://*/.env'] }],
      (f) => /^https:.*\/\.env$/.test(f['url'] ?? ''),
    ],
    [
      [{ field: 'ip', op: 'cidr', value: [`${net4}.0.0/16`] }],
      (f) => f['ip']?.startsWith(`${net4}.`) ?? false,
    ],
    [[{ field: 'ip', op: 'cidr', value: [`${net6}::/48`] }], (f) => f['ip']?.startsWith(`${net6}:`) ?? false],
    [[{ field: 'ruleId', op: 'eq', value: ['AGD-U455'] }], (f) => f['ruleId'] === 'AGD-U455'],
    [
      [
        { field: 'feature', op: 'eq', value: ['waf'] },
        { field: 'action', op: 'in', value: ['logged', 'challenged'] },
      ],
      (f) => f['feature'] === 'waf' && f['action'] !== 'blocked',
    ],
  ];
  for (const [filters, keeps] of cases) {
    const found = await search(sim, zone, { filters });
    assert.ok(found.total > 0, JSON.stringify(filters));
    assert.equal(found.total, all.filter(keeps).length, JSON.stringify(filters));
  }
  const text = await search(sim, zone, { query: 'Browser CHALLENGE' });
  assert.equal(text.total, all.filter((f) => f['ruleId'] === 'BOT-3').length);
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

test('JSON comes as text/plain unless JSON is asked for', async (t) => {
  const sim = await bench(t);
  const path = `/shield/event-logs/${sim.zone('shop-frontend').shieldZoneId}/search`;
  const body = { from: NOON - MINUTE, to: NOON };
  assert.match((await main(sim, path, { body })).headers['content-type'] ?? '', /^text\/plain/);
  const asked = await main(sim, path, { body, headers: { accept: 'application/json' } });
  assert.match(asked.headers['content-type'] ?? '', /^application\/json/);
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

test('a day is read page by page until there is no more, each event once', async (t) => {
  const sim = await bench(t);
  const zone = sim.zone('checkout');
  const base = `/shield/event-logs/${zone.shieldZoneId}/08-19-2026`;
  const seen: string[] = [];
  let path = base;
  for (let more = true; more; ) {
    const page = JSON.parse((await main(sim, path)).text);
    seen.push(...page.logs.map((log: { logId: string }) => log.logId));
    for (const log of page.logs) {
      assert.equal(JSON.parse(log.log).ServerZoneId, zone.id);
      assert.match(log.labels.status, /^(Blocked|Challenged|Logged)$/);
    }
    more = page.hasMoreData;
    assert.equal(more, page.continuationToken !== null);
    path = `${base}/${encodeURIComponent(page.continuationToken ?? '')}`;
  }
  assert.equal(new Set(seen).size, seen.length);
  const day = await search(sim, zone, { from: Date.UTC(2026, 7, 19), to: Date.UTC(2026, 7, 20) });
  assert.equal(seen.length, day.total);
  assert.ok(seen.length > 200);
  assert.equal((await main(sim, `${base}/nonsense`)).status, 400);
});

test('a day outside of 72 h is a 401 that does not mean the key', async (t) => {
  const sim = await bench(t);
  for (const day of ['08-16-2026', '08-21-2026', '13-45-2026']) {
    const reply = await main(sim, `/shield/event-logs/${sim.zone('checkout').shieldZoneId}/${day}`);
    assert.equal(reply.status, 401);
    assert.equal(JSON.parse(reply.text).errorResponse.errorKey, 'invalid_datetime_window.event_logs');
  }
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
