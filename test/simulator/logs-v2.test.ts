import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bench, type Entry, logging, logs, logsPath, NOON } from './ask.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
/** Everything older shows. */
const SETTLED = NOON - 5 * MINUTE;
const WINDOW = { from: SETTLED - 5 * MINUTE, to: SETTLED };

test('a read gives every row of [from, to) that shows, and only those', async (t) => {
  const sim = await bench(t);
  const zone = sim.zone('media-video');
  const truth = sim.truth(zone.id, WINDOW.from, WINDOW.to);
  const { data, pagination, query } = await logs(sim, zone, { ...WINDOW, order: 'asc', limit: 10_000 });
  assert.ok(data.length > 500);
  assert.deepEqual(
    data,
    truth.map((row) => row.entry),
  );
  assert.deepEqual(pagination, { offset: 0, limit: 10_000, returned: data.length, hasMore: false });
  assert.deepEqual(query, {
    pullZoneId: zone.id,
    from: new Date(WINDOW.from).toISOString(),
    to: new Date(WINDOW.to).toISOString(),
    order: 'asc',
  });
  const third = data[3] as Entry;
  const at = Date.parse(third.timestamp);
  const inclusive = await logs(sim, zone, { from: at, to: WINDOW.to, order: 'asc', limit: 1 });
  assert.equal(
    inclusive.data[0]?.requestId,
    data.find((row) => row.timestamp === third.timestamp)?.requestId,
  );
  const exclusive = await logs(sim, zone, { from: WINDOW.from, to: at, limit: 10_000 });
  assert.ok(exclusive.data.every((row) => row.timestamp < third.timestamp));
});

test('each filter keeps what it should and loses nothing', async (t) => {
  const sim = await bench(t, { limit: { requests: 1000, window: 10_000 } });
  const zone = sim.zone('shop-frontend');
  const all = sim.truth(zone.id, WINDOW.from, WINDOW.to).map((row) => row.entry as Entry);
  const some = all[17] as Entry;
  const has = (column: string, part: string) => (row: Entry) =>
    String(row[column] ?? '')
      .toLowerCase()
      .includes(part);
  const cases: [Record<string, string>, (row: Entry) => boolean][] = [
    [{ status: '404,5xx' }, (row) => row.statusCode === 404 || row.statusCode >= 500],
    [{ status: '2xx' }, (row) => row.statusCode >= 200 && row.statusCode < 300],
    [{ cacheStatus: 'MISS,BYPASS' }, (row) => ['MISS', 'BYPASS'].includes(String(row['cacheStatus']))],
    [{ edgeLocation: 'DE' }, (row) => row['edgeLocation'] === 'DE'],
    [{ remoteIp: String(some['remoteIp']) }, (row) => row['remoteIp'] === some['remoteIp']],
    [{ urlContains: 'NORTHWIND.example/API' }, has('url', 'northwind.example/api')],
    [{ userAgentContains: 'FIREFOX' }, has('userAgent', 'firefox')],
    [{ refererContains: 'Google' }, has('referer', 'google')],
    [{ requestId: some.requestId }, (row) => row.requestId === some.requestId],
    [{ country: 'de,fr' }, (row) => ['DE', 'FR'].includes(String(row['countryCode']))],
    [{ search: 'checkout curl/' }, (row) => has('url', 'checkout')(row) || has('userAgent', 'curl/')(row)],
  ];
  for (const [q, keeps] of cases) {
    const { data } = await logs(sim, zone, { ...WINDOW, ...q, order: 'asc', limit: 10_000 });
    const wanted = all.slice(0, 10_000).filter(keeps);
    assert.ok(wanted.length > 0, JSON.stringify(q));
    assert.deepEqual(data, wanted, JSON.stringify(q));
  }
  const hyphens = some.requestId.replace(/^(.{8})(.{4})/, '$1-$2-');
  assert.equal((await logs(sim, zone, { ...WINDOW, requestId: hyphens })).data.length, 1);
  assert.equal((await logs(sim, zone, { ...WINDOW, requestId: 'f'.repeat(32) })).data.length, 0);
});

