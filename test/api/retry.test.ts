import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answered, asked, CLOSED, mayAsk } from '../../src/api/caller.ts';
import { createClient } from '../../src/api/client.ts';
import { jitter, retryAfterOf } from '../../src/api/http/response.ts';
import type { Transport } from '../../src/api/http/transport.ts';
import { createQuota, logLane, type Quota } from '../../src/api/quota/quota.ts';
import { FAILURES, type FailureKind, failureOf } from '../../src/domain/failure.ts';
import type { RequestEvent } from '../../src/domain/request-event.ts';
import { Secret } from '../../src/text/secret.ts';
import { openPlatform, type Platform } from '../support/platform.ts';
import { asking, clientOf, json, logPage, SLICE, tcpServer } from './support.ts';

const KINDS = Object.keys(FAILURES) as FailureKind[];

test('a read that failed for a moment is tried again, at most three times', async () => {
  let left = 2;
  await asking(
    (_request, response) => (left-- > 0 ? response.writeHead(503).end() : json(response, logPage([]))),
    async (client, server) => {
      assert.ok((await client.logs(SLICE)).ok);
      assert.equal(server.requests.length, 3);
    },
  );
  await asking(
    (_request, response) => response.writeHead(500).end(),
    async (client, server) => {
      const answer = await client.logs(SLICE);
      assert.equal(answer.ok ? '' : answer.failure.kind, 'serverError');
      assert.equal(server.requests.length, 4);
    },
  );
});

test('what only the user can change is not asked twice', async () => {
  for (const status of [301, 400, 401, 403, 404]) {
    await asking(
      (_request, response) => response.writeHead(status).end(),
      async (client, server) => {
        assert.ok(!(await client.logs(SLICE)).ok);
        assert.equal(server.requests.length, 1);
      },
    );
  }
});

test('in the background a failure is told at once, for the caller has a plan', async () => {
  await asking(
    (_request, response) => response.writeHead(503).end(),
    async (client, server) => {
      assert.ok(!(await client.logs(SLICE, { priority: 'background' })).ok);
      assert.equal(server.requests.length, 1);
    },
  );
});

test('a search is a POST, but changes nothing: it is tried again as any read', async () => {
  const request = { from: 1, to: 2, query: null, filters: [], groupBy: [], page: 0, pageSize: 900 };
  await asking(
    (_request, response) => response.writeHead(503).end(),
    async (client, server) => {
      assert.ok(!(await client.shieldSearch('5', request)).ok);
      const bodies = server.requests.map(({ body }) => body);
      assert.deepEqual(bodies, Array(4).fill('{"from":1,"to":2,"page":0,"pageSize":500}'));
    },
  );
});

/** A client of a platform in this process, in virtual time. */
function clientIn(platform: Platform, quota: Quota, onRequest: (event: RequestEvent) => void = () => {}) {
  const { accessKey, baseUrl, loggingUrl, clock, over } = platform;
  const credentials = { accessKey: new Secret(accessKey), token: null };
  return createClient({
    baseUrl,
    loggingUrl,
    credentials,
    allowWrites: false,
    quota,
    clock,
    over,
    onRequest,
  });
}

/** A minute of the busiest zone. */
function sliceOf({ zones, clock }: Platform) {
  return { ...SLICE, pullZoneId: String(zones[0]?.id), from: clock.now() - 60_000, to: clock.now() };
}

test('a 429 is waited out, by everybody, and the background is told until when', async () => {
  const platform = openPlatform({
    faults: [{ match: { to: 1 }, fault: { kind: 'rateLimited', text: '20' } }],
  });
  const { clock, loggingUrl } = platform;
  const quota = createQuota({ clock });
  const client = clientIn(platform, quota);
  const slice = sliceOf(platform);
  const first = await platform.ended(client.logs(slice, { retries: 0 }));
  assert.ok(!first.ok);
  const until = clock.now() + 20_000;
  assert.deepEqual([first.failure.kind, first.failure.retryAt], ['rateLimited', until]);
  assert.equal(quota.snapshot(logLane(loggingUrl, slice.pullZoneId)).frozenUntil, until);
  const background = await platform.ended(client.logs(slice, { priority: 'background' }));
  assert.ok(!background.ok);
  assert.deepEqual([background.failure.kind, background.failure.retryAt], ['rateLimited', until]);
  assert.equal(platform.stats().requests, 1);
  assert.ok((await platform.ended(client.logs({ ...slice, limit: 7 }))).ok);
  assert.equal(clock.now(), until);
  assert.equal(platform.stats().requests, 2);
});

