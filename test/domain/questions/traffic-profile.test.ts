import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  cleanClients,
  clientKeys,
  clientsActedOn,
  requestsByClient,
} from '../../../src/domain/clients/client-identity.ts';
import {
  evidenceOf as evidenceOfCounts,
  fragmentShape,
  type GroupEvidence,
  groupFragments,
  LEAST_LINES,
  SHAPE_COUNTING,
  type TrafficTag,
  trafficProfilesOf,
} from '../../../src/domain/clients/traffic-profile.ts';
import type { LogRecord } from '../../../src/domain/log.ts';
import { createRowCounter } from '../../../src/domain/logs/counted/count-rows.ts';
import { SHIELD_DIMENSIONS, type ShieldEvent } from '../../../src/domain/shield/shield.ts';
import type { IncidentKind } from '../../../src/simulator/traffic/incidents.ts';
import { row } from '../log-rows.ts';
import { HOUR, MINUTE, NOON, type Scene, sceneOf } from '../scene.ts';

const COLUMNS = {
  ip: 'remoteIp',
  ja4: 'ja4Fingerprint',
  asn: 'asn',
  ua: 'userAgent',
  country: 'countryCode',
  url: 'path',
} as const;

function evidenceOf(
  scene: Scene,
  events: readonly ShieldEvent[],
  records: readonly LogRecord[],
  around: readonly LogRecord[] = [],
): GroupEvidence {
  const { anonymisation } = scene.zone;
  const counter = createRowCounter({ terms: [], anonymisation, of: SHAPE_COUNTING });
  for (const record of records) counter.add(record);
  const evidence = evidenceOfCounts(events, [counter.counts()], anonymisation);
  return { ...evidence, cleanClients: cleanShare(events, around) };
}

/** The share of the clients of events that have a clean 2xx among some rows; null: there are none. */
function cleanShare(events: readonly ShieldEvent[], around: readonly LogRecord[]): number | null {
  if (around.length === 0) return null;
  const values = around
    .filter(({ statusCode }) => statusCode >= 200 && statusCode < 300)
    .map(({ remoteIp }) => ({ value: remoteIp, count: 1, sums: null }));
  const clients = clientsActedOn(events, 'none');
  return cleanClients(clients, requestsByClient({ values }, clientKeys('none'))).size / clients.size;
}

const tagsOf = (evidence: GroupEvidence): TrafficTag[] => trafficProfilesOf(evidence).map(({ tag }) => tag);

test('the group of each planted incident gets its tag and no other, from either log', () => {
  const cases: [string, IncidentKind, 'ja4' | 'asn' | 'ip', TrafficTag][] = [
    ['shop-frontend', 'layer7Attack', 'ja4', 'botnet'],
    ['shop-frontend', 'layer7Attack', 'asn', 'botnet'],
    ['shop-frontend', 'scanner', 'ip', 'scanner'],
    ['shop-frontend', 'scanner', 'asn', 'scanner'],
    ['news-portal', 'scanner', 'asn', 'scanner'],
    ['shop-frontend', 'credentialStuffing', 'ja4', 'stuffing'],
  ];
  for (const [name, kind, field, tag] of cases) {
    const scene = sceneOf(name);
    const { from, to, cause } = scene.incident(kind);
    const value = cause[field]?.[0];
    const events = scene.events(from, to).filter(({ fields }) => fields[field] === value);
    const all = scene.records(from, to);
    const records = all.filter((record) => record[COLUMNS[field]] === value);
    assert.ok(records.length > LEAST_LINES && events.length > LEAST_LINES, `${kind} ${field}`);
    const because = `${kind} by ${field}`;
    assert.deepEqual(tagsOf(evidenceOf(scene, events, [])), [tag], `${because}, events`);
    assert.deepEqual(tagsOf(evidenceOf(scene, [], records)), [tag], `${because}, requests`);
    assert.deepEqual(tagsOf(evidenceOf(scene, events, records, all)), [tag], `${because}, both`);
  }
});

