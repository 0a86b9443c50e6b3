import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Client } from '../../src/api/client.ts';
import { createQuota } from '../../src/api/quota/quota.ts';
import { explain, FAILURES, type Result } from '../../src/domain/failure.ts';
import { CANARY, clientOf, tinyServer } from '../api/support.ts';
import { randomOf } from '../effects/support/model-rows.ts';
import { type Simulator, startSimulator } from '../support/simulator/server.ts';
import { stringsOf } from './strings.ts';

export type AnswerFigures = { tried: number; ok: number; refused: number; kinds: number };

type Random = () => number;
type Sound = { body: Buffer; type: string };

/** Longer than any answer may take, ms. */
const MOST_TIME = 10_000;
const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  '',
  -1,
  1e308,
  [],
  {},
  [[[]]],
  '\x1b]0;owned\x07',
  'canary',
  '9'.repeat(40),
  'x'.repeat(5_000),
  { __proto__: null },
  [null, 1, 'x'],
  '2026-13-45T99:99:99Z',
  Number.MAX_SAFE_INTEGER + 2,
];
const TYPES = ['application/json', 'text/plain', 'text/html', '', 'application/json; charset=utf-16', 'x/y'];
const STATUSES = [
  200, 200, 200, 200, 201, 204, 206, 300, 304, 400, 401, 403, 404, 408, 418, 429, 500, 503, 599,
];

/** One call for each answer that the program reads. */
const CALLS = {
  pullZones: (c) => c.list('zones', { page: 1, perPage: 50 }),
  apiKeys: (c) => c.list('keys', { page: 1, perPage: 50 }),
  storageZones: (c) => c.list('storage', { page: 1, perPage: 50 }),
  storageZone: (c) => c.storageZone('605220'),
  shieldMapping: (c) => c.shieldMapping(),
  shieldZoneOfPullZone: (c, ids) => c.shieldZoneOfPullZone(ids.pullZone),
  wafRules: (c, ids) => c.wafRules(ids.shieldZone),
  shieldRows: (c, ids) => c.shieldSearch(ids.shieldZone, searchOf([])),
  shieldGroups: (c, ids) => c.shieldSearch(ids.shieldZone, searchOf(['ruleId'])),
  shieldDay: (c, ids) => c.shieldDay(ids.shieldZone, new Date().toISOString().slice(0, 10), null),
  logs: (c, ids) =>
    c.logs(
      { pullZoneId: ids.pullZone, ...lastMinute(), order: 'asc', limit: 20, filter: {} },
      { retries: 0 },
    ),
  logsV1: (c, ids) => readDay(c, ids.pullZone),
  originErrors: (c, ids) => c.originErrors(ids.failing, new Date().toISOString().slice(0, 10)),
  changes: (c) => c.changes(new Date().toISOString().slice(0, 10), null),
  statistics: (c, ids) => c.statistics({ pullZoneId: ids.failing, ...lastHours() }),
} as const satisfies Record<string, (c: Client, ids: Ids) => Promise<Result<unknown>>>;

type CallName = keyof typeof CALLS;
type Ids = { pullZone: string; shieldZone: string; failing: string };

