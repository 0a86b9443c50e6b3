import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Client, createClient } from '../../src/api/client.ts';
import { createQuota } from '../../src/api/quota/quota.ts';
import { createRecorder } from '../../src/api/recording/record.ts';
import {
  type RecordedAnswer,
  readRecording,
  recordedAnswerLine,
  recordingHead,
} from '../../src/api/recording/recording.ts';
import { redactedAnswer } from '../../src/api/recording/redaction.ts';
import { openReplay } from '../../src/api/recording/replay.ts';
import { logQuestionOf, recordedLog } from '../../src/api/recording/replay-logs.ts';
import { Secret } from '../../src/text/secret.ts';
import { systemClock } from '../../src/time/clock.ts';
import { fc, runs } from '../support/properties.ts';
import { type Simulator, startSimulator } from '../support/simulator/server.ts';

const RUNS = runs(200);
/** The first of them found a margin that reached into the time that a full page had left out. */
const SEEDS = [-2058201153, 7, 2026];
const ZONE = 'shop-frontend';

function folder(t: TestContext): string {
  const home = mkdtempSync(join(tmpdir(), 'edgescope-recording-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

/** What a session would ask, in one go: every endpoint that has secrets in its answers, and both logs. */
async function session(client: Client, to: number) {
  const zones = await client.pullZones({ page: 1 });
  assert.ok(zones.ok);
  const id = zones.value.items.find((zone) => zone.name === ZONE)?.id ?? '';
  const range = { from: to - 120_000, to };
  const mapping = await client.shieldMapping();
  assert.ok(mapping.ok);
  const shieldId = mapping.value.find((pair) => pair.pullZoneId === id)?.shieldZoneId ?? '';
  const search = { ...range, query: null, filters: [], page: 0, pageSize: 200 };
  return {
    zones,
    mapping,
    keys: await client.apiKeys({ page: 1 }),
    storage: await client.storageZones({ page: 1 }),
    logs: await client.logs({ pullZoneId: id, ...range, order: 'asc', limit: 10_000, filter: {} }),
    failing: await client.logs({
      pullZoneId: id,
      ...range,
      order: 'desc',
      limit: 500,
      filter: { status: ['4xx', '5xx'] },
    }),
    rows: await client.shieldSearch(shieldId, { ...search, groupBy: [] } as never),
    groups: await client.shieldSearch(shieldId, { ...search, groupBy: ['ip'] } as never),
    steps: await client.shieldSearch(shieldId, { ...search, groupBy: ['action'], buckets: 12 } as never),
    day: await client.shieldDay(shieldId, new Date(to).toISOString().slice(0, 10), null),
  };
}

/** Values without what differs from one asking to the next. */
function comparable(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (name, each) =>
      /^(?:sentAt|receivedAt|serverNow|secret)$/.test(name) ? undefined : each,
    ),
  );
}

async function recorded(t: TestContext) {
  const simulator = await startSimulator({ seed: 5, rate: 20 });
  t.after(() => simulator.close());
  const path = join(folder(t), 'session.ndjson');
  const recorder = createRecorder(path, systemClock);
  assert.ok(recorder);
  const client = createClient({
    baseUrl: simulator.baseUrl,
    loggingUrl: simulator.loggingUrl,
    credentials: { accessKey: new Secret(simulator.accessKey), token: null },
    allowWrites: false,
    quota: createQuota(),
    over: recorder.over,
  });
  const to = Math.floor(Date.now()) - 600_000;
  const seen = await session(client, to);
  await client.close();
  assert.equal(recorder.close(), null);
  return { simulator, path, to, seen };
}

/** What the account's zones carry that opens something, as the API sends it. */
async function fieldSecrets({ baseUrl, accessKey }: Simulator): Promise<string[]> {
  const found: string[] = [];
  for (const path of ['/pullzone?page=1', '/storagezone?page=1']) {
    const answer = await fetch(`${baseUrl}${path}`, { headers: { AccessKey: accessKey } });
    const { Items } = (await answer.json()) as { Items: Record<string, unknown>[] };
    for (const [name, value] of Items.flatMap((item) => Object.entries(item))) {
      const isSecret = /password|secret|securitykey|signingkey|token|certificate/i.test(name);
      if (isSecret && typeof value === 'string' && value.length > 7) found.push(value);
    }
  }
  return [...new Set(found)];
}

/** A client that has nothing but a recording: no key, and an address where nobody is. */
function replaying(t: TestContext, path: string): Client {
  const opened = openReplay(path);
  assert.ok(opened.ok, opened.ok ? '' : opened.reason);
  const { clock, over } = opened.replay;
  const client = createClient({
    baseUrl: 'http://127.0.0.1:1',
    loggingUrl: 'http://127.0.0.1:1',
    credentials: { accessKey: null, token: null },
    allowWrites: false,
    quota: createQuota({ clock }),
    clock,
    over,
  });
  t.after(() => client.close());
  return client;
}

test('a recorded session gives the same answers again, without a key and without a network', async (t) => {
  const { path, to, seen } = await recorded(t);
  const again = await session(replaying(t, path), to);
  for (const [name, answer] of Object.entries(seen)) {
    assert.ok(answer.ok, name);
    assert.deepEqual(comparable(again[name as keyof typeof again]), comparable(answer), name);
  }
});

test('a recording is readable by its owner only and holds no secret of the account', async (t) => {
  const { simulator, path } = await recorded(t);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  const text = readFileSync(path, 'utf8');
  assert.ok(text.length > 100_000);
  const secrets = [...simulator.secrets, ...(await fieldSecrets(simulator))];
  assert.ok(secrets.length > 30);
  for (const secret of secrets) assert.equal(text.includes(secret), false, secret);
  assert.equal(text.includes(simulator.token), false);
  assert.equal(text.includes(new URL(simulator.baseUrl).host), false);
});

test('tokens in URLs, headers and JSON inside a text are masked, and what is not JSON is left out', () => {
  const inner = { Headers: [{ Name: 'Authorization', Value: 'canary-1' }], Url: '/a?token=canary-2' };
  const rows = {
    data: [{ url: 'https://a.example/v?bcdn_token=canary-3&x=1', authorizationHeader: 'Bearer canary-4' }],
    logs: [{ log: JSON.stringify(inner) }],
    groups: [{ key: { ip: '192.0.2.7' } }],
    pullZoneId: 0,
  };
  const text = JSON.stringify(rows).replace('"pullZoneId":0', '"pullZoneId":9223372036854775807');
  const redacted = redactedAnswer('/v2/pullzones/1/logs', text) ?? '';
  assert.equal(redacted.includes('canary'), false);
  const read = JSON.parse(redacted);
  assert.equal(read.data[0].url, 'https://a.example/v?bcdn_token=[masked]&x=1');
  assert.deepEqual(read.groups, rows.groups);
  assert.equal(read.pullZoneId, '9223372036854775807');
  assert.equal(redactedAnswer('/pullzone', '<html>canary</html>'), null);
});

test('what was not asked is said to be not in the recording, and nothing is ever written', async (t) => {
  const { path, to } = await recorded(t);
  const client = replaying(t, path);
  const id = (await client.pullZones({ page: 1 })).ok ? '1284031' : '';
  const range = { from: to - 3_600_000, to: to - 3_000_000 };
  const kindOf = async (asked: Promise<{ ok: boolean; failure?: { kind: string } }>) => {
    const answer = await asked;
    return answer.ok ? 'ok' : answer.failure?.kind;
  };
  assert.equal(
    await kindOf(client.logs({ pullZoneId: id, ...range, order: 'asc', limit: 10, filter: {} })),
    'notRecorded',
  );
  const other = {
    from: to - 60_000,
    to,
    order: 'asc',
    limit: 10,
    filter: { remoteIp: '192.0.2.1' },
  } as const;
  assert.equal(await kindOf(client.logs({ pullZoneId: id, ...other })), 'notRecorded');
  const steps = {
    from: to - 120_000,
    to,
    query: null,
    filters: [],
    groupBy: ['action'],
    page: 0,
    pageSize: 200,
  };
  const pairs = await client.shieldMapping();
  const shieldId =
    (pairs.ok ? pairs.value : []).find(({ pullZoneId }) => pullZoneId === id)?.shieldZoneId ?? '';
  assert.equal(await kindOf(client.shieldSearch(shieldId, { ...steps, buckets: 12 } as never)), 'ok');
  assert.equal(
    await kindOf(client.shieldSearch(shieldId, { ...steps, buckets: 24 } as never)),
    'notRecorded',
  );
  assert.equal(await kindOf(client.storageZone('999999')), 'notRecorded');
  assert.equal(await kindOf(client.logsV1({ pullZoneId: id, day: '2026-01-01' } as never)), 'notRecorded');
  assert.equal(await kindOf(client.updateStorageZone('1', { Rewrite404To200: true } as never)), 'readOnly');
});

test('a file that is there is not written over, and a full recording says so', async (t) => {
  const path = join(folder(t), 'session.ndjson');
  writeFileSync(path, 'mine');
  assert.equal(createRecorder(path, systemClock), null);
  assert.equal(readFileSync(path, 'utf8'), 'mine');
  const small = join(folder(t), 'small.ndjson');
  const recorder = createRecorder(small, systemClock, 200);
  assert.ok(recorder);
  const failure = {
    kind: 'timeout',
    host: 'a',
    status: null,
    detail: 'x'.repeat(300),
    field: null,
    retryAt: null,
  } as const;
  const inner = { scrub: (text: string) => text, send: async () => ({ ok: false as const, failure }) };
  await recorder.over(inner as never).send({ host: 'main', method: 'GET', path: '/pullzone' });
  assert.match(recorder.close() ?? '', /is not complete: it is full/);
  assert.ok(statSync(small).size <= 200);
});

test('a recording that was cut short is read up to there; any other damage is named by its line', () => {
  const answer: RecordedAnswer = {
    at: 1,
    took: 2,
    host: 'main',
    method: 'GET',
    path: '/pullzone?page=1',
    body: null,
    outcome: { failure: 'timeout', detail: '' },
  };
  const whole = recordingHead(1000) + recordedAnswerLine(answer);
  const cut = readRecording(`${whole}${recordedAnswerLine(answer).slice(0, 20)}`);
  assert.deepEqual(cut.ok && cut.recording, { startedAt: 1000, answers: [answer] });
  const faultOf = (text: string) => {
    const read = readRecording(text);
    return read.ok ? null : `${read.line}: ${read.reason}`;
  };
  assert.match(faultOf('') ?? '', /^1: it is not a recording/);
  assert.match(faultOf('{"timestamp":"x"}\n') ?? '', /^1: it is not a recording/);
  assert.match(faultOf(recordingHead(1).replace(':1,', ':7,')) ?? '', /another version \(7\)/);
  assert.match(faultOf(`${recordingHead(1)}{"at":1}\n`) ?? '', /^2: this line is no recorded answer/);
});

test('whatever slices were recorded, a replay gives the rows of a covered window once each, and never invents the end of one', () => {
  const range = fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 15 }));
  const slice = fc.record({
    range,
    order: fc.constantFrom('asc', 'desc'),
    limit: fc.integer({ min: 1, max: 8 }),
  });
  const base = Date.parse('2026-03-04T00:00:00Z');
  // Seconds of ten, so that the two seconds at an edge do not matter; several rows share one.
  const at = (step: number) => base + step * 10_000;
  const property = fc.property(
    fc.array(fc.integer({ min: 0, max: 55 }), { maxLength: 40 }),
    fc.array(slice, { minLength: 1, maxLength: 8 }),
    slice,
    (steps, slices, asked) => {
      const truth = steps
        .toSorted((a, b) => a - b)
        .map((step, n) => ({ timestamp: new Date(at(step)).toISOString(), requestId: `r${n}` }));
      const inside = (from: number, to: number) =>
        truth.filter(({ timestamp }) => Date.parse(timestamp) >= from && Date.parse(timestamp) < to);
      const pathOf = ({ range: [start, length], order, limit }: typeof asked) => {
        const [from, to] = [at(start), at(start + length)].map((time) => new Date(time).toISOString());
        return `/v2/pullzones/1/logs?from=${from}&to=${to}&order=${order}&limit=${limit}`;
      };
      const answers = slices.map((each): RecordedAnswer => {
        const [start, length] = each.range;
        const all = inside(at(start), at(start + length));
        const data = (each.order === 'asc' ? all : all.toReversed()).slice(0, each.limit);
        const text = JSON.stringify({ data, pagination: { hasMore: data.length < all.length } });
        const outcome = { status: 200, headers: {}, text };
        return { at: 0, took: 0, host: 'logging', method: 'GET', path: pathOf(each), body: null, outcome };
      });
      const question = logQuestionOf(pathOf(asked));
      assert.ok(question);
      const page = recordedLog(answers).page(question);
      const all = inside(question.from, question.to);
      const expected = question.order === 'asc' ? all : all.toReversed();
      if (page === null) return;
      const ids = page.rows.map((row) => (row as { requestId: string }).requestId);
      assert.equal(new Set(ids).size, ids.length);
      const inOrder = (some: string[]) => some.toSorted();
      // Rows of one instant may come in any order; everything before the last instant is there.
      const known = expected.slice(0, ids.length).map((row) => row.requestId);
      if (!page.hasMore) assert.deepEqual(inOrder(ids), inOrder(expected.map((row) => row.requestId)));
      else {
        const last = (page.rows.at(-1) as { timestamp: string }).timestamp;
        const before = expected.filter(({ timestamp }) =>
          question.order === 'asc' ? timestamp < last : timestamp > last,
        );
        for (const { requestId } of before) assert.ok(ids.includes(requestId));
      }
      assert.ok(known.length === ids.length);
    },
  );
  for (const seed of SEEDS) fc.assert(property, { seed, numRuns: RUNS });
});

