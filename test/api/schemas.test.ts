import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiKey, pullZone, storageZone } from '../../src/api/account-calls.ts';
import { parseJson } from '../../src/api/http/json.ts';
import { logRecordOf } from '../../src/api/schemas/log-row.ts';
import { logRecordOfLine } from '../../src/api/schemas/log-v1.ts';
import { shieldAnswerOf, shieldDayOf } from '../../src/api/shield-calls.ts';
import { timestampOf } from '../../src/api/timestamp.ts';
import { WIRE_FIELDS, WIRE_NAMES } from '../../src/domain/log.ts';
import { shieldDetail } from '../../src/domain/shield/shield.ts';
import { fc, runs } from '../support/properties.ts';
import { logSchema } from './log-entry-schema.ts';
import { CANARY, logEntry } from './support.ts';

const RUNS = runs(300);
const FIELDS = Object.keys(logEntry());
const ASKED = { page: 0, pageSize: 50 };

/** Values that a drifting server might put anywhere. */
const anything = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    undefined,
    true,
    -1,
    0,
    1.5,
    200,
    1e12,
    2 ** 53,
    -0,
    Number.POSITIVE_INFINITY,
    Number.NaN,
  ),
  fc.constantFrom<unknown>(
    '',
    '-',
    '200',
    '99999999999999999999',
    '2026-08-01T00:00:00Z',
    'https://a.example/?token=abc&x=1',
  ),
  fc.string(),
  fc.integer(),
  fc.double(),
  fc.array(fc.integer(), { maxLength: 2 }),
  fc.object({ maxDepth: 1 }),
);
const drifted = fc
  .array(fc.tuple(fc.constantFrom(...FIELDS, 'extra', '__proto__'), anything), { maxLength: 4 })
  .map((changes) => {
    const entry = logEntry();
    for (const [name, value] of changes)
      Object.defineProperty(entry, name, { value, enumerable: true, configurable: true, writable: true });
    return entry;
  });

test('a row is read as the schema reads it, or refused by both', () => {
  let accepted = 0;
  fc.assert(
    fc.property(drifted, (entry) => {
      const record = logRecordOf(entry, 5);
      const parsed = logSchema.safeParse(entry);
      assert.equal(record.raw === null, parsed.success);
      if (!parsed.success) return;
      accepted += 1;
      assert.deepEqual(record, parsed.data);
    }),
    { numRuns: RUNS },
  );
  assert.ok(accepted > RUNS / 20);
});

test('of each field a row may lack what its table says, and no type passes for another', () => {
  const wrong = { time: 'soon', id: -1, number: {}, status: 1000, amount: -1, text: {}, url: 7, secret: 7 };
  for (const name of WIRE_NAMES) {
    const { type, absent } = WIRE_FIELDS[name];
    for (const none of [null, undefined]) {
      const record = logRecordOf(logEntry({ [name]: none }), 5);
      assert.equal(record.raw !== null, absent === 'refused', name);
      if (absent !== 'refused') assert.equal(record[name], absent === 'null' ? null : absent, name);
    }
    assert.notEqual(logRecordOf(logEntry({ [name]: wrong[type] }), 5).raw, null, name);
  }
});

test('no row whatever is thrown at, and what is refused is kept raw', () => {
  fc.assert(
    fc.property(fc.oneof(drifted, anything), (row) => {
      const record = logRecordOf(row, 5);
      assert.equal(record.raw === null, logSchema.safeParse(row).success);
      assert.equal(typeof record.timestamp, 'number');
      assert.ok(Number.isFinite(record.timestamp + record.statusCode + record.bytesSent));
    }),
    { numRuns: RUNS },
  );
});

test('secrets of a log row stay behind', () => {
  const secret = 'c2VjcmV0LXZhbHVl';
  const entry = logEntry({
    path: `/a?token=${secret}&expires=5`,
    url: `https://cdn.example.com/a?token=${secret}&expires=5`,
    referer: `https://x.example/?X-Amz-Signature=${secret}`,
    authorizationHeader: `Bearer ${secret}`,
  });
  const good = logRecordOf(entry, 0);
  const bad = logRecordOf({ ...entry, statusCode: 'many' }, 0);
  assert.equal(good.raw, null);
  assert.notEqual(bad.raw, null);
  for (const record of [good, bad]) {
    assert.equal(JSON.stringify(record).includes(secret), false);
    assert.equal(record.path, '/a?token=[masked]&expires=5');
    assert.equal(record.authorizationHeader, '[masked]');
  }
});

