import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Client, createClient } from '../../src/api/client.ts';
import { createQuota } from '../../src/api/quota/quota.ts';
import { Secret } from '../../src/text/secret.ts';
import { type Simulator, startSimulator } from '../support/simulator/server.ts';

const HOUR = 3_600_000;

let simulator: Simulator;
let client: Client & { close(): Promise<void> };

before(async () => {
  simulator = await startSimulator({ seed: 7 });
  client = openClient(new Secret(simulator.accessKey), null);
});

after(async () => {
  await client.close();
  await simulator.close();
});

function openClient(accessKey: Secret | null, token: Secret | null, allowWrites = false): typeof client {
  const { baseUrl, loggingUrl } = simulator;
  return createClient({
    baseUrl,
    loggingUrl,
    credentials: { accessKey, token },
    allowWrites,
    quota: createQuota(),
  });
}

async function busiestZone(): Promise<string> {
  const answer = await client.pullZones({ page: 1, perPage: 1000 });
  assert.ok(answer.ok);
  const zone = answer.value.items.find((each) => each.logging && !each.suspended);
  assert.ok(zone !== undefined);
  return zone.id;
}

test('zones, keys and storage of the simulated account are read, without their secrets', async () => {
  const answers = [
    await client.pullZones({ page: 1 }),
    await client.apiKeys({ page: 1 }),
    await client.storageZones({ page: 1 }),
  ];
  for (const answer of answers) assert.ok(answer.ok && answer.value.items.length > 0);
  const printed = JSON.stringify(answers);
  for (const secret of [simulator.accessKey, simulator.token, ...simulator.secrets]) {
    assert.equal(printed.includes(secret), false);
  }
  assert.doesNotMatch(printed, /canary-/);
});

test('the Shield zones of the mapping answer to their pull zones, rules and searches', async () => {
  const mapping = await client.shieldMapping();
  assert.ok(mapping.ok);
  const [pair] = mapping.value;
  assert.ok(pair !== undefined);
  const zone = await client.shieldZoneOfPullZone(pair.pullZoneId);
  assert.ok(zone.ok);
  assert.equal(zone.value, pair.shieldZoneId);
  const rules = await client.wafRules(pair.shieldZoneId);
  assert.ok(rules.ok && rules.value.length > 0);
  const to = Date.now();
  const request = { from: to - 2 * HOUR, to, query: null, filters: [], groupBy: [], page: 0, pageSize: 20 };
  const rows = await client.shieldSearch(pair.shieldZoneId, request);
  assert.ok(rows.ok && rows.value.kind === 'rows' && rows.value.bad === 0);
  const groups = await client.shieldSearch(pair.shieldZoneId, { ...request, groupBy: ['ip', 'action'] });
  assert.ok(groups.ok && groups.value.kind === 'groups');
  const day = await client.shieldDay(pair.shieldZoneId, new Date(to).toISOString().slice(0, 10), null);
  assert.ok(day.ok);
});

test('a Shield day outside of the window is about the window, not the key', async () => {
  const mapping = await client.shieldMapping();
  assert.ok(mapping.ok);
  const answer = await client.shieldDay(mapping.value[0]?.shieldZoneId ?? '', '2020-01-01', null);
  assert.equal(answer.ok ? '' : answer.failure.kind, 'windowRefused');
});

test('logs of both versions hold the rows that the simulator says there were', async () => {
  const pullZoneId = await busiestZone();
  const to = Math.floor(Date.now() / 1000) * 1000 - 600_000;
  const from = to - 5_000;
  const slice = await client.logs({ pullZoneId, from, to, order: 'asc', limit: 10_000, filter: {} });
  assert.ok(slice.ok);
  assert.ok(slice.value.records.every(({ raw }) => raw === null));
  assert.ok(slice.value.records.every((record) => record.timestamp >= from && record.timestamp < to));
  const ids = slice.value.records.map((record) => record.requestId);
  assert.equal(new Set(ids).size, ids.length);
  const truth = simulator.truth(pullZoneId, from, to);
  assert.equal(slice.value.records.length, truth.length);
  const day = new Date(to).toISOString().slice(0, 10);
  const lines = await client.logsV1({ pullZoneId, day, order: 'desc', end: 50 });
  assert.ok(lines.ok);
  for await (const batch of lines.value) {
    assert.ok(batch.ok && batch.value.bad === 0);
    break;
  }
});

test('a token alone opens the logs', async () => {
  const withToken = openClient(null, new Secret(simulator.token));
  const to = Date.now();
  const request = {
    pullZoneId: await busiestZone(),
    from: to - 60_000,
    to,
    order: 'desc',
    limit: 5,
    filter: {},
  } as const;
  const answer = await withToken.logs(request);
  await withToken.close();
  assert.ok(answer.ok);
});

test('a wrong key is refused by each of the APIs', async () => {
  const other = openClient(new Secret('not-the-key-of-this-account'), null);
  const to = Date.now();
  const answers = [
    await other.pullZones({ page: 1 }),
    await other.logs({ pullZoneId: '1', from: to - 1_000, to, order: 'asc', limit: 5, filter: {} }),
    await other.shieldMapping(),
  ];
  await other.close();
  for (const answer of answers) assert.equal(answer.ok ? '' : answer.failure.kind, 'refusedKey');
});

test('a storage zone is changed only where writing was allowed, and by one POST', async () => {
  const zones = await client.storageZones({ page: 1 });
  assert.ok(zones.ok);
  const [zone] = zones.value.items;
  assert.ok(zone !== undefined);
  const patch = { Rewrite404To200: !zone.rewrite404To200 };
  assert.equal((await client.updateStorageZone(zone.id, patch)).ok, false);
  const writer = openClient(new Secret(simulator.accessKey), null, true);
  assert.deepEqual(await writer.updateStorageZone(zone.id, patch), { ok: true, value: null });
  const read = await writer.storageZone(zone.id);
  await writer.close();
  assert.ok(read.ok && read.value.rewrite404To200 === patch.Rewrite404To200);
});