test('a request that waits says until when and why: the quota, the server, or the try before', async () => {
  for (const because of ['quota', 'rateLimited', 'serverError'] as const) {
    const fault = { match: { to: 1 }, fault: { kind: 'rateLimited', text: '30' } } as const;
    const platform = openPlatform({ faults: because === 'rateLimited' ? [fault] : [] });
    const { clock } = platform;
    const asked = clock.now();
    let failing = because === 'serverError';
    const over = (wire: Transport): Transport => ({
      ...platform.over(wire),
      async send(request, signal) {
        if (!failing) return platform.over(wire).send(request, signal);
        failing = false;
        return { ok: false, failure: failureOf('serverError', { status: 503, retryAt: asked + 30_000 }) };
      },
    });
    const events: RequestEvent[] = [];
    const quota = createQuota({ clock });
    const slice = sliceOf(platform);
    const lane = logLane(platform.loggingUrl, slice.pullZoneId);
    if (because === 'quota')
      for (let n = 0; n < 24; n++) (await quota.acquire(lane, 'user')).release('answered');
    const client = clientIn({ ...platform, over }, quota, (event) => events.push(event));
    assert.ok((await platform.ended(client.logs(slice))).ok);
    const held = events.filter(({ wait }) => wait !== null);
    const until = asked + (because === 'quota' ? 10_000 : 30_000);
    const status = because === 'quota' ? null : because === 'serverError' ? 503 : 429;
    // Once, and not at each look.
    assert.deepEqual(
      held.map(({ phase, wait }) => ({ phase, wait })),
      [{ phase: 'waiting', wait: { until, because, status } }],
    );
    assert.equal(clock.now(), until);
  }
});

test('an endless 429 ends as rate limited', async () => {
  await asking(
    (_request, response) => response.writeHead(429, { 'retry-after': 'soon' }).end(),
    async (client, server) => {
      const answer = await client.logs(SLICE);
      assert.equal(answer.ok ? '' : answer.failure.kind, 'rateLimited');
      assert.equal(server.requests.length, 4);
    },
  );
});

test('each failure is asked again and stops the others as its row says', async () => {
  for (const kind of KINDS) {
    const platform = openPlatform();
    const { clock, loggingUrl } = platform;
    const quota = createQuota({ clock });
    let sent = 0;
    const over = (wire: Transport): Transport => ({
      ...platform.over(wire),
      async send() {
        sent += 1;
        return { ok: false, failure: failureOf(kind) };
      },
    });
    const slice = sliceOf(platform);
    const answer = await platform.ended(clientIn({ ...platform, over }, quota).logs(slice));
    assert.equal(answer.ok ? '' : answer.failure.kind, kind);
    const { retry } = FAILURES[kind].traits;
    assert.equal(sent, retry === undefined ? 1 : 4, kind);
    const { frozenUntil } = quota.snapshot(logLane(loggingUrl, slice.pullZoneId));
    assert.equal(frozenUntil !== null, retry === 'freeze', kind);
  }
});

test('a pause that nobody wants any more ends at once', async () => {
  const platform = openPlatform({ faults: [{ fault: { kind: 'serverError', status: 503 } }] });
  const { clock } = platform;
  const leaving = new AbortController();
  const client = clientIn(platform, createQuota({ clock }));
  const reading = client.logs(sliceOf(platform), { signal: leaving.signal });
  const began = clock.now();
  await platform.rest();
  assert.equal(platform.stats().byStatus['503'], 1);
  leaving.abort();
  const answer = await reading;
  assert.equal(answer.ok ? '' : answer.failure.kind, 'cancelled');
  assert.deepEqual([platform.stats().requests, clock.now() - began], [1, 0]);
});