/** Every answer that the program reads, spoilt in ways that a seed chooses: none may throw, hang, leak or be believed whole. */
export async function fuzzAnswers(seed: number, count: number): Promise<AnswerFigures> {
  const random = randomOf(seed);
  const strings = stringsOf(seed + 1, Number.POSITIVE_INFINITY);
  const sound = await soundAnswers();
  const names = Object.keys(CALLS) as CallName[];
  const figures: AnswerFigures = { tried: 0, ok: 0, refused: 0, kinds: 0 };
  const kinds = new Set<string>();
  let spoilt: ReturnType<typeof spoil> | null = null;
  const server = await tinyServer((_request, response) => {
    if (spoilt === null) return response.destroy();
    const { status, headers, body, isCut } = spoilt;
    response.writeHead(status, headers);
    if (!isCut) return response.end(body);
    response.write(body.subarray(0, body.length >> 1));
    setImmediate(() => response.destroy());
  });
  let client = fresh(server.url);
  try {
    for (; figures.tried < count; figures.tried += 1) {
      const name = names[figures.tried % names.length] as CallName;
      spoilt = spoil(sound.answers[name], random, () => String(strings.next().value));
      const what = () =>
        `${name}: ${JSON.stringify({ ...spoilt, body: String(spoilt?.body).slice(0, 400) })}`;
      const answer = await Promise.race([
        CALLS[name](client, sound.ids).catch((error) => assert.fail(`${error.stack} for ${what()}`)),
        sleep(MOST_TIME, null, { ref: false }).then(() => assert.fail(`no end of ${what()}`)),
      ]);
      if (answer.ok) figures.ok += 1;
      else {
        figures.refused += 1;
        const { failure } = answer;
        kinds.add(failure.kind);
        assert.ok(failure.kind in FAILURES, what());
        const foreign = [failure.detail, failure.errorKey ?? '', failure.field ?? ''];
        const words = Object.values(explain(failure)).map(String);
        for (const each of foreign) assert.match(each, /^[ -~]*$/, what());
        for (const each of words) assert.doesNotMatch(each, /[\x00-\x1f\x7f-\x9f]/, what());
        const said = [...foreign, ...words].join();
        assert.ok(!said.includes(CANARY));
        // A host that answers so badly is left alone for a while: the next answer needs a caller without a memory.
        if (failure.kind === 'circuitOpen' || failure.kind === 'rateLimited' || figures.tried % 4 === 0) {
          await client.close();
          client = fresh(server.url);
        }
      }
    }
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined, 'the prototype of objects');
  } finally {
    await client.close();
    await server.close();
  }
  return { ...figures, kinds: kinds.size };
}

/** Whose answer a path asks for: a relay is one host for all. */
function hostOf(path: string, simulator: Simulator): string {
  if (/^\/v2\/|\.log/.test(path)) return simulator.loggingUrl;
  return /^\/\d+\/\d\d-/.test(path) ? simulator.originErrorsUrl : simulator.baseUrl;
}

/** What the simulator answers to each call. */
async function soundAnswers(): Promise<{ answers: Record<CallName, Sound>; ids: Ids }> {
  const simulator = await startSimulator({ seed: 7, rate: 20 });
  const zone = simulator.zones.find(({ name }) => name === 'shop-frontend');
  let last: Sound = { body: Buffer.alloc(0), type: '' };
  const relay = await tinyServer(async (request, response) => {
    const answer = await fetch(hostOf(request.path, simulator) + request.path, {
      method: request.method,
      headers: { accesskey: simulator.accessKey, 'content-type': 'application/json' },
      ...(request.body === '' ? {} : { body: request.body }),
    });
    last = { body: Buffer.from(await answer.arrayBuffer()), type: answer.headers.get('content-type') ?? '' };
    response.writeHead(answer.status, { 'content-type': last.type }).end(last.body);
  });
  const patient = { timeouts: { connect: 5_000, headers: 20_000, idle: 20_000, total: 60_000 } };
  const client = clientOf(relay.url, { ...patient, quota: createQuota({ factor: 0.001 }) });
  try {
    const mapping = await client.shieldMapping();
    const pair = mapping.ok ? mapping.value.find((each) => each.pullZoneId === String(zone?.id)) : undefined;
    const failing = simulator.zones.find(({ name }) => name === 'checkout');
    const ids = {
      pullZone: String(zone?.id),
      shieldZone: pair?.shieldZoneId ?? '',
      failing: String(failing?.id),
    };
    const answers = {} as Record<CallName, Sound>;
    for (const name of Object.keys(CALLS) as CallName[]) {
      const answer = await CALLS[name](client, ids);
      assert.ok(answer.ok, `${name}: ${JSON.stringify(answer)}`);
      answers[name] = { ...last, body: firstLines(last.body) };
    }
    return { answers, ids };
  } finally {
    await client.close();
    await relay.close();
    await simulator.close();
  }
}

/** The answers of JSON are one line; of a day of lines a few are enough. */
function firstLines(body: Buffer): Buffer {
  return Buffer.from(body.toString('latin1').split('\n').slice(0, 12).join('\n'), 'latin1');
}

function fresh(url: string) {
  return clientOf(url, { quota: createQuota({ factor: 0.000_1 }), factor: 0.000_1 });
}

