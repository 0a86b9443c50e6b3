import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visitOf } from '../../../src/domain/questions/clients/client.ts';
import {
  createFalsePositives,
  type FalsePositives,
} from '../../../src/domain/questions/rules/ask-false-positives.ts';
import type { ShieldEvent } from '../../../src/domain/shield/shield.ts';
import { row } from '../log-rows.ts';
import { NOON, type Scene, sceneOf } from '../scene.ts';

function answer(scene: Scene, from: number, to: number): FalsePositives {
  const { anonymisation } = scene.zone;
  const answer = createFalsePositives(scene.events(from, to), anonymisation);
  for (const record of scene.records(from, to)) answer.add(visitOf(record, anonymisation));
  return answer.result();
}

/** By the simulator's own rows: the clients of each rule, and those with a 2xx that no rule looked at. */
function recount(scene: Scene, from: number, to: number): Map<string, [clients: number, clean: number]> {
  const rows = scene.rows(from, to);
  const cut = (ip: string) =>
    scene.zone.anonymisation === 'none'
      ? ip
      : ip.includes(':')
        ? ip.split(':').slice(0, 4).join(':')
        : ip.split('.').slice(0, 3).join('.');
  const good = new Set(
    rows
      .filter(({ rule, status }) => rule === null && status >= 200 && status < 300)
      .map(({ client }) => cut(client.ip)),
  );
  const byRule = Map.groupBy(
    rows.filter(({ rule }) => rule !== null),
    ({ rule }) => rule?.ruleId ?? '',
  );
  return new Map(
    [...byRule].map(([ruleId, own]) => {
      const clients = new Set(own.map(({ client }) => cut(client.ip)));
      return [ruleId, [clients.size, [...clients].filter((client) => good.has(client)).length]];
    }),
  );
}

for (const [name, kind] of [
  ['api-gateway', 'wafMisfire'],
  ['shop-frontend', 'layer7Attack'],
  ['news-portal', 'scanner'],
] as const) {
  test(`the clients of every rule in the ${kind} of ${name}, and the clean ones among them, are those of a recount`, () => {
    const scene = sceneOf(name);
    const { from, to } = scene.incident(kind);
    const { rules, why } = answer(scene, from, to);
    assert.deepEqual(
      new Map(rules.map((rule) => [rule.ruleId, [rule.clients, rule.cleanClients]])),
      recount(scene, from, to),
    );
    assert.equal(why, null);
  });
}

test('a misfiring rule stands above the rules that hit attackers, with what it matched', () => {
  const scene = sceneOf('api-gateway');
  const { from, to, cause } = scene.incident('wafMisfire');
  const [first] = answer(scene, from, to).rules;
  assert.equal(first?.ruleId, cause['ruleId']?.[0]);
  assert.ok((first?.share ?? 0) > 0.8 && first?.stopped === first?.events);
  assert.match(first?.message ?? '', /SQL Injection/);
  assert.equal(first?.withFragment, first?.events);
  const attack = sceneOf('shop-frontend');
  const during = attack.incident('layer7Attack');
  const flood = answer(attack, during.from, during.to).rules.find(({ ruleId }) => ruleId === 'DD-7');
  assert.equal(flood?.share, 0);
  assert.deepEqual(
    flood?.fragments.map(({ shape }) => shape),
    ['requests per second'],
  );
});

test('a 2xx that Shield looked at and let through makes nobody a good client', () => {
  const id = 'a'.repeat(32);
  const event: ShieldEvent = {
    logId: null,
    timestamp: NOON,
    fields: { ruleId: '1', ip: '192.0.2.7', action: 'logged' },
    log: { Headers: [{ Name: 'CDN-RequestId', Value: id }] },
    raw: null,
  };
  const seen = (...records: Parameters<typeof row>[0][]) => {
    const answer = createFalsePositives([event], 'none');
    for (const record of records) answer.add(visitOf(row(record), 'none'));
    return answer.result().rules[0]?.cleanClients;
  };
  assert.equal(seen({ remoteIp: '192.0.2.7', requestId: id.toUpperCase() }), 0);
  assert.equal(seen({ remoteIp: '192.0.2.7', requestId: 'b'.repeat(32), statusCode: 404 }), 0);
  assert.equal(seen({ remoteIp: '192.0.2.8', requestId: 'b'.repeat(32) }), 0);
  assert.equal(seen({ remoteIp: '192.0.2.7', requestId: 'b'.repeat(32) }), 1);
});

test('three clean clients of three stand below thirty of forty, and where nobody can be told it says why', () => {
  const events = (ruleId: string, n: number): ShieldEvent[] =>
    Array.from({ length: n }, (_, i) => ({
      logId: null,
      timestamp: NOON,
      fields: { ruleId, ip: `192.0.2.${i}`, action: 'blocked' },
      log: null,
      raw: null,
    }));
  const all = [...events('few', 3), ...events('many', 40)];
  const ranked = createFalsePositives(all, 'none');
  for (let i = 0; i < 30; i++) ranked.add(visitOf(row({ remoteIp: `192.0.2.${i}` }), 'none'));
  assert.deepEqual(
    ranked.result().rules.map(({ ruleId, share }) => [ruleId, share]),
    [
      ['many', 0.75],
      ['few', 1],
    ],
  );
  const dropped = createFalsePositives(all, 'drop').result();
  assert.match(dropped.why ?? '', /logs no client addresses/);
  assert.deepEqual(
    dropped.rules.map(({ share, clients }) => [share, clients]),
    [
      [null, 0],
      [null, 0],
    ],
  );
});

test('many addresses behind one AS with one fingerprint stand below a few different clients', () => {
  const events = (ruleId: string, n: number, who: (i: number) => Record<string, string>): ShieldEvent[] =>
    Array.from({ length: n }, (_, i) => ({
      logId: null,
      timestamp: NOON,
      fields: { ruleId, action: 'blocked', ip: `198.51.${ruleId === 'flood' ? 1 : 2}.${i}`, ...who(i) },
      log: null,
      raw: null,
    }));
  const all = [
    ...events('flood', 200, () => ({ asn: '64500', ja4: 't13d' })),
    ...events('visitors', 20, (i) => ({ asn: `${i % 5}`, ja4: `t${i % 4}` })),
  ];
  const ranked = createFalsePositives(all, 'none');
  for (let i = 0; i < 195; i++) ranked.add(visitOf(row({ remoteIp: `198.51.1.${i}` }), 'none'));
  for (let i = 0; i < 16; i++) ranked.add(visitOf(row({ remoteIp: `198.51.2.${i}` }), 'none'));
  assert.deepEqual(
    ranked
      .result()
      .rules.map(({ ruleId, clients, cleanClients, senders }) => [ruleId, clients, cleanClients, senders]),
    [
      ['visitors', 20, 16, 20],
      ['flood', 200, 195, 1],
    ],
  );
});
