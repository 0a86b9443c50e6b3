import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { type Client, createClient } from '../../src/api/client.ts';
import { createQuota } from '../../src/api/quota/quota.ts';
import type { EndpointId } from '../../src/simulator/http/router.ts';
import { Secret } from '../../src/text/secret.ts';
import { type AnswerRow, type Asked, CONTRACT, type Ids, type StatusRow } from '../api/contract.ts';
import { type Fields, problemsOf, type Shape } from '../api/contract-shapes.ts';
import type { SimRequest } from '../support/simulator/stats.ts';
import { ask, type Bench, bench, NOON } from './ask.ts';

const ROWS = Object.entries<AnswerRow>(CONTRACT);
const LOG_STORAGE = 605272;
const ROOMY = { requests: 10_000, window: 1_000 };

function idsOf(sim: Bench): Ids {
  const zone = sim.zone('game-patches');
  return {
    pullZone: String(zone.id),
    failing: String(sim.zone('checkout').id),
    quiet: String(sim.zone('staging-shop').id),
    withoutShield: String(sim.zone('downloads').id),
    withoutLogs: String(sim.zone('legacy-no-logs').id),
    suspended: String(sim.zone('suspended-promo').id),
    shieldZone: String(zone.shieldZoneId),
    storageZone: '605220',
    archived: String(sim.zone('checkout').id),
    logStorage: String(LOG_STORAGE),
    store: {
      name: 'backups-cold',
      hostname: 'se.storage.example',
      password: new Secret(sim.storageZone(LOG_STORAGE)?.read.ReadOnlyPassword ?? ''),
    },
    month: ['pullzone-logs', 'checkout', '2026', '08'],
    part: '18_104-0-2122a21c.gzip',
    day: '2026-08-19',
    shieldDay: '08-19-2026',
    logDay: '08-19-26',
    from: NOON - 6 * 3_600_000,
    to: NOON,
  };
}

const HOSTS_OF: Partial<Record<EndpointId, 'loggingUrl' | 'originErrorsUrl' | 'storageUrl'>> = {
  logs: 'loggingUrl',
  logsV1: 'loggingUrl',
  originErrors: 'originErrorsUrl',
  storedFiles: 'storageUrl',
  storedFile: 'storageUrl',
};

function sent(sim: Bench, row: AnswerRow, { path, method, body, key }: Asked) {
  const host = HOSTS_OF[row.endpoint] ?? 'baseUrl';
  const password = sim.storageZone(LOG_STORAGE)?.read.ReadOnlyPassword ?? '';
  const headers: Record<string, string> =
    key === 'none' ? {} : { AccessKey: host === 'storageUrl' ? password : sim.accessKey };
  return ask(sim[host] + path, { headers, ...(method === undefined ? {} : { method, body }) });
}

const parsed = (shape: Shape, text: string): unknown => (shape.of === 'lines' ? text : JSON.parse(text));

async function check(sim: Bench, row: AnswerRow, { status, body, asked }: StatusRow): Promise<unknown> {
  if (asked === null) return undefined;
  const request = asked(idsOf(sim));
  const reply = await sent(sim, row, request);
  assert.equal(reply.status, status, `${request.path}: ${reply.text.slice(0, 200)}`);
  if (body === null) {
    assert.equal(reply.text, '', request.path);
    return undefined;
  }
  const value = parsed(body, reply.text);
  assert.deepEqual(problemsOf(body, value).slice(0, 5), [], request.path);
  return value;
}

for (const [name, row] of ROWS)
  test(`the answers of the simulator about ${name} are as the table has them`, async (t) => {
    const sim = await bench(t, { rate: 5, limit: ROOMY });
    for (const status of row.statuses) {
      const value = await check(sim, row, status);
      // Every field of the table is in an answer somewhere, so that no row of it describes nothing.
      if (status.means !== null || status.body === null || value === undefined) continue;
      assert.deepEqual(neverSeen(status.body, [value]), []);
    }
  });

/** Fields of a shape that are in none of the values. */
function neverSeen(shape: Shape, values: readonly unknown[], path = ''): string[] {
  const items = () => values.flatMap((value) => (Array.isArray(value) ? value : []));
  if (shape.of === 'list') return neverSeen(shape.item, items(), `${path}[]`);
  if (shape.of !== 'object') return [];
  return Object.entries(shape.fields satisfies Fields).flatMap(([name, { shape: inner }]) => {
    const parts = values.flatMap((value) => {
      const part = (value as Record<string, unknown> | null)?.[name];
      return part === undefined ? [] : [part];
    });
    if (parts.length === 0) return [`${path}.${name}`];
    const there = parts.filter((part) => part !== null);
    return there.length === 0 ? [] : neverSeen(inner, there, `${path}.${name}`);
  });
}

function clientOf(
  t: TestContext,
  { baseUrl, loggingUrl, originErrorsUrl, storageUrl, accessKey }: Bench,
): Client {
  const client = createClient({
    baseUrl,
    loggingUrl,
    originErrorsUrl,
    storageUrl,
    credentials: { accessKey: new Secret(accessKey), token: null },
    allowWrites: true,
    quota: createQuota({ factor: 0.000_1 }),
  });
  t.after(() => client.close());
  return client;
}

test('each call of the client goes to the endpoint that its row names', async (t) => {
  const requests: SimRequest[] = [];
  const sim = await bench(t, { rate: 5, limit: ROOMY, onRequest: (request) => requests.push(request) });
  const client = clientOf(t, sim);
  for (const [name, row] of ROWS) {
    const result = await row.ask?.(client, idsOf(sim));
    if (result === undefined) continue;
    assert.ok(result.ok, `${name}: ${JSON.stringify(result)}`);
    assert.equal(requests.at(-1)?.endpoint, row.endpoint, name);
  }
});

test('what older servers answer instead loses no row either', async (t) => {
  const sim = await bench(t, { rate: 5, limit: ROOMY });
  const client = clientOf(t, sim);
  const ids = idsOf(sim);
  const printed = async () => {
    const all: Record<string, unknown> = {};
    for (const [name, row] of ROWS) {
      const result = await row.ask?.(client, ids);
      if (result === undefined) continue;
      assert.ok(result.ok, `${name}: ${JSON.stringify(result)}`);
      const { rows, unread } = row.told(result.value as never);
      all[name] = { count: rows.length, hash: hash('sha1', JSON.stringify(rows)), unread };
    }
    const without = await client.shieldZoneOfPullZone(ids.withoutShield);
    return { ...all, without };
  };
  // The first of them changes a storage zone.
  await printed();
  const today = await printed();
  assert.deepEqual(today.without, { ok: true, value: null });
  for (const kind of [
    'enumWords',
    'pagedWithoutPage',
    'ascendingDay',
    'shieldNotFound',
    'emptyLists',
    'errorResponse',
  ] as const) {
    await sim.setFaults([{ fault: { kind } }]);
    assert.deepEqual(await printed(), today, kind);
  }
  await sim.setFaults([{ fault: { kind: 'errorResponse', text: 'null' } }]);
  assert.deepEqual(await printed(), today);
});
