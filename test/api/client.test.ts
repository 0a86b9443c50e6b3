import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordsOf } from '../../src/domain/logs/log-rows.ts';
import type { RequestEvent } from '../../src/domain/request-event.ts';
import { Secret } from '../../src/text/secret.ts';
import { asking, CANARY, json, logEntry, logPage, SLICE } from './support.ts';

test('a slice of logs is asked for by its time range and comes back as records', async () => {
  const page = logPage([logEntry(), logEntry({ statusCode: '404', timestamp: 1_785_542_402 })], true);
  await asking(
    (_request, response) => json(response, page),
    async (client, server) => {
      const asked = Date.now();
      const answer = await client.logs({
        ...SLICE,
        filter: { status: ['404', '5xx'], urlContains: 'a b&c' },
      });
      assert.ok(answer.ok);
      assert.equal(recordsOf(answer.value.rows).length, 2);
      assert.equal(answer.value.hasMore, true);
      assert.ok(recordsOf(answer.value.rows).every(({ raw }) => raw === null));
      assert.equal(recordsOf(answer.value.rows)[0]?.timestamp, Date.UTC(2026, 7, 1, 0, 0, 1, 250));
      assert.equal(recordsOf(answer.value.rows)[1]?.statusCode, 404);
      assert.equal(recordsOf(answer.value.rows)[1]?.timestamp, Date.UTC(2026, 7, 1, 0, 0, 2));
      // A Date header has whole seconds.
      const { serverNow } = answer.value;
      assert.ok(serverNow !== null && serverNow > asked - 1_000 && serverNow <= Date.now(), `${serverNow}`);
      const url = new URL(server.requests[0]?.path ?? '', server.url);
      assert.equal(url.pathname, '/v2/pullzones/77/logs');
      assert.deepEqual(Object.fromEntries(url.searchParams), {
        from: '2026-08-01T00:00:00.000Z',
        to: '2026-08-01T00:01:00.000Z',
        order: 'asc',
        limit: '100',
        status: '404,5xx',
        urlContains: 'a b&c',
      });
      assert.equal(server.requests[0]?.headers['accesskey'], CANARY);
      assert.equal(server.requests[0]?.headers['accept-encoding'], 'gzip');
    },
  );
});

test('numbers beyond 2^53 in rows of logs keep their digits, in good rows and in refused ones', async () => {
  const good = JSON.stringify(logEntry()).replace(/"pullZoneId":[^,]+/, '"pullZoneId":9007199254740993');
  const page = JSON.stringify(logPage(['@'])).replace('"@"', `${good},{"odd":9007199254740995}`);
  await asking(
    (_request, response) => json(response, page),
    async (client) => {
      const answer = await client.logs({ ...SLICE, pullZoneId: '9007199254740993' });
      assert.ok(answer.ok);
      const [first, second] = recordsOf(answer.value.rows);
      assert.equal(first?.pullZoneId, '9007199254740993');
      assert.equal(first?.raw, null);
      assert.equal(second?.raw, '{"odd":"9007199254740995"}');
    },
  );
});

test('a list of which no row can be read is a failure, not an empty account', async () => {
  for (const body of [
    '[7,null,"x"]',
    '{"Items":[{"Id":{}}],"CurrentPage":1,"TotalItems":1,"HasMoreItems":false}',
  ]) {
    await asking(
      (_request, response) => json(response, body),
      async (client) => {
        const answer = await client.list('storage', { page: 1 });
        assert.equal(answer.ok ? 'ok' : answer.failure.kind, 'wrongShape');
      },
    );
  }
});

test('a token opens the logging host alone and is preferred there', async () => {
  const credentials = { accessKey: null, token: new Secret('aaaa.bbbb.cccc') };
  await asking(
    (_request, response) => json(response, logPage([])),
    async (client, server) => {
      assert.ok((await client.logs(SLICE)).ok);
      assert.equal(server.requests[0]?.headers['authorization'], 'Bearer aaaa.bbbb.cccc');
      assert.equal(server.requests[0]?.headers['accesskey'], undefined);
      const zones = await client.list('zones', { page: 1 });
      assert.equal(zones.ok ? '' : zones.failure.kind, 'noKey');
      assert.equal(server.requests.length, 1);
    },
    { credentials },
  );
});

test('the request log hears of every request when it waits, is sent and done, without secrets', async () => {
  const events: RequestEvent[] = [];
  await asking(
    (_request, response) => json(response, logPage([])),
    (client) => client.logs({ ...SLICE, filter: { urlContains: `token=${CANARY}` } }),
    { onRequest: (event) => events.push(event) },
  );
  assert.deepEqual(
    events.map(({ id, phase, outcome, status }) => ({ id, phase, outcome, status })),
    [
      { id: 1, phase: 'waiting', outcome: null, status: null },
      { id: 1, phase: 'sent', outcome: null, status: null },
      { id: 1, phase: 'done', outcome: 'ok', status: 200 },
    ],
  );
  assert.ok((events[2]?.bytes ?? 0) > 50);
  assert.equal(JSON.stringify(events).includes('canary'), false);
});

