import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogRecord } from '../../../src/domain/log.ts';
import { createRowCounter } from '../../../src/domain/logs/counted/count-rows.ts';
import { termOfAny } from '../../../src/domain/query/query.ts';
import {
  eventsByRule,
  type FalsePositives,
  FINE_COUNTING,
  falsePositivesOf,
} from '../../../src/domain/questions/rules/ask-false-positives.ts';
import type { ShieldEvent } from '../../../src/domain/shield/shield.ts';
import type { Anonymisation } from '../../../src/domain/zone.ts';
import { row } from '../log-rows.ts';
import { NOON, type Scene, sceneOf } from '../scene.ts';

function answer(scene: Scene, from: number, to: number): FalsePositives {
  return ranked(scene.events(from, to), scene.records(from, to), scene.zone.anonymisation);
}

function ranked(
  events: readonly ShieldEvent[],
  records: readonly LogRecord[],
  anonymisation: Anonymisation = 'none',
): FalsePositives {
  const terms = [termOfAny('status', ['2xx'])];
  const counter = createRowCounter({ terms, anonymisation, of: FINE_COUNTING });
  for (const record of records) counter.add(record);
  return falsePositivesOf(eventsByRule(events, { anonymisation }), counter.counts(), { anonymisation });
}

/** By the simulator's own rows: the clients of each rule, and those with more 2xx than requests that a rule looked at and did not block. */
function recount(scene: Scene, from: number, to: number): Map<string, [clients: number, clean: number]> {
  const rows = scene.rows(from, to);
  const cut = (ip: string) =>
    scene.zone.anonymisation === 'none'
      ? ip
      : ip.includes(':')
        ? ip.split(':').slice(0, 4).join(':')
        : ip.split('.').slice(0, 3).join('.');
  const good = new Set<string>();
  for (const [client, own] of Map.groupBy(rows, ({ client: { ip } }) => cut(ip))) {
    const fine = own.filter(({ status }) => status >= 200 && status < 300);
    const passed = own.filter(({ rule, action }) => rule !== null && action !== 'blocked');
    if (fine.length > passed.length) good.add(client);
  }
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
  const own = { remoteIp: '192.0.2.7', requestId: id.toUpperCase() };
  const seen = (...records: Parameters<typeof row>[0][]) =>
    ranked([event], [own, ...records].map(row)).rules[0]?.cleanClients;
  assert.equal(seen(), 0);
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
  const fine = Array.from({ length: 30 }, (_, i) => row({ remoteIp: `192.0.2.${i}` }));
  assert.deepEqual(
    ranked(all, fine).rules.map(({ ruleId, share }) => [ruleId, share]),
    [
      ['many', 0.75],
      ['few', 1],
    ],
  );
  const dropped = ranked(all, fine, 'drop');
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
  const fineOf = (net: number, length: number) =>
    Array.from({ length }, (_, i) => row({ remoteIp: `198.51.${net}.${i}` }));
  assert.deepEqual(
    ranked(all, [...fineOf(1, 195), ...fineOf(2, 16)]).rules.map(
      ({ ruleId, clients, cleanClients, senders }) => [ruleId, clients, cleanClients, senders],
    ),
    [
      ['visitors', 20, 16, 20],
      ['flood', 200, 195, 1],
    ],
  );
});
