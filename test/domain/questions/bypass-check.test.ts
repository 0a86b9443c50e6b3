import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BYPASS_FIELDS, type BypassField } from '../../../src/domain/clients/client-identity.ts';
import type { LogRecord } from '../../../src/domain/log.ts';
import { createRowCounter } from '../../../src/domain/logs/counted/count-rows.ts';
import { splitForServer } from '../../../src/domain/query/push-down.ts';
import {
  type BypassCheck,
  bypassCheckOf,
  bypassInquiry,
  bypassQuestion,
  bypassQuestions,
  clientCounting,
  isThrough,
  statusClassOf,
} from '../../../src/domain/questions/clients/ask-bypass.ts';
import type { Anonymisation } from '../../../src/domain/zone.ts';
import { fc } from '../../support/properties.ts';
import { zoneOf } from '../../support/state.ts';
import { anyRecord, RUNS, row } from '../log-rows.ts';
import { type Entry, type Scene, sceneOf } from '../scene.ts';

function asked(field: BypassField, value: string | null, scene: Scene) {
  const question = bypassQuestion(field, value, scene.zone);
  assert.ok(question.ok, `${field} ${value}`);
  return question;
}

/** Rows counted by `2xx HIT`, without the program. */
function recount(entries: readonly Entry[], isMeant: (entry: Entry) => boolean): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const entry of entries.filter(isMeant)) {
    const key = `${Math.trunc(entry.statusCode / 100)}xx ${entry.cacheStatus}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

function checkOf(
  question: ReturnType<typeof asked>,
  records: readonly LogRecord[],
  anonymisation: Anonymisation,
): BypassCheck {
  const counter = createRowCounter({ terms: question.terms, anonymisation, of: clientCounting(question) });
  for (const record of records) counter.add(record);
  return bypassCheckOf([counter.counts()]);
}

function answer(scene: Scene, field: BypassField, value: string | null, from: number, to: number) {
  return checkOf(asked(field, value, scene), scene.records(from, to), scene.zone.anonymisation);
}

const counted = (cells: ReturnType<typeof answer>['cells']) =>
  Object.fromEntries(cells.map(({ statusClass, cache, requests }) => [`${statusClass} ${cache}`, requests]));

test('of every planted attacker it is counted what got through, as a recount of the log counts it', () => {
  const shop = sceneOf('shop-frontend');
  for (const [kind, field, name] of [
    ['layer7Attack', 'ja4', 'ja4Fingerprint'],
    ['layer7Attack', 'asn', 'asn'],
    ['layer7Attack', 'country', 'countryCode'],
    ['scanner', 'ip', 'remoteIp'],
    ['credentialStuffing', 'ja4', 'ja4Fingerprint'],
  ] as const) {
    const { from, to, cause } = shop.incident(kind);
    const value = cause[field]?.[0] ?? '';
    const { cells, through, matched, blank } = answer(shop, field, value, from, to);
    const entries = shop.entries(from, to);
    const meant = entries.filter((entry) => String(entry[name] ?? '') === value);
    assert.ok(meant.length > 50, `${kind} ${field}`);
    assert.deepEqual(
      counted(cells),
      recount(meant, () => true),
      `${kind} ${field}`,
    );
    assert.equal(matched, meant.length);
    assert.equal(blank, entries.filter((entry) => (entry[name] ?? null) === null).length);
    const passed = meant.filter(({ statusCode }) => statusCode >= 200 && statusCode < 400);
    const times = passed.map(({ timestamp }) => Date.parse(timestamp));
    const own = cells.filter(isThrough);
    assert.equal(through, passed.length);
    assert.deepEqual(
      [
        own.reduce((sum, { bytes }) => sum + bytes, 0),
        Math.min(...own.map(({ first }) => first)),
        Math.max(...own.map(({ last }) => last)),
      ],
      [passed.reduce((sum, { bytesSent }) => sum + bytesSent, 0), Math.min(...times), Math.max(...times)],
    );
  }
});

test('a user agent and a url are counted whole, their case aside', () => {
  const shop = sceneOf('shop-frontend');
  const { from, to } = shop.incident('scanner');
  const entries = shop.entries(from, to);
  for (const [field, name] of [
    ['ua', 'userAgent'],
    ['url', 'url'],
  ] as const) {
    const value = String(entries.find((entry) => String(entry['userAgent']).includes('zgrab'))?.[name]);
    const plain = (text: unknown) =>
      String(text)
        .replace(/^https?:/, '')
        .toLowerCase();
    const { cells } = answer(shop, field, value.toUpperCase().replace('HTTPS', 'https'), from, to);
    assert.deepEqual(
      counted(cells),
      recount(entries, (entry) => plain(entry[name]) === plain(value)),
    );
  }
});

test('under last-octet anonymisation an address counts with its network, and says so', () => {
  const news = sceneOf('news-portal');
  const { from, to } = news.incident('scanner');
  const event = news.events(from, to).find(({ fields }) => fields['ip']?.startsWith('203.0.113.'));
  assert.equal(event?.fields['ip'], '203.0.113.*');
  const question = asked('ip', event?.fields['ip'] ?? '', news);
  assert.equal(question.mask, '/24');
  const { cells } = answer(news, 'ip', '203.0.113.*', from, to);
  assert.deepEqual(
    counted(cells),
    recount(news.entries(from, to), (entry) => entry['remoteIp'] === '203.0.113.0'),
  );
  const range = { from, to };
  const inquiry = bypassInquiry({ asked: [{ zone: news.zone, question }], left: [], range });
  assert.match(inquiry.table().coverage, /; by \/24: others of the network count too$/);
});

test('an address is what the log keeps that it was seen in, and of that as much as the zone asked keeps', () => {
  const zones = [zoneOf('1', 'whole'), zoneOf('2', 'cut', { anonymisation: 'lastOctet' })] as const;
  const masks = (value: string, seen: Anonymisation) => {
    const questions = bypassQuestions('ip', value, zones, seen);
    return questions.ok ? questions.asked.map(({ question }) => question.mask) : questions.why;
  };
  assert.deepEqual(masks('192.0.2.7', 'none'), ['none', '/24']);
  assert.deepEqual(masks('192.0.2.0', 'lastOctet'), ['/24', '/24']);
  assert.deepEqual(masks('192.0.2.*', 'none'), ['/24', '/24']);
  const dropped = zoneOf('3', 'docs', { anonymisation: 'drop' });
  const left = bypassQuestions(
    'ip',
    '192.0.2.7',
    [zones[0], dropped, zoneOf('4', 'off', { logging: false })],
    'none',
  );
  assert.ok(left.ok);
  assert.deepEqual(left.left, [
    'docs: the zone logs no client addresses; ask by ja4, ua or url',
    'off: it keeps no CDN log; it is switched on under Logging of the pull zone',
  ]);
});

test('a zone that logs no addresses is not asked for one', () => {
  const question = bypassQuestion('ip', '192.0.2.7', sceneOf('docs-site').zone);
  assert.ok(!question.ok);
  assert.match(question.why, /logs no client addresses; ask by ja4/);
});

test('the server is asked for what it can decide, and for less of what it cannot', () => {
  const shop = sceneOf('shop-frontend');
  const place = (field: BypassField, value: string | null) => {
    const question = asked(field, value, shop);
    const { server } = splitForServer({ terms: question.terms, window: null, groupBy: [] }, shop.zone);
    return [question.runs, server];
  };
  assert.deepEqual(place('ip', '192.0.2.7'), ['server', { remoteIp: '192.0.2.7' }]);
  assert.deepEqual(place('ua', 'curl/8'), ['narrowed', { userAgentContains: 'curl/8' }]);
  assert.deepEqual(place('url', 'https://a.example/x?token=[masked]&y=1'), [
    'narrowed',
    { urlContains: 'a.example/x?token=' },
  ]);
  assert.deepEqual(place('ja4', 't13d'), ['local', {}]);
  assert.deepEqual(place('ua', null), ['local', {}]);
});

test('2xx and 3xx come first, and what the origin answered is told from what the cache did', () => {
  const shop = sceneOf('shop-frontend');
  const records = (
    [
      [503, 'MISS'],
      [403, '-'],
      [301, '-'],
      [200, 'HIT'],
      [200, 'BYPASS'],
      [200, 'BYPASS'],
      [0, 'NOVEL'],
    ] as const
  ).map(([statusCode, cacheStatus]) => row({ statusCode, cacheStatus, bytesSent: 10 }));
  const { cells, through, throughToOrigin } = checkOf(asked('ip', '192.0.2.7', shop), records, 'none');
  assert.deepEqual(
    cells.map(({ statusClass, cache }) => `${statusClass} ${cache}`),
    ['2xx BYPASS', '2xx HIT', '3xx -', '4xx -', '5xx MISS', 'other NOVEL'],
  );
  assert.deepEqual([through, cells[0]?.bytes, throughToOrigin], [4, 20, 2]);
});

test('the cells always add up to the rows matched', () => {
  const { zone } = sceneOf('shop-frontend');
  fc.assert(
    fc.property(fc.array(anyRecord), fc.constantFrom(...BYPASS_FIELDS), fc.nat(), (records, field, n) => {
      const sample = records[n % Math.max(1, records.length)];
      const columns = {
        ip: 'remoteIp',
        ja4: 'ja4Fingerprint',
        ua: 'userAgent',
        url: 'url',
        asn: 'asn',
        country: 'countryCode',
      } as const;
      const question = bypassQuestion(field, sample?.[columns[field]] ?? null, zone);
      if (!question.ok) return;
      const { cells, matched } = checkOf(question, records, zone.anonymisation);
      assert.equal(
        cells.reduce((sum, { requests }) => sum + requests, 0),
        matched,
      );
      // The row that the value was taken from is always among them.
      assert.ok(
        sample === undefined || cells.some((cell) => cell.statusClass === statusClassOf(sample.statusCode)),
      );
    }),
    { numRuns: RUNS },
  );
});

test('rows that are silent about the field are counted, unless it is them that are asked for', () => {
  const shop = sceneOf('shop-frontend');
  const records = [row({ userAgent: null }), row({ userAgent: '' }), row({ userAgent: 'curl/8' })];
  const silent = (value: string | null) => {
    const { matched, blank } = checkOf(asked('ua', value, shop), records, 'none');
    return [matched, blank];
  };
  assert.deepEqual(silent('curl/8'), [1, 2]);
  assert.deepEqual(silent(null), [2, 0]);
});
