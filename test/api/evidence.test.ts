import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changePageOf, originErrorsOf, statisticsOf } from '../../src/api/evidence-calls.ts';
import { Secret } from '../../src/text/secret.ts';
import { asking, json } from './support.ts';

const T = Date.UTC(2026, 7, 20);
const CANARY = 'canary-0123456789';

/** As the documentation has it. */
const PUBLISHED = {
  logId: 'a6a6b755-b6a4-46be-b523-aa82a17d4bc5',
  timestamp: 1728952065848,
  log: '{"RequestUrl":"/apikey","PullZoneId":308006,"Message":"Origin DNS lookup failed...","ErrorCode":"dns_lookup","StatusCode":502}',
  labels: { ErrorCode: 'dns_lookup', StatusCode: '502', ServerZone: 'CA' },
};

/** The day of what is published. */
const DAY_OF_IT = Date.UTC(2024, 9, 15);

test('an origin error is read as it is published, and by its other half where one is missing', () => {
  const sound = {
    logId: PUBLISHED.logId,
    timestamp: 1728952065848,
    url: '/apikey',
    code: 'dns_lookup',
    status: 502,
    edge: 'CA',
    message: 'Origin DNS lookup failed...',
    raw: null,
  };
  assert.deepEqual(originErrorsOf({ logs: [PUBLISHED] }, DAY_OF_IT), { errors: [sound], unread: 0 });
  assert.deepEqual(originErrorsOf([PUBLISHED], DAY_OF_IT)?.errors, [sound]);
  const { labels: _labels, ...unlabelled } = PUBLISHED;
  assert.deepEqual(originErrorsOf({ logs: [unlabelled] }, DAY_OF_IT)?.errors, [{ ...sound, edge: null }]);
  const damaged = { ...PUBLISHED, log: '{"RequestUrl":' };
  assert.deepEqual(originErrorsOf({ logs: [damaged] }, DAY_OF_IT)?.errors, [
    { ...sound, url: null, message: null },
  ]);
  const inObject = { ...PUBLISHED, log: JSON.parse(PUBLISHED.log) as object };
  assert.deepEqual(originErrorsOf({ logs: [inObject] }, DAY_OF_IT)?.errors, [sound]);
});

test('origin errors of another day or zone are left out and counted', () => {
  const other = { ...PUBLISHED, log: '{"PullZoneId":308007}' };
  const older = { ...PUBLISHED, timestamp: PUBLISHED.timestamp - 86_400_000 };
  const { errors, strays } = originErrorsOf([older, PUBLISHED, other], DAY_OF_IT, '308006') ?? {};
  assert.deepEqual([errors?.map(({ url }) => url), strays], [['/apikey'], { outside: 1, ofOthers: 1 }]);
});

test('one bad origin error costs no other, nothing is none, and another shape is no answer', () => {
  const bad = [null, 7, {}, { ...PUBLISHED, timestamp: 'yesterday', labels: { token: CANARY } }];
  const read = originErrorsOf({ logs: [...bad, PUBLISHED] }, DAY_OF_IT);
  assert.deepEqual([read?.errors.length, read?.unread], [5, 4]);
  assert.ok(!JSON.stringify(read).includes(CANARY));
  assert.deepEqual(originErrorsOf({ logs: null }, DAY_OF_IT), { errors: [], unread: 0 });
  assert.deepEqual(originErrorsOf({ logs: [] }, DAY_OF_IT), { errors: [], unread: 0 });
  for (const other of [{}, { data: [] }, 'logs', 7, { logs: 'none' }, { logs: bad }])
    assert.equal(originErrorsOf(other, DAY_OF_IT), null, JSON.stringify(other));
});

test('no token leaves an origin error or a change', () => {
  const log = `{"RequestUrl":"/v?token=${CANARY}","Message":"GET https://o.example/?sig=${CANARY} failed"}`;
  assert.ok(!JSON.stringify(originErrorsOf({ logs: [{ timestamp: T, log }] }, T)).includes(CANARY));
  const Logs = [
    { Timestamp: '2026-08-20T00:00:00Z', Diff: `{"ZoneSecurityKey":{"Old":"${CANARY}"}}` },
    { Timestamp: '2026-08-20T00:00:00Z', Diff: { ZoneSecurityKey: CANARY }, ActorId: `token=${CANARY}` },
  ];
  const page = changePageOf({ Logs }, T);
  assert.equal(page?.changes.length, 2);
  assert.ok(!JSON.stringify(page).includes(CANARY));
});

