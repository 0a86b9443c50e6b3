import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  clientTimelineOf,
  eventsOf,
  nothingToAskBy,
  requestsOf,
  type Sighting,
  sameClient,
  sightingOfEvent,
  sightingOfRecord,
} from '../../../src/domain/clients/client-identity.ts';
import { parseQuery, printQuery } from '../../../src/domain/query/query-text.ts';
import type { ShieldEvent } from '../../../src/domain/shield/shield.ts';
import { splitForShield } from '../../../src/domain/shield/shield-question.ts';
import type { Anonymisation } from '../../../src/domain/zone.ts';
import { row } from '../log-rows.ts';
import { MINUTE, NOON, sceneOf } from '../scene.ts';

const ID = '0123456789abcdef0123456789abcdef';

function sighting(over: Partial<Sighting>): Sighting {
  return { at: NOON, requestId: null, ip: null, url: null, ...over };
}

function event(over: Partial<ShieldEvent> = {}): ShieldEvent {
  return { logId: null, timestamp: NOON, fields: {}, log: null, raw: null, ...over };
}

const withId = (id: string): ShieldEvent['log'] => ({ Headers: [{ Name: 'CDN-RequestId', Value: id }] });

test('equal request ids are one request, however they are written and whatever else differs', () => {
  const spelled = '01234567-89AB-CDEF-0123-456789ABCDEF';
  const a = sightingOfEvent(event({ fields: { ip: '192.0.2.7' }, log: withId(spelled) }));
  const b = sightingOfRecord(
    row({ timestamp: NOON + 9 * MINUTE, requestId: ID.toUpperCase(), remoteIp: null }),
  );
  for (const anonymisation of ['none', 'lastOctet', 'drop'] as const) {
    assert.equal(sameClient(a, b, anonymisation), 'request id');
  }
});

test('without an id it is the address as far as the zone logs it, within a minute either way', () => {
  const cases: [string, string, Anonymisation, string | null][] = [
    ['192.0.2.7', '192.0.2.7', 'none', 'none'],
    ['192.0.2.7', '192.0.2.8', 'none', null],
    ['192.0.2.*', '192.0.2.8', 'none', '/24'],
    ['192.0.2.*', '192.0.2.0', 'lastOctet', '/24'],
    ['192.0.*', '192.0.2.*', 'none', '/16'],
    ['192.0.2.7', '192.0.3.0', 'lastOctet', null],
    ['2001:db8:1:2::', '2001:db8:1:2::9', 'lastOctet', '/64'],
    ['2001:db8:1:3::', '2001:db8:1:2::9', 'lastOctet', null],
    ['2001:db8::1', '2001:0db8:0::0001', 'none', 'none'],
  ];
  for (const [a, b, anonymisation, mask] of cases) {
    const same = sameClient(sighting({ ip: a }), sighting({ ip: b, at: NOON + MINUTE }), anonymisation);
    assert.equal(same, mask, `${a} ${b}`);
  }
  assert.equal(
    sameClient(sighting({ ip: '::1' }), sighting({ ip: '::1', at: NOON + MINUTE + 1 }), 'none'),
    null,
  );
});

test('lines of two zones are compared by what each of them keeps', () => {
  const whole = sighting({ ip: '192.0.2.7' });
  const cut = sighting({ ip: '192.0.2.0' });
  assert.equal(sameClient(whole, cut, 'none', 'lastOctet'), '/24');
  assert.equal(sameClient(cut, whole, 'lastOctet', 'none'), '/24');
  assert.equal(sameClient(whole, cut, 'none'), null);
  assert.equal(sameClient(whole, whole, 'none', 'drop'), null);
});

test('a timeline holds both logs in time, one item for a request that both know', () => {
  const subject = sighting({ requestId: ID, ip: '192.0.2.7' });
  const blocked = event({ timestamp: NOON, fields: { ip: '192.0.2.7' }, log: withId(ID) });
  const earlier = event({ timestamp: NOON - 5, fields: { ip: '192.0.2.7' } });
  const stranger = event({ timestamp: NOON, fields: { ip: '192.0.2.9' } });
  const same = row({ timestamp: NOON + 3, requestId: ID, remoteIp: '192.0.2.7' });
  const tie = row({ timestamp: NOON, requestId: 'f'.repeat(32), remoteIp: '192.0.2.7' });
  const { items, mask } = clientTimelineOf(subject, [blocked, earlier, stranger], [same, tie], 'none');
  assert.deepEqual(
    items.map(({ at, by, lines }) => [at - NOON, by, ...lines.map((line) => [line.log, line.at - NOON])]),
    [
      [-5, 'none', ['shield', -5]],
      [0, 'request id', ['shield', 0], ['logs', 3]],
      [0, 'none', ['logs', 0]],
    ],
  );
  assert.equal(mask, 'none');
});

test('where no addresses are logged, an event is found by its id alone, and a request by its URL and then its id', () => {
  const docs = sceneOf('docs-site');
  const events = docs.events(NOON - 30 * MINUTE, NOON - 5 * MINUTE);
  const first = events[0];
  assert.ok(first);
  assert.deepEqual(
    requestsOf(sightingOfEvent(first), 'drop', NOON).map(({ terms }) =>
      terms.map((term) => term.kind === 'field' && term.field),
    ),
    [['id']],
  );
  const record = docs
    .records(first.timestamp, first.timestamp + 1)
    .find((each) => each.requestId === sightingOfEvent(first).requestId);
  assert.ok(record);
  const [back] = eventsOf(sightingOfRecord(record), 'drop', NOON);
  assert.deepEqual(splitForShield(back?.terms ?? assert.fail()).filters, [
    { field: 'url', op: 'eq', value: [first.fields['url']] },
  ]);
  assert.deepEqual(requestsOf(sighting({ ip: '192.0.2.7' }), 'drop', NOON), []);
  assert.match(nothingToAskBy('drop'), /no request id, and the zone logs no client addresses/);
});

test('Shield is asked for a network as its log spells it', () => {
  const filters = (ip: string, anonymisation: Anonymisation) => {
    const [query] = eventsOf(sighting({ ip }), anonymisation, NOON);
    return splitForShield(query?.terms ?? assert.fail(ip)).filters;
  };
  assert.deepEqual(filters('192.0.2.7', 'none'), [{ field: 'ip', op: 'eq', value: ['192.0.2.7'] }]);
  assert.deepEqual(filters('192.0.2.0', 'lastOctet'), [
    { field: 'ip', op: 'wildcard', value: ['192.0.2.*'] },
  ]);
  assert.deepEqual(filters('2001:db8:1:2::', 'lastOctet'), [
    { field: 'ip', op: 'wildcard', value: ['2001:db8:1:2:*'] },
  ]);
  assert.deepEqual(filters('2001:db8::', 'lastOctet'), [
    { field: 'ip', op: 'wildcard', value: ['2001:db8:0:0:*', '2001:db8::'] },
  ]);
});

test('the questions of a pivot are queries that can be written down, and their end is left open while it has not come', () => {
  const fresh = requestsOf(sighting({ requestId: ID, ip: '192.0.2.7', at: NOON - 1000 }), 'lastOctet', NOON);
  assert.deepEqual(fresh.map(printQuery), [
    `id:${ID} from:2026-08-20T11:54:59Z`,
    'ip:192.0.2.0/24 from:2026-08-20T11:58:59Z',
  ]);
  for (const query of fresh) {
    assert.deepEqual(parseQuery(printQuery(query), 'logs', NOON), { ok: true, query });
  }
});