test('times are read as ISO, seconds and ms, and nothing else passes for one', () => {
  const at = Date.UTC(2026, 7, 1, 2, 3, 4, 567);
  const second = at - 567;
  assert.equal(timestampOf('2026-08-01T02:03:04.567Z'), at);
  assert.equal(timestampOf('2026-08-01T02:03:04.567+00:00'), at);
  assert.equal(timestampOf('2026-08-01T02:03:04.5678901Z'), at);
  assert.equal(timestampOf('2026-08-01T02:03:04.567'), at);
  assert.equal(timestampOf('2026-08-01T02:03:04Z'), second);
  assert.equal(timestampOf('2026-08-01T04:03:04.567+02:00'), at);
  assert.equal(timestampOf(at), at);
  assert.equal(timestampOf(at / 1000), at);
  assert.equal(timestampOf(second / 1000), second);
  assert.equal(timestampOf(String(at)), at);
  for (const other of [
    '',
    'now',
    '2026-13-01T00:00:00Z',
    '1970-01-01T00:00:00Z',
    0,
    -1,
    Number.POSITIVE_INFINITY,
  ]) {
    assert.equal(timestampOf(other), null, String(other));
  }
});

test('every time that Date writes is read back to the ms', () => {
  const range = { min: Date.UTC(2000, 0, 1), max: Date.UTC(2199, 11, 31) };
  fc.assert(
    fc.property(fc.integer(range), (ms) => {
      assert.equal(timestampOf(new Date(ms).toISOString()), ms);
      assert.equal(timestampOf(ms), ms);
    }),
    { numRuns: RUNS },
  );
});

test('integers beyond 2^53 keep their digits, everything else is plain JSON', () => {
  const text =
    '{"id":9007199254740993,"list":[-12345678901234567890, 1],"safe":9007199254740991,"big":1e400,"text":"id: 9007199254740993","f":0.1,"e":1.5e3}';
  assert.deepEqual(parseJson(text), {
    id: '9007199254740993',
    list: ['-12345678901234567890', 1],
    safe: 9007199254740991,
    big: '1e400',
    text: 'id: 9007199254740993',
    f: 0.1,
    e: 1500,
  });
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const exact = (_key: string, each: unknown) =>
        Number.isInteger(each) && !Number.isSafeInteger(each) ? 'inexact' : each;
      const json = JSON.stringify(value, exact);
      assert.deepEqual(parseJson(json), JSON.parse(json));
    }),
    { numRuns: RUNS },
  );
  fc.assert(
    fc.property(fc.bigInt({ min: 2n ** 53n, max: 2n ** 64n }), (id) => {
      assert.deepEqual(parseJson(`{"a":[{"id": ${id} }]}`), { a: [{ id: String(id) }] });
    }),
    { numRuns: RUNS },
  );
});

test('a property named __proto__ changes nobody', () => {
  const row = parseJson(
    `{"timestamp":1785542400000,"logId":"1","fields":{"__proto__":"x","ip":"192.0.2.1"},"log":{"__proto__":{"isAdmin":true},"Url":"/"}}`,
  );
  const answer = shieldAnswerOf({ rows: [row], total: 1 }, 0, ASKED);
  assert.ok(answer !== null && answer !== 'noData');
  const [event] = answer.events;
  assert.equal(Object.getPrototypeOf(event?.log), Object.prototype);
  assert.equal(event?.log?.['isAdmin'], undefined);
  assert.equal(({} as Record<string, unknown>)['isAdmin'], undefined);
});

test('a group of another shape is kept as it came, its secrets masked, and counted', () => {
  const good = { key: { ip: '192.0.2.1' }, count: 2, firstSeen: 1, lastSeen: 2, context: {} };
  const bad = { key: 7, url: 'https://a.example/?token=abc' };
  const answer = shieldAnswerOf({ groups: [good, bad, 'x'], total: 3 }, 0, ASKED);
  assert.ok(answer !== null && answer !== 'noData');
  assert.deepEqual(
    answer.groups.map(({ raw, count }) => [raw, count]),
    [
      [null, 2],
      ['{"key":7,"url":"https://a.example/?token=[masked]"}', 0],
      ['x', 0],
    ],
  );
  assert.deepEqual([answer.bad, answer.total], [2, 3]);
});

