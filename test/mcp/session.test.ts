import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logLane } from '../../src/api/quota/quota.ts';
import { createPseudonyms } from '../../src/mcp/tool-call.ts';
import { ZONE } from '../print/support.ts';
import { agent, settled } from './support.ts';

test('a session sends no more requests than it may, says what is left, and refuses in a sentence', async (t) => {
  const { call, sim } = await agent(t, { most: 6 });
  assert.equal((await call('zones')).price.left, 4);
  const part = await call('health');
  assert.deepEqual([part.price.left, part.coverage?.isWhole], [0, false]);
  assert.match(part.untrusted.said.join(), /as many requests were sent as this may cost/);
  const refused = await call('logs', { zone: ZONE });
  assert.equal(refused.isError, true);
  assert.match(refused.refused ?? '', /^All 6 requests of this session are sent, so nothing was asked\./);
  assert.equal(sim.stats().requests, 6);
});

test('a call sends no more than it is given, and names the time that it did not read', async (t) => {
  const { call } = await agent(t, { rate: 400 });
  const given = await call('logs', { zone: ZONE, query: `${settled(30)} by:status`, requests: 3 });
  assert.deepEqual([given.price.requests, given.price.left, given.coverage?.isWhole], [3, 58, false]);
  const gaps = given.untrusted.rows.filter((row) => '_gap' in row);
  assert.ok(gaps.length > 0);
  assert.deepEqual(
    gaps.map((row) => (row['_gap'] as { reason: string }).reason),
    gaps.map(() => 'notRead'),
  );
  assert.match(given.remarks?.join() ?? '', /as many requests were sent as this may cost/);
});

test('health reads the newest rows of every zone before the past of any', async (t) => {
  const { call, sim } = await agent(t);
  const readable = 15;
  const given = await call('health', { requests: readable + 2 + 7 });
  assert.equal(given.coverage?.read, readable);
  assert.match(
    given.remarks?.join() ?? '',
    /the newest rows of all 15 zones were asked for, and of \d+ the hour before/,
  );
  assert.ok(given.price.requests <= readable + 9, String(given.price.requests));
  assert.ok(sim.stats().requests >= readable + 2);
});

test('a call stands back while people wait for the quota of the zone', async (t) => {
  const { call, sim, quota, clock } = await agent(t);
  const zone = sim.zones.find(({ name }) => name === ZONE);
  await call('zones');
  const lane = logLane(sim.loggingUrl, String(zone?.id));
  const held = await Promise.all(Array.from({ length: 24 }, () => quota.acquire(lane, 'user')));
  const order: string[] = [];
  const asked = call('logs', { zone: String(zone?.id), query: settled(1), limit: 1 }).then(() => {
    order.push('agent');
  });
  await clock.advance(1_000);
  const waiting = quota.acquire(lane, 'user').then((permit) => {
    order.push('person');
    permit.release('unsent');
  });
  await clock.advance(1_000);
  assert.deepEqual(order, []);
  // One place becomes free, and then all the others.
  held[0]?.release('answered');
  await clock.advance(11_000);
  assert.deepEqual(order, ['person']);
  for (const permit of held) permit.release('answered');
  await Promise.all([waiting, asked]);
  assert.deepEqual(order, ['person', 'agent']);
});

test('a call that waits says so to a client that asks, and nothing when it is over', async (t) => {
  const { call, official, sim, quota, clock } = await agent(t);
  await call('zones');
  const zone = sim.zones.find(({ name }) => name === ZONE);
  const lane = logLane(sim.loggingUrl, String(zone?.id));
  const held = await Promise.all(Array.from({ length: 24 }, () => quota.acquire(lane, 'user')));
  const told: (string | undefined)[] = [];
  const asked = official.callTool(
    { name: 'logs', arguments: { zone: String(zone?.id), query: settled(1), limit: 1 } },
    { onprogress: ({ message }) => told.push(message) },
  );
  await clock.advance(11_000);
  assert.deepEqual(told, [
    '0 requests sent in 5 s; waiting until 2026-11-19T12:00:30Z (30s): as many requests went to logging.simulator.test as may; it is not said again for the quota',
    '0 requests sent in 10 s; waiting until 2026-11-19T12:00:30Z (30s): as many requests went to logging.simulator.test as may; it is not said again for the quota',
  ]);
  for (const permit of held) permit.release('unsent');
  await sim.ended(asked);
  await clock.advance(20_000);
  assert.equal(told.length, 2);
});

test('a call that is cancelled hangs up what it asked, and the next one is served', async (t) => {
  const { call, sim, official, clock } = await agent(t);
  await call('zones');
  await sim.setFaults([{ match: { host: 'logging' }, fault: { kind: 'hang' } }]);
  const stopper = new AbortController();
  const asked = official.callTool(
    { name: 'logs', arguments: { zone: ZONE, query: settled(1) } },
    { signal: stopper.signal },
  );
  const ended = asked.then(
    () => 'answered',
    () => 'cancelled',
  );
  const before = sim.stats().requests;
  while (sim.stats().requests === before) await clock.advance(10);
  stopper.abort();
  assert.equal(await ended, 'cancelled');
  await sim.setFaults([]);
  const now = clock.now();
  const next = await call('zones');
  assert.equal(next.outcome, 'fine');
  // It waited for no time limit of the request that hung.
  assert.ok(clock.now() - now < 1_000);
});

test('with pseudonyms no address leaves, the same one has the same name, and is understood by it', async (t) => {
  const { call, sim } = await agent(t, { hasPseudonyms: true });
  const groups = await call('logs', { zone: ZONE, query: `${settled(2)} by:ip`, limit: 5 });
  const names = groups.untrusted.rows.map((row) => (row['key'] as { ip: string }).ip);
  assert.equal(names.length, 5);
  for (const name of names) assert.match(name, /^ip-\d+ \([0-9a-f.:]+x\)$/);
  assert.equal(new Set(names).size, 5);
  const [first = ''] = names;
  const [word = ''] = first.split(' ');
  const rows = await call('logs', { zone: ZONE, query: `${settled(2)} ip:${word}`, limit: 3 });
  assert.deepEqual(
    rows.untrusted.rows.map((row) => row['remoteIp']),
    rows.untrusted.rows.map(() => first),
  );
  assert.ok(rows.untrusted.rows.length > 0);
  assert.match(rows.command ?? '', new RegExp(`ip:${word}\\b`));
  const zone = sim.zones.find(({ name }) => name === ZONE);
  const now = sim.clock.now();
  const truth = sim.truth(zone?.id ?? '', now - 13 * 60_000, now - 9 * 60_000);
  const addresses = new Set(truth.map((row) => row.entry.remoteIp));
  assert.ok(addresses.size > 10);
  for (const address of addresses) assert.ok(!`${groups.text}${rows.text}`.includes(String(address)));
});

test('a pseudonym stands for its address as a whole value alone', () => {
  const { mask, meant } = createPseudonyms();
  assert.equal(mask('203.0.113.7, 2001:db8::1'), 'ip-1 (203.0.113.x), ip-2 (2001:db8:0::x)');
  assert.equal(meant('ip:ip-1,ip-2 -ip:ip-1'), 'ip:203.0.113.7,2001:db8::1 -ip:203.0.113.7');
  for (const text of ['url:/ip-1', 'host:ip-1.example', 'ip:ip-10', '"ip-1"'])
    assert.equal(meant(text), text);
  // Text that would begin a block of code in a notebook hides nothing here.
  assert.equal(mask('``` 203.0.113.7'), '``` ip-1 (203.0.113.x)');
});