/** A sound answer with one to three things wrong, in its values, its bytes or its head. */
function spoil(sound: Sound, random: Random, text: () => string) {
  let { body } = sound;
  let status = 200;
  const headers: Record<string, string> = { 'content-type': sound.type };
  let isCut = false;
  for (let n = 1 + Math.floor(random() * 3); n > 0; n -= 1) {
    const draw = random();
    if (draw < 0.5) body = withOtherValues(body, random, text);
    else if (draw < 0.7) body = withOtherBytes(body, random);
    else if (draw < 0.78) status = pick(STATUSES, random);
    else if (draw < 0.84) headers['content-type'] = pick(TYPES, random);
    else if (draw < 0.88)
      headers['retry-after'] = pick(
        ['1', '-1', 'x', '9'.repeat(30), 'Mon, 01 Jan 2026 00:00:00 GMT'],
        random,
      );
    else if (draw < 0.92)
      headers['date'] = pick(['', 'yesterday', 'Thu, 01 Jan 1970 00:00:00 GMT', '9'.repeat(20)], random);
    else if (draw < 0.95)
      headers['content-encoding'] = pick(['gzip', 'br', 'identity', 'gzip, gzip', 'x'], random);
    else if (draw < 0.97) {
      body = gzipSync(body);
      headers['content-encoding'] = 'gzip';
    } else if (draw < 0.985) headers['location'] = 'http://127.0.0.1:9/elsewhere';
    else isCut = true;
  }
  return { status, headers, body, isCut };
}

/** Puts odd values in the places of sound ones, or takes a name away, wherever in the tree. */
function withOtherValues(body: Buffer, random: Random, text: () => string): Buffer {
  let tree: unknown;
  try {
    tree = JSON.parse(body.toString('utf8'));
  } catch {
    return withOtherBytes(body, random);
  }
  const share = random() < 0.5 ? 0.02 : 0.3;
  const other = (): unknown => (random() < 0.4 ? text() : pick(ODD_VALUES, random));
  const visit = (value: unknown): unknown => {
    if (random() < share / 4) return other();
    if (Array.isArray(value)) return value.map((each) => (random() < share ? other() : visit(each)));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).flatMap(([name, each]): [string, unknown][] => {
      if (random() < share / 3) return [];
      if (random() < share / 6) return [[text(), each]];
      return [[name, random() < share ? other() : visit(each)]];
    });
    return Object.fromEntries(entries);
  };
  return Buffer.from(JSON.stringify(visit(tree)) ?? '');
}

function withOtherBytes(body: Buffer, random: Random): Buffer {
  const bytes = Buffer.from(body);
  const at = Math.floor(random() * (bytes.length + 1));
  const draw = random();
  if (draw < 0.3) return bytes.subarray(0, at);
  if (draw < 0.6) {
    for (let n = 0; n < 8 && bytes.length > 0; n += 1) {
      bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
    }
    return bytes;
  }
  const odd = [
    Buffer.from('\ufeff'),
    Buffer.from('{"__proto__":{"polluted":true}}'),
    Buffer.from('NaN'),
    Buffer.alloc(9, 0xff),
    Buffer.from('['.repeat(5_000)),
  ];
  return Buffer.concat([bytes.subarray(0, at), pick(odd, random), bytes.subarray(at)]);
}

async function readDay(c: Client, pullZoneId: string): Promise<Result<unknown>> {
  const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const opened = await c.logsV1({ pullZoneId, day, order: 'asc', end: 20 }, { retries: 0 });
  if (!opened.ok) return opened;
  let rows = 0;
  for await (const batch of opened.value) {
    if (!batch.ok) return batch;
    rows += batch.value.records.length;
  }
  return { ok: true, value: rows };
}

function searchOf(groupBy: readonly string[]) {
  const to = Math.floor(Date.now() / 60_000) * 60_000;
  return {
    from: to - 600_000,
    to,
    filters: [],
    query: null,
    groupBy,
    page: 0,
    pageSize: 20,
  } as unknown as Parameters<Client['shieldSearch']>[1];
}

/** Whole hours, of which the simulator has counts. */
function lastHours(): { from: number; to: number } {
  const to = Date.now();
  return { from: to - 4 * 3_600_000, to };
}

function lastMinute() {
  const to = Math.floor(Date.now() / 1_000) * 1_000 - 60_000;
  return { from: to - 10_000, to };
}

function pick<T>(list: readonly T[], random: Random): T {
  return list[Math.floor(random() * list.length)] as T;
}