test('a replay never calls a window whole in which a recorded answer was cut short or failed', () => {
  const base = Date.parse('2026-03-04T00:00:00Z');
  // Finer than the margin at an edge, so that it can reach into what was left out.
  const at = (step: number) => base + step * 700;
  const slice = fc.record({
    start: fc.integer({ min: 0, max: 40 }),
    length: fc.integer({ min: 1, max: 15 }),
    order: fc.constantFrom('asc', 'desc'),
    limit: fc.integer({ min: 1, max: 8 }),
    hasFailed: fc.boolean(),
  });
  type Slice = { start: number; length: number; order: string; limit: number };
  const pathOf = ({ start, length, order, limit }: Slice) => {
    const [from, to] = [at(start), at(start + length)].map((time) => new Date(time).toISOString());
    return `/v2/pullzones/1/logs?from=${from}&to=${to}&order=${order}&limit=${limit}`;
  };
  const property = fc.property(
    fc.array(fc.record({ step: fc.integer({ min: 0, max: 55 }), isDated: fc.boolean() }), { maxLength: 40 }),
    fc.array(slice, { minLength: 1, maxLength: 4 }),
    fc.record({ ahead: fc.integer({ min: 0, max: 2 }), behind: fc.integer({ min: 0, max: 2 }) }),
    (steps, slices, more) => {
      const [like] = slices;
      assert.ok(like);
      const start = like.start - more.ahead;
      const asked = { ...like, start, length: like.start + like.length + more.behind - start };
      const truth = steps
        .toSorted((a, b) => a.step - b.step)
        .map(({ step, isDated }, n) => ({
          at: at(step),
          row: { timestamp: isDated ? new Date(at(step)).toISOString() : 'no time', requestId: `r${n}` },
        }));
      const inside = ({ start, length }: Slice) =>
        truth.filter((row) => row.at >= at(start) && row.at < at(start + length));
      const recordedIds = new Set<string>();
      const leftOut = new Set<string>();
      const answers = slices.map((each): RecordedAnswer => {
        const all = inside(each).map(({ row }) => row);
        const inOrder = each.order === 'asc' ? all : all.toReversed();
        const data = each.hasFailed ? [] : inOrder.slice(0, each.limit);
        for (const { requestId } of data) recordedIds.add(requestId);
        for (const { requestId } of inOrder.slice(data.length)) leftOut.add(requestId);
        const text = JSON.stringify({ data, pagination: { hasMore: data.length < all.length } });
        const outcome = each.hasFailed
          ? ({ failure: 'timeout', detail: '' } as const)
          : { status: 200, headers: {}, text };
        return { at: 0, took: 0, host: 'logging', method: 'GET', path: pathOf(each), body: null, outcome };
      });
      const question = logQuestionOf(pathOf({ ...asked, limit: 1000 }));
      assert.ok(question);
      const page = recordedLog(answers).page(question);
      if (page === null || page.hasMore) return;
      const missing = inside(asked)
        .map(({ row }) => row.requestId)
        .filter((id) => leftOut.has(id) && !recordedIds.has(id));
      assert.deepEqual(missing, []);
    },
  );
  for (const seed of SEEDS) fc.assert(property, { seed, numRuns: RUNS });
});

