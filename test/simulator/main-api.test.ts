import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, bench, logging, main } from './ask.ts';

test('the two hosts are two origins and each answers only for its own paths', async (t) => {
  const sim = await bench(t);
  assert.notEqual(new URL(sim.baseUrl).origin, new URL(sim.loggingUrl).origin);
  assert.equal((await main(sim, `/v2/pullzones/${sim.zones[0]?.id}/logs`)).status, 404);
  assert.equal((await logging(sim, '/pullzone')).status, 404);
  assert.equal((await main(sim, '/nothing')).status, 404);
});

test('the main API wants the access key, a token is not enough', async (t) => {
  const sim = await bench(t);
  for (const path of ['/apikey', '/storagezone', '/pullzone', '/shield/shield-zones']) {
    assert.equal((await ask(sim.baseUrl + path)).status, 401);
    assert.equal((await ask(sim.baseUrl + path, { headers: { AccessKey: 'wrong' } })).status, 401);
    assert.equal(
      (await ask(sim.baseUrl + path, { headers: { Authorization: `Bearer ${sim.token}` } })).status,
      401,
    );
    assert.equal((await main(sim, path)).status, 200);
  }
  const shield = await ask(`${sim.baseUrl}/shield/shield-zones`);
  assert.match(shield.headers['content-type'] ?? '', /problem\+json/);
  assert.equal(JSON.parse(shield.text).status, 401);
});

test('API keys come in pages of 5 to 1000 with their secrets in full', async (t) => {
  const sim = await bench(t, { keys: 12 });
  const all = JSON.parse((await main(sim, '/apikey')).text);
  assert.equal(all.TotalItems, 12);
  assert.equal(all.HasMoreItems, false);
  assert.ok(all.Items.some((item: { Key: string }) => item.Key === sim.accessKey));
  assert.ok(all.Items.some((item: { Key: null }) => item.Key === null));
  assert.ok(all.Items.some((item: { Roles: null }) => item.Roles === null));
  const pages = await Promise.all(
    [1, 2, 3, 4].map(async (page) => JSON.parse((await main(sim, `/apikey?page=${page}&perPage=5`)).text)),
  );
  assert.deepEqual(
    pages.map((page) => page.Items.length),
    [5, 5, 2, 0],
  );
  assert.deepEqual(
    pages.map((page) => page.HasMoreItems),
    [true, true, false, false],
  );
  assert.deepEqual(
    pages.slice(0, 3).flatMap((page) => page.Items),
    all.Items,
  );
  for (const q of ['perPage=4', 'perPage=1001', 'page=0', 'page=2147483648', 'perPage=x']) {
    const reply = await main(sim, `/apikey?${q}`);
    assert.equal(reply.status, 400);
    assert.deepEqual(Object.keys(JSON.parse(reply.text)), ['ErrorKey', 'Field', 'Message']);
  }
});

test('a key is exchanged for a token that opens the logging host', async (t) => {
  const sim = await bench(t);
  const reply = await ask(`${sim.baseUrl}/apikey/exchange`, { body: { AccessKey: sim.accessKey } });
  const { Token } = JSON.parse(reply.text);
  assert.match(Token, /^[\w-]+\.[\w-]+\.[\w-]+$/);
  const path = `/v2/pullzones/${sim.zone('shop-frontend').id}/logs?limit=1`;
  assert.equal(
    (await ask(sim.loggingUrl + path, { headers: { Authorization: `Bearer ${Token}` } })).status,
    200,
  );
  assert.equal(
    (await ask(sim.loggingUrl + path, { headers: { Authorization: `Bearer ${Token}x` } })).status,
    403,
  );
  assert.equal((await ask(`${sim.baseUrl}/apikey/exchange`, { body: { AccessKey: 'no' } })).status, 401);
});

test('pull zones are a bare array without a page and a paged object with one', async (t) => {
  const sim = await bench(t);
  const bare = JSON.parse((await main(sim, '/pullzone')).text);
  assert.ok(Array.isArray(bare));
  const paged = JSON.parse((await main(sim, '/pullzone?page=1&perPage=1000')).text);
  assert.deepEqual(paged.Items, bare);
  assert.equal(paged.TotalItems, bare.length);
  const found = JSON.parse((await main(sim, '/pullzone?page=1&search=harborpost')).text);
  assert.deepEqual(
    found.Items.map((z: { Name: string }) => z.Name),
    ['news-portal', 'images-eu', 'images-us'],
  );
});

test('pull zones carry secrets that a leak would show, and every state', async (t) => {
  const sim = await bench(t);
  const zones = JSON.parse((await main(sim, '/pullzone')).text);
  for (const field of ['ZoneSecurityKey', 'AWSSigningKey', 'AWSSigningSecret', 'LogForwardingToken']) {
    assert.match(zones[0][field], /^canary-/);
  }
  assert.match(zones[0].Hostnames[0].CertificateKey, /^canary-/);
  assert.ok(zones.some((z: Record<string, unknown>) => z['Suspended'] === true));
  assert.ok(zones.some((z: Record<string, unknown>) => z['EnableLogging'] === false));
  assert.ok(zones.some((z: Record<string, unknown>) => z['Enabled'] === false));
  assert.ok(zones.some((z: Record<string, unknown>) => z['LoggingIPAnonymizationEnabled'] === true));
});

test('an account can have thousands of pull zones', async (t) => {
  const sim = await bench(t, { zones: 3000 });
  const page = JSON.parse((await main(sim, '/pullzone?page=3&perPage=1000')).text);
  assert.equal(page.TotalItems, 3000);
  assert.equal(page.Items.length, 1000);
  assert.equal(page.HasMoreItems, false);
  assert.equal(new Set(sim.zones.map((zone) => zone.id)).size, 3000);
});

test('Shield zones are listed, mapped to pull zones, and found by them', async (t) => {
  const sim = await bench(t);
  const { data, page } = JSON.parse((await main(sim, '/shield/shield-zones?page=2&perPage=5')).text);
  const withShield = sim.zones.filter((zone) => zone.shieldZoneId !== null);
  assert.deepEqual(
    data.map((z: { shieldZoneId: number }) => z.shieldZoneId),
    withShield.slice(5, 10).map((z) => z.shieldZoneId),
  );
  assert.equal(page.totalCount, withShield.length);
  const mapping = JSON.parse((await main(sim, '/shield/shield-zones/pullzone-mapping')).text);
  assert.deepEqual(
    mapping.data,
    withShield.map((z) => ({ shieldZoneId: z.shieldZoneId, pullZoneId: z.id })),
  );
  const shop = sim.zone('shop-frontend');
  const one = JSON.parse((await main(sim, `/shield/shield-zone/get-by-pullzone/${shop.id}`)).text);
  assert.equal(one.data.shieldZoneId, shop.shieldZoneId);
  assert.equal(
    (await main(sim, `/shield/shield-zone/get-by-pullzone/${sim.zone('downloads').id}`)).status,
    202,
  );
  const rules = JSON.parse((await main(sim, `/shield/waf/rules/${shop.shieldZoneId}`)).text);
  const ids = rules.flatMap((set: { ruleGroups: { rules: { ruleId: string }[] }[] }) =>
    set.ruleGroups.flatMap((g) => g.rules.map((r) => r.ruleId)),
  );
  assert.ok(ids.includes('942100') && ids.includes('AGD-U455'));
});

test('the Date header is the server clock in whole seconds', async (t) => {
  const sim = await bench(t);
  sim.advance(1_700);
  assert.equal(
    Date.parse((await main(sim, '/pullzone')).headers['date'] ?? ''),
    Math.floor(sim.now() / 1000) * 1000,
  );
});