test('counts over time are taken as they were asked for, and any others cost the group nothing', () => {
  const told = (sparkline: unknown, buckets?: number) => {
    const group = { key: { action: 'blocked' }, count: 3, firstSeen: 1, lastSeen: 2, context: {}, sparkline };
    const answer = shieldAnswerOf({ groups: [group], total: 1 }, 0, { ...ASKED, buckets });
    assert.ok(answer !== null && answer !== 'noData');
    const [read] = answer.groups;
    assert.deepEqual([read?.count, read?.raw, answer.bad], [3, null, 0], JSON.stringify(sparkline));
    return read?.sparkline;
  };
  assert.deepEqual(told([1, 0, 2], 3), [1, 0, 2]);
  assert.deepEqual(told(['1', '0', 2], 3), [1, 0, 2]);
  assert.equal(told([1, 0, 2]), undefined);
  const odd = [
    undefined,
    null,
    'text',
    7,
    { 0: 1, length: 3 },
    [],
    [1, 2],
    [1, 0, 2, 0],
    [1, null, 2],
    [1, 'two', 0],
    [4, -1, 0],
    [0.5, 0.5, 2],
    [1, [0], 2],
    [0, 0, '9223372036854775807'],
    [0, 0, 1e300],
    Array.from({ length: 100_000 }, () => 0),
  ];
  for (const sparkline of odd)
    assert.equal(told(sparkline, 3), undefined, JSON.stringify(sparkline)?.slice(0, 80));
});

test('a v1 line becomes a record of the same form', () => {
  const line =
    'HIT|200|1785542401250|5120|77|192.0.2.1|https://a.example/?token=abc|https://cdn.example.com/a.js?v=1|DE|curl/8.9|0123456789abcdef0123456789abcdef|DE';
  const record = logRecordOfLine(line, 0);
  assert.deepEqual(
    { ...record },
    {
      ...logRecordOf(logEntry({ referer: 'https://a.example/?token=abc' }), 0),
      bodyBytesSent: null,
      ja4Fingerprint: null,
      asn: null,
      asnOrganization: null,
    },
  );
  const extended = logRecordOfLine(`${line}|5000|bytes=0-1|Basic c2VjcmV0`, 0);
  assert.equal(extended.bodyBytesSent, 5000);
  assert.equal(extended.contentRange, 'bytes=0-1');
  assert.equal(extended.authorizationHeader, '[masked]');
  const empty = logRecordOfLine('-|0|1785542401250|0|77|-|-|/a|-|-|-|-', 0);
  assert.equal(empty.cacheStatus, '-');
  assert.deepEqual([empty.remoteIp, empty.requestId, empty.path, empty.raw], [null, null, '/a', null]);
  const odd = logRecordOfLine('one|two', 7);
  assert.deepEqual([odd.raw, odd.timestamp], ['one|two', 7]);
  assert.deepEqual([odd.cacheStatus, odd.remoteIp], ['', null], 'no part of it is known');
  const tooMany = logRecordOfLine(`${line}|1|r|Basic c2VjcmV0|more`, 7);
  assert.equal(JSON.stringify(tooMany).includes('c2VjcmV0'), false);
});

test('a row that is not understood keeps a secret in none of its fields, and has a whole time', () => {
  const url = 'https://u:CANARY@a.example/p?token=CANARY';
  const lines = [url, `GET ${url} HTTP/1.1`, Array(12).fill(url).join('|'), Array(17).fill(url).join('|')];
  const entries = Object.keys(logEntry({})).map((field) => ({
    ...logEntry({ statusCode: 'x' }),
    [field]: url,
  }));
  const records = [
    ...lines.map((line) => logRecordOfLine(line, 7.5)),
    ...[...entries, lines, url, { cacheStatus: url }].map((entry) => logRecordOf(entry, 7.5)),
  ];
  for (const record of records) {
    assert.notEqual(record.raw, null);
    assert.doesNotMatch(JSON.stringify(record), /CANARY/);
    assert.ok(Number.isInteger(record.timestamp));
  }
});