test('where a redirect leads is recorded, without its tokens', async (t) => {
  const path = join(folder(t), 'session.ndjson');
  const recorder = createRecorder(path, systemClock);
  assert.ok(recorder);
  const headers = { location: 'https://elsewhere.example/?token=canary-0123456789abcdef' };
  const value = { status: 302, headers, bytes: Buffer.alloc(0) };
  const inner = { scrub: (text: string) => text, send: async () => ({ ok: true as const, value }) };
  await recorder.over(inner as never).send({ host: 'main', method: 'GET', path: '/storagezone/605220' });
  recorder.close();
  assert.doesNotMatch(readFileSync(path, 'utf8'), /canary/);
  const again = await replaying(t, path).storageZone('605220');
  assert.ok(!again.ok);
  assert.equal(again.failure.kind, 'redirected');
  assert.match(again.failure.detail, /elsewhere\.example/);
});

test('secrets of any kind stand in no recording', async (t) => {
  const path = join(folder(t), 'session.ndjson');
  const recorder = createRecorder(path, systemClock);
  assert.ok(recorder);
  const body = {
    logs: [
      { log: JSON.stringify({ Headers: [{ Name: 'X-Vault-Token', Value: 'canary-1' }] }) },
      { log: { Body: '{"user":"ann","password":"canary-2"}', Url: 'https://a.b/cb?code=canary-3' } },
      { log: { Body: '<login><password>canary-4</password></login>' } },
      { log: { Body: '--b\r\nx: y; name="password"\r\n\r\ncanary-5\r\n--b--' } },
      { log: { Head: 'Host: a.b\r\nPrivate-Token: canary-6\r\n' } },
    ],
  };
  const value = { status: 200, headers: {}, bytes: Buffer.from(JSON.stringify(body)) };
  const inner = { scrub: (text: string) => text, send: async () => ({ ok: true as const, value }) };
  const request = { host: 'main', method: 'GET', path: '/shield/event-logs/7/2026-11-22/' } as const;
  await recorder.over(inner as never).send(request);
  recorder.close();
  const recorded = readFileSync(path, 'utf8');
  assert.doesNotMatch(recorded, /canary/);
  assert.ok(readRecording(recorded).ok);
  assert.match(recorded, /ann/);
});