test('a misfire is called one only when the CDN log shows that its clients are good ones', () => {
  const scene = sceneOf('api-gateway');
  const { from, to, cause } = scene.incident('wafMisfire');
  const events = scene.events(from, to).filter(({ fields }) => fields['ruleId'] === cause['ruleId']?.[0]);
  assert.deepEqual(tagsOf(evidenceOf(scene, events, [])), []);
  const [profile, ...others] = trafficProfilesOf(evidenceOf(scene, events, [], scene.records(from, to)));
  assert.deepEqual([profile?.tag, others], ['misfire', []]);
  assert.deepEqual(
    profile?.because.map(({ of, bound }) => [of, bound]),
    [
      ['events', { least: 50 }],
      ['ips', { least: 10 }],
      ['topJa4', { most: 0.8 }],
      ['topAsn', { most: 0.5 }],
      ['cleanClients', { least: 0.5 }],
      ['ownReferer', { least: 0.5 }],
      ['fragments', { least: 5 }],
      ['topFragment', { most: 0.5 }],
    ],
  );
});

test('ordinary traffic is left untagged, but for what names itself a crawler', () => {
  const scene = sceneOf('shop-frontend', 20);
  const from = NOON - 10 * HOUR;
  const to = from + 20 * MINUTE;
  const calm = scene.incidents.every((incident) => incident.from >= to || incident.to <= from - HOUR);
  assert.ok(calm);
  const records = scene.records(from, to);
  const events = scene.events(from - HOUR, to);
  let groups = 0;
  let crawlers = 0;
  const tagged: string[] = [];
  const look = (name: string, evidence: GroupEvidence, isBot: boolean) => {
    if (evidence.requests + evidence.events < LEAST_LINES) return;
    groups++;
    for (const tag of tagsOf(evidence)) {
      if (tag === 'crawler' && isBot) crawlers++;
      else tagged.push(`${name}: ${tag}`);
    }
  };
  for (const field of Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]) {
    const values = Map.groupBy(records, (record) => record[COLUMNS[field]]?.split('?')[0] ?? '');
    for (const [value, own] of values) {
      const isBot = own.every(({ userAgent }) => /(?:Google|bing)bot\//.test(userAgent ?? ''));
      look(`${field} ${value}`, evidenceOf(scene, [], own), isBot);
    }
  }
  for (const dimension of SHIELD_DIMENSIONS) {
    const values = Map.groupBy(events, ({ fields }) => fields[dimension] ?? '');
    for (const [value, own] of values) {
      if (own.length < LEAST_LINES) continue;
      look(`events ${dimension} ${value}`, evidenceOf(scene, own, []), false);
      look(`both ${dimension} ${value}`, evidenceOf(scene, own, [], records), false);
    }
  }
  assert.ok(groups > 140, `${groups} groups`);
  assert.ok(crawlers >= 2);
  assert.deepEqual(tagged, []);
});

test('many clients of one program on one page are a botnet only when they are refused', () => {
  const scene = sceneOf('shop-frontend');
  const crowd = (statusCode: number) =>
    Array.from({ length: 240 }, (_, i) =>
      row({ remoteIp: `192.0.2.${i}`, ja4Fingerprint: 't13d', path: '/', statusCode }),
    );
  assert.deepEqual(tagsOf(evidenceOf(scene, [], crowd(403))), ['botnet']);
  assert.deepEqual(tagsOf(evidenceOf(scene, [], crowd(200))), []);
});

test('fragments that differ in numbers and ids only are one', () => {
  assert.equal(fragmentShape('id=4711  OR\t1=1'), 'id=# or #=#');
  assert.equal(fragmentShape('/u/5f2c9a10-7b3e-4c1d-9a6f-0123456789ab/x'), '/u/#/x');
  assert.equal(fragmentShape('sid deadbeef00c0ffee'), 'sid #');
  assert.equal(fragmentShape('feedface decade'), 'feedface decade', 'a word is no id');
  assert.deepEqual(groupFragments(['score 47', 'score 12', '../etc/passwd']), [
    { shape: 'score #', count: 2, example: 'score 47' },
    { shape: '../etc/passwd', count: 1, example: '../etc/passwd' },
  ]);
});