test('identical reads under way share one request, and each caller leaves by its own signal', async () => {
  const pending: (() => void)[] = [];
  await asking(
    (_request, response) => pending.push(() => json(response, logPage([logEntry()]))),
    async (client, server) => {
      const leaving = new AbortController();
      const first = client.logs(SLICE, { signal: leaving.signal });
      const second = client.logs(SLICE);
      const other = client.logs({ ...SLICE, limit: 5 });
      while (pending.length < 2) await new Promise((resolve) => setImmediate(resolve));
      leaving.abort();
      const left = await first;
      assert.equal(left.ok ? '' : left.failure.kind, 'cancelled');
      for (const answer of pending) answer();
      assert.ok((await second).ok);
      assert.ok((await other).ok);
      assert.equal(server.requests.length, 2);
    },
  );
});

test('the last caller to leave hangs up', async () => {
  await asking(
    () => {},
    async (client, server) => {
      const leaving = new AbortController();
      const closed = new Promise<void>((resolve) =>
        server.server.on('connection', (socket) => socket.on('close', () => resolve())),
      );
      const asked = client.logs(SLICE, { signal: leaving.signal });
      while (server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
      leaving.abort();
      const answer = await asked;
      assert.equal(answer.ok ? '' : answer.failure.kind, 'cancelled');
      await closed;
    },
  );
});

test('a write is refused before anything is sent, and sent once when writes are allowed', async () => {
  await asking(
    (_request, response) => json(response, ''),
    async (client, server) => {
      const answer = await client.updateStorageZone('9', { Rewrite404To200: true });
      assert.equal(answer.ok ? '' : answer.failure.kind, 'readOnly');
      assert.equal(server.requests.length, 0);
    },
  );
  await asking(
    (_request, response) => response.writeHead(204).end(),
    async (client, server) => {
      const patch = { Rewrite404To200: true, OriginUrl: undefined };
      assert.deepEqual(await client.updateStorageZone('9', patch), { ok: true, value: null });
      assert.deepEqual(
        server.requests.map(({ method, path, body }) => ({ method, path, body })),
        [{ method: 'POST', path: '/storagezone/9', body: '{"Rewrite404To200":true}' }],
      );
    },
    { allowWrites: true },
  );
});

test('a POST is never sent twice, whatever happened to it', async () => {
  await asking(
    (_request, response) => response.destroy(),
    async (client, server) => {
      const answer = await client.updateStorageZone('9', { Rewrite404To200: true }, { retries: 3 });
      assert.equal(answer.ok ? '' : answer.failure.kind, 'connectionLost');
      assert.equal(server.requests.length, 1);
    },
    { allowWrites: true },
  );
});

test('an id that is no number never becomes part of a path', async () => {
  await asking(
    (_request, response) => json(response, {}),
    async (client, server) => {
      for (const id of ['../apikey', '1/../../apikey', '', '1?x', '１']) {
        const answers = await Promise.all([
          client.storageZone(id),
          client.logs({ ...SLICE, pullZoneId: id }),
          client.shieldDay(id, '2026-08-01', null),
          client.wafRules(id),
        ]);
        for (const answer of answers) assert.equal(answer.ok ? '' : answer.failure.kind, 'invalidRequest');
      }
      assert.equal(server.requests.length, 0);
    },
  );
});

test('a key that the server echoes in its rows is masked, and kept where keys are what was asked for', async () => {
  const row = logEntry({
    userAgent: `curl -H ${CANARY}`,
    path: `/x/${CANARY}`,
    url: `https://cdn.example.com/x/${CANARY}`,
  });
  const keys = {
    Items: [{ Id: 1, Key: CANARY, Roles: ['User'] }],
    CurrentPage: 1,
    TotalItems: 1,
    HasMoreItems: false,
  };
  await asking(
    ({ path }, response) =>
      json(response, path.startsWith('/apikey') ? keys : logPage([row, { odd: CANARY }])),
    async (client) => {
      const answer = await client.logs(SLICE);
      assert.ok(answer.ok);
      assert.equal(recordsOf(answer.value.rows)[0]?.userAgent, 'curl -H [masked]');
      assert.equal(JSON.stringify(answer).includes('canary'), false);
      const listed = await client.list('keys', { page: 1 });
      assert.ok(listed.ok);
      assert.equal(listed.value.items[0]?.secret?.reveal(), CANARY);
      assert.equal(JSON.stringify(listed).includes('canary'), false);
    },
  );
});