test('a change that was recorded is not made again', async (t) => {
  const path = join(folder(t), 'session.ndjson');
  const change = {
    at: 0,
    took: 0,
    host: 'main',
    method: 'POST',
    path: '/storagezone/605220',
    body: { Rewrite404To200: true },
    outcome: { status: 204, headers: {}, text: '' },
  } as const;
  writeFileSync(path, recordingHead(Date.now()) + recordedAnswerLine(change));
  const answer = await replaying(t, path).updateStorageZone('605220', { Rewrite404To200: true });
  assert.equal(answer.ok ? 'ok' : answer.failure.kind, 'readOnly');
});

const FIRST = 1_785_542_400_000;
const LOGS =
  '/v2/pullzones/1/logs?from=2026-08-01T00:00:00.000Z&to=2026-08-01T01:00:00.000Z&order=asc&limit=100';
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const answerWith = (parts: object): string =>
  JSON.stringify({ at: 0, took: 0, host: 'logging', method: 'GET', path: LOGS, body: null, ...parts });
const answered = (text: string, more: object = {}) =>
  answerWith({ outcome: { status: 200, headers: {}, text, ...more } });

/** Lines that no session wrote, each of which was taken for an answer once, and what is said of it. */
const FORGED = {
  'a failure of no kind': [answerWith({ outcome: { failure: 'meteor', detail: '' } }), 'line 2'],
  'a failure named like a part of every object': [
    answerWith({ outcome: { failure: 'constructor', detail: '' } }),
    'line 2',
  ],
  'a failure without words': [answerWith({ outcome: { failure: 'timeout' } }), 'line 2'],
  'an answer that takes for ever': [
    answerWith({ took: 1e12, outcome: { failure: 'dns', detail: '' } }),
    'line 2',
  ],
  'headers that are none': [answered('{}', { headers: { 'content-type': 5 } }), 'line 2'],
  'a status that is none': [answered('{}', { status: 1e9 }), 'line 2'],
  'a body without end': [answered('{}').replace('"body":null', `"body":${nested(50_000)}`), 'line 2'],
  'a method that is none': [answerWith({ method: 7, outcome: { failure: 'dns', detail: '' } }), 'line 2'],
  'a row without end': [answered(`{"data":[${nested(50_000)}],"pagination":{"hasMore":false}}`), null],
  'more rows than an answer has': [
    answered(`{"data":[${'{},'.repeat(300_000)}{}],"pagination":{"hasMore":false}}`),
    null,
  ],
  'a list in the place of a page': [answered('[[[]]]'), null],
  'a window that is none': [answered('{}').replace('2026-08-01T00', 'never'), null],
} as const satisfies Record<string, readonly [line: string, refused: string | null]>;