test('an address filter widens under last-octet anonymisation and is ignored under drop', async (t) => {
  const sim = await bench(t);
  const masked = sim.zone('media-video');
  const all = sim.truth(masked.id, WINDOW.from, WINDOW.to).map((row) => row.entry);
  const v4 = String(all.find((row) => String(row['remoteIp']).includes('.'))?.['remoteIp']);
  assert.match(v4, /\.0$/);
  const narrow = await logs(sim, masked, {
    ...WINDOW,
    remoteIp: v4.replace(/0$/, '201'),
    order: 'asc',
    limit: 10_000,
  });
  assert.deepEqual(
    narrow.data,
    all.filter((row) => row['remoteIp'] === v4),
  );
  const v6 = String(all.find((row) => String(row['remoteIp']).includes(':'))?.['remoteIp']);
  assert.match(v6, /::$/);
  const six = await logs(sim, masked, { ...WINDOW, remoteIp: `${v6}abcd`, order: 'asc', limit: 10_000 });
  assert.deepEqual(
    six.data,
    all.filter((row) => row['remoteIp'] === v6),
  );
  const dropped = sim.zone('mobile-api');
  const free = await logs(sim, dropped, { ...WINDOW, remoteIp: '192.0.2.1', limit: 10_000 });
  assert.equal(free.data.length, sim.truth(dropped.id, WINDOW.from, WINDOW.to).length);
  assert.ok(free.data.every((row) => (row['remoteIp'] ?? null) === null));
});

test('invalid parameters are named in the details of a 400', async (t) => {
  const sim = await bench(t, { limit: { requests: 1000, window: 10_000 } });
  const zone = sim.zone('shop-frontend');
  const cases: [Record<string, string | number>, string][] = [
    [{ limit: 0 }, 'limit'],
    [{ limit: 10_001 }, 'limit'],
    [{ limit: 'ten' }, 'limit'],
    [{ offset: -1 }, 'offset'],
    [{ order: 'up' }, 'order'],
    [{ from: 'yesterday' }, 'from'],
    [{ from: NOON, to: NOON }, 'from'],
    [{ from: NOON - 3 * DAY - 1 }, 'from'],
    [{ from: NOON - 5 * DAY, to: NOON - 4 * DAY }, 'from'],
    [{ status: '6xx' }, 'status'],
    [{ remoteIp: 'me' }, 'remoteIp'],
    [{ requestId: 'abc' }, 'requestId'],
    [{ search: 'a '.repeat(17) }, 'search'],
    [{ search: 'a'.repeat(129) }, 'search'],
  ];
  for (const [q, name] of cases) {
    const reply = await logging(sim, logsPath(zone, q));
    assert.equal(reply.status, 400, JSON.stringify(q));
    const { error } = JSON.parse(reply.text);
    assert.equal(error.code, 'invalid_request');
    assert.ok(
      error.details.some((detail: string) => detail.startsWith(`${name}:`)),
      reply.text,
    );
  }
  assert.equal((await logging(sim, logsPath(zone, { from: NOON - 3 * DAY, limit: 1 }))).status, 200);
});

test('a late row is missing at first and there later, in its place', async (t) => {
  const sim = await bench(t);
  const zone = sim.zone('shop-frontend');
  const range = { from: NOON - 4 * MINUTE, to: NOON };
  const read = async () =>
    (await logs(sim, zone, { ...range, order: 'asc', limit: 10_000, urlContains: 'category' })).data.map(
      (row) => row.requestId,
    );
  const expected = (now: number) =>
    sim
      .truth(zone.id, range.from, range.to)
      .filter((row) => row.visibleAt <= now && String(row.entry['url']).includes('category'))
      .map((row) => row.entry.requestId);
  const early = await read();
  assert.deepEqual(early, expected(NOON));
  sim.advance(5 * MINUTE);
  const later = await read();
  assert.deepEqual(later, expected(NOON + 5 * MINUTE));
  assert.ok(later.length > early.length);
  assert.deepEqual(
    later.filter((id) => early.includes(id)),
    early,
  );
});