test('a Shield search gives rows or groups, whatever the spelling of the context', () => {
  const group = (context: object) => ({
    key: { ip: '192.0.2.1' },
    count: 3,
    firstSeen: 1785542400,
    lastSeen: 1785542401000,
    context,
  });
  const spellings = [
    {
      country: 'CN',
      asn: 64500,
      blocked: 2,
      challenged: 1,
      logged: 0,
      features: 'waf, rate',
      ruleIds: '941100,AGD-U455',
    },
    {
      Country: 'CN',
      ASN: '64500',
      blockedCount: 2,
      challengedCount: 1,
      loggedCount: 0,
      Features: 'waf,rate',
      rule_ids: ['941100', 'AGD-U455'],
    },
  ];
  for (const context of spellings) {
    const answer = shieldAnswerOf(
      { groups: [group(context)], total: 1, totalPages: 1, page: 0, errorResponse: null },
      0,
      ASKED,
    );
    assert.ok(answer !== null && answer !== 'noData');
    assert.equal(answer.kind, 'groups');
    assert.deepEqual(answer.groups[0]?.context, {
      country: 'CN',
      asn: '64500',
      blocked: 2,
      challenged: 1,
      logged: 0,
      features: ['waf', 'rate'],
      ruleIds: ['941100', 'AGD-U455'],
    });
    assert.equal(answer.groups[0]?.firstSeen, 1785542400000);
  }
  assert.equal(shieldAnswerOf({ rows: null, groups: null }, 0, ASKED), 'noData');
  assert.equal(shieldAnswerOf({ rows: {} }, 0, ASKED), null);
  const empty = shieldAnswerOf({ rows: null, groups: null, total: 0 }, 0, ASKED);
  assert.ok(empty !== null && empty !== 'noData' && empty.events.length === 0);
});

test('a day of Shield events holds the inner JSON, without the secrets of its headers', () => {
  const log = JSON.stringify({
    Message: 'SQL injection',
    Url: '/login?token=abcdef',
    RemoteIp: '192.0.2.*',
    Headers: [
      { Name: 'Authorization', Value: 'Basic c2VjcmV0' },
      { Name: 'CDN-RequestId', Value: '01234567-89AB-cdef-0123-456789abcdef' },
    ],
    TriggerMatch: { Key: 'ARGS:q', Value: 'union select' },
  });
  const labels = { asn: '64500', country: 'CN', ruleId: '942100', status: 'Blocked' };
  const day = shieldDayOf(
    {
      logs: [
        { logId: 'a', timestamp: 1785542400000, log, labels },
        { logId: 'b', timestamp: 1785542400001, log: 'no JSON', labels: null },
        5,
      ],
      hasMoreData: true,
      continuationToken: 'next',
    },
    9,
  );
  assert.ok(day !== null);
  assert.deepEqual(
    [day.next, day.bad, day.events.length, day.events[1]?.log, day.events[2]?.raw],
    ['next', 1, 3, null, '5'],
  );
  assert.equal(JSON.stringify(day).includes('c2VjcmV0'), false);
  assert.deepEqual(shieldDetail(day.events[0]?.log ?? null), {
    message: 'SQL injection',
    url: '/login?token=[masked]',
    remoteIp: '192.0.2.*',
    body: null,
    headers: [
      { name: 'Authorization', value: '[masked]' },
      { name: 'CDN-RequestId', value: '01234567-89AB-cdef-0123-456789abcdef' },
    ],
    trigger: { key: 'ARGS:q', value: 'union select' },
    requestId: '0123456789abcdef0123456789abcdef',
  });
  for (const end of [
    { hasMoreData: false, continuationToken: 'x' },
    { hasMoreData: true, continuationToken: '' },
    {},
  ]) {
    assert.equal(shieldDayOf({ logs: [], ...end }, 0)?.next, null);
  }
});

test('passwords of storage zones and other secrets of the account are dropped, keys are wrapped', () => {
  const zone = {
    Id: 9,
    Name: 'files',
    Password: CANARY,
    ReadOnlyPassword: CANARY,
    Rewrite404To200: false,
    ReplicationRegions: ['DE'],
  };
  const pull = { Id: 7, Name: 'shop', ZoneSecurityKey: CANARY, CertificateKey: CANARY };
  const key = { Id: 1, Key: CANARY, Roles: ['User'] };
  const parsed = [storageZone.parse(zone), pullZone.parse(pull), apiKey.parse(key)];
  assert.equal(JSON.stringify(parsed).includes('canary'), false);
  assert.equal(apiKey.parse(key).secret?.reveal(), CANARY);
  assert.match(apiKey.parse(key).secret?.fingerprint ?? '', /^[0-9a-f]{8}$/);
});