for (const [name, [line, refused]] of Object.entries(FORGED)) {
  test(`a recording with ${name} is ${refused === null ? 'replayed' : 'refused'} without a stack`, async (t) => {
    const path = join(folder(t), 'forged.ndjson');
    writeFileSync(path, `${recordingHead(FIRST)}${line}\n`);
    const opened = openReplay(path);
    if (refused !== null) {
      assert.ok(!opened.ok);
      assert.match(opened.reason, new RegExp(refused));
      return;
    }
    assert.ok(opened.ok);
    const { clock, over } = opened.replay;
    const client = createClient({
      baseUrl: 'https://api.example',
      loggingUrl: 'https://logging.example',
      credentials: { accessKey: null, token: null },
      allowWrites: false,
      quota: createQuota(),
      clock,
      over,
    });
    t.after(() => client.close());
    const slice = await client.logs({
      pullZoneId: '1',
      from: FIRST,
      to: FIRST + 3_600_000,
      order: 'asc',
      limit: 100,
      filter: {},
    });
    assert.ok(slice.ok ? slice.value.records.length <= 100 : slice.failure.kind !== undefined);
    await client.pullZones({ page: 1 });
  });
}

test('a recording that begins at no time of a log is refused', (t) => {
  const path = join(folder(t), 'never.ndjson');
  for (const startedAt of [-1, 1e14, 1e300]) {
    writeFileSync(path, `{"edgescopeRecording":1,"startedAt":${startedAt}}\n`);
    const opened = openReplay(path);
    assert.ok(!opened.ok);
    assert.match(opened.reason, /no time/);
  }
});