test('the changes of a page are read, one bad one costs no other, and a token without more is the end', () => {
  const entry = { Timestamp: '2026-08-20T10:00:00', Action: 'Update', ResourceId: 7 };
  const page = changePageOf(
    {
      Logs: [entry, { ...entry, Timestamp: null }, 3],
      HasMoreData: true,
      ContinuationToken: 'n',
    },
    T,
  );
  assert.deepEqual([page?.changes.length, page?.unread, page?.next], [1, 2, 'n']);
  assert.deepEqual(
    [page?.changes[0]?.timestamp, page?.changes[0]?.resourceId, page?.changes[0]?.product],
    [T + 10 * 3_600_000, '7', null],
  );
  assert.equal(changePageOf({ Logs: null, HasMoreData: false, ContinuationToken: 'n' }, T)?.next, null);
  assert.equal(changePageOf({ Logs: [], ContinuationToken: '' }, T)?.next, null);
  for (const other of [{}, [], null, { Logs: {} }, { Logs: [1, 2] }])
    assert.equal(changePageOf(other, T), null);
});

test('the charts are joined by their times, in each form of a key, and a chart that is missing costs itself', () => {
  const read = statisticsOf({
    TotalRequestsServed: 3,
    RequestsServedChart: { '2026-08-20T01:00:00': 2, '2026-08-20T00:00:00Z': 1, '2026-08-20 02:00:00': 3 },
    Error5xxChart: { '2026-08-20': '1', never: 2, '2026-08-20T01:00:00.0000000+00:00': -1 },
  });
  assert.deepEqual(read, [
    { at: T, requests: 1, serverErrors: 1 },
    { at: T + 3_600_000, requests: 2, serverErrors: null },
    { at: T + 7_200_000, requests: 3, serverErrors: null },
  ]);
  const alone = statisticsOf({ RequestsServedChart: null, Error5xxChart: { '2026-08-20T00:00:00Z': 4 } });
  assert.deepEqual(alone, [{ at: T, requests: null, serverErrors: 4 }]);
  assert.deepEqual(statisticsOf({ RequestsServedChart: {} }), []);
  for (const other of [{}, [], null, 7, { Items: [] }]) assert.equal(statisticsOf(other), null);
});

test('origin errors are asked of their own server, with the key or with the token as a whole header', async () => {
  for (const [token, name, value] of [
    [null, 'accesskey', 'the-key'],
    ['the.jwt', 'authorization', 'the.jwt'],
  ] as const) {
    const headers: Record<string, unknown>[] = [];
    const paths: string[] = [];
    await asking(
      (request, response) => {
        headers.push(request.headers);
        paths.push(request.path);
        json(response, { logs: [PUBLISHED] });
      },
      async (client) => assert.ok((await client.originErrors('7', '2026-08-20')).ok),
      {
        baseUrl: 'http://127.0.0.1:1',
        credentials: { accessKey: new Secret('the-key'), token: token === null ? null : new Secret(token) },
      },
    );
    assert.deepEqual(paths, ['/7/08-20-2026']);
    assert.equal(headers[0]?.[name], value);
    const other = name === 'accesskey' ? 'authorization' : 'accesskey';
    assert.equal(headers[0]?.[other], undefined);
  }
});

test('without a server of origin errors nothing is sent, and what to set is said', async () => {
  let asked = 0;
  await asking(
    (_request, response) => {
      asked += 1;
      json(response, {});
    },
    async (client) => {
      const answer = await client.originErrors('7', '2026-08-20');
      assert.equal(answer.ok ? 'ok' : answer.failure.kind, 'noOriginErrors');
      for (const [id, day] of [
        ['7/../x', '2026-08-20'],
        ['7', '20-08-2026'],
      ] as const)
        assert.equal((await client.originErrors(id, day)).ok, false);
      assert.equal((await client.changes('today', null)).ok, false);
    },
    { originErrorsUrl: null },
  );
  assert.equal(asked, 0);
});

test('a change of another day than was asked about is left out and counted', () => {
  const at = (Timestamp: string) => ({ Timestamp, Action: 'Update' });
  const own = [at('2026-08-20T00:00:00Z'), at('2026-08-20T23:59:59.999Z')];
  const others = [at('2026-08-19T23:59:50Z'), at('2026-08-21T00:00:10Z')];
  const page = changePageOf({ Logs: [...own, ...others] }, T);
  assert.deepEqual([page?.changes.length, page?.strays], [2, { outside: 2, ofOthers: 0 }]);
  assert.ok(!('strays' in (changePageOf({ Logs: own }, T) ?? {})));
});