test('Retry-After counts as seconds or as a date by the server clock, within 1 to 120 s', () => {
  const now = Date.UTC(2026, 7, 1);
  const server = now + 600_000;
  const inSeconds = (header: string | null) => retryAfterOf(header, server, now);
  assert.equal(inSeconds('3'), 3_000);
  assert.equal(inSeconds('0'), 1_000);
  assert.equal(inSeconds('86400'), 120_000);
  assert.equal(inSeconds(new Date(server + 7_000).toUTCString()), 7_000);
  assert.equal(inSeconds(new Date(server - 7_000).toUTCString()), 1_000);
  for (const garbage of [null, '', '-1', 'soon', '1e3', '3 s', 'Xyz, 99'])
    assert.equal(inSeconds(garbage), null);
});

test('pauses of our own grow to 30 s, with full jitter', () => {
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5, 60].map((attempt) => jitter(attempt, 0.999_999)).map(Math.round),
    [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000],
  );
  assert.equal(jitter(3, 0.5), 4_000);
  assert.equal(jitter(3, 0), 100);
});

test('after five failures in a row a host is left alone, but for one try at a time', () => {
  const lost = failureOf('connectionLost', { host: 'logs.example' });
  let circuit = CLOSED;
  for (let each = 0; each < 4; each += 1) circuit = answered(circuit, lost, 1_000, 0.5);
  assert.equal(mayAsk(circuit, 'background', 1_000), true);
  circuit = answered(circuit, lost, 1_000, 0.5);
  assert.equal(mayAsk(circuit, 'background', 1_000), false);
  assert.equal(mayAsk(circuit, 'user', 1_000), true, 'a user may look for himself');
  assert.equal(mayAsk(circuit, 'background', circuit.openUntil), true);
  const probing = asked(circuit);
  assert.equal(mayAsk(probing, 'user', circuit.openUntil), false);
  assert.equal(answered(probing, failureOf('cancelled'), 1_000, 0.5).probing, false);
  assert.deepEqual(answered(probing, null, 1_000, 0.5), CLOSED);
  const longer = answered(probing, lost, 1_000, 0.5);
  assert.ok(longer.openUntil > circuit.openUntil);
});

test('a request about a wrong thing does not open the circuit, a broken gateway does', () => {
  const after = (kind: 'notFound' | 'serverError', status: number) =>
    [1, 2, 3, 4, 5].reduce((circuit) => answered(circuit, failureOf(kind, { status }), 0, 0), CLOSED)
      .failures;
  assert.deepEqual([after('notFound', 404), after('serverError', 500), after('serverError', 502)], [0, 0, 5]);
});

test('what its row blames for a failure opens the circuit: an address, a link, and of servers a gateway', () => {
  for (const kind of KINDS) {
    const { blames } = FAILURES[kind].traits;
    for (const status of [null, 500, 502]) {
      const failure = failureOf(kind, { status });
      const failures = [1, 2, 3, 4, 5].reduce((circuit) => answered(circuit, failure, 0, 0), CLOSED).failures;
      const isHost =
        blames === 'address' || blames === 'link' || (blames === 'server' && (status ?? 0) >= 502);
      assert.equal(failures, isHost ? 5 : 0, `${kind} ${status}`);
    }
    const broken = { ...CLOSED, failures: 6, openUntil: 9, probing: true };
    const after = answered(broken, failureOf(kind), 0, 0);
    assert.equal(after.probing, false, kind);
    assert.equal(
      after.failures,
      blames === 'nothing' ? 6 : blames === 'address' || blames === 'link' ? 7 : 0,
    );
  }
});

test('an open circuit is told with its cause and without a request', async () => {
  const { port, close } = await tcpServer(() => {});
  await close();
  const client = clientOf(`http://127.0.0.1:${port}`);
  for (let each = 0; each < 5; each += 1)
    await client.logs({ ...SLICE, limit: each + 1 }, { priority: 'background' });
  const answer = await client.logs(SLICE, { priority: 'background' });
  assert.ok(!answer.ok);
  assert.equal(answer.failure.kind, 'circuitOpen');
  assert.equal(answer.failure.detail, 'connection refused');
  assert.ok((answer.failure.retryAt ?? 0) > Date.now());
  const users = await client.logs(SLICE, { retries: 0 });
  assert.equal(users.ok ? '' : users.failure.kind, 'refusedConnection');
  await client.close();
});
