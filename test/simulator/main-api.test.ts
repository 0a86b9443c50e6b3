import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, bench, main } from './ask.ts';

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
