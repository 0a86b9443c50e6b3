import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, type TestContext, test } from 'node:test';
import { Rng } from '../../src/simulator/random.ts';
import type { StoreFailure } from '../../src/store/engines/store-failure.ts';
import { loadRows, rowsThere, untilDone } from '../../src/store/load.ts';
import { note, notesOf, underMark } from '../../src/store/noted-coverage.ts';
import { KEY } from '../../src/store/sql/columns.ts';
import type { ArrivingRows } from '../../src/store/sql/stored-columns.ts';
import { systemClock } from '../../src/time/clock.ts';
import { arriving, rowsOf, storedColumns } from '../support/stored.ts';
import { clickhouse, makeTables, startClickhouse, temporaryFolder } from './engines.ts';
import { randomRows, SPAN, ZONES } from './random-rows.ts';

const BATCH = 100;
const NOTES = 20;
const rows = randomRows(new Rng(9), 2_000).filter(({ requestId }) => requestId !== null);
const stored = rowsOf(storedColumns(rows));
/** Copies of a row are one. */
const KEYS = new Set(stored.map((row) => JSON.stringify(KEY.map((name) => row[name])))).size;

const folder = temporaryFolder();
after(folder.remove);

type Sent = { url: string; headers: IncomingHttpHeaders; body: Buffer };
type Answer = { status: number; headers: [string, string][]; body: Buffer };

/** What a proxy does with a write: it sends what it likes, and answers what it likes. */
type Way = (
  sent: Sent,
  server: (sent: Sent) => Promise<Answer>,
  response: ServerResponse,
) => Promise<unknown>;

function answered(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, headers.flat());
  response.end(body);
}

function loginPage(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'text/html' });
  response.end('<form action="/login">Who are you?</form>');
}

/** Half of what is sent: of notes, which are lines, cut where one ends. */
function half(sent: Sent): Sent {
  const middle = Math.floor(sent.body.length / 2);
  const isLines = sent.url.includes('JSONCompactEachRow');
  return { ...sent, body: sent.body.subarray(0, isLines ? sent.body.indexOf('\n', middle) + 1 : middle) };
}

function ways(): Record<string, Way> {
  let before: Answer | null = null;
  let held: (() => Promise<unknown>) | null = null;
  return {
    'hands it on': async (sent, server, response) => {
      before = await server(sent);
      answered(response, before);
    },
    'answers with a login page': async (_sent, _server, response) => loginPage(response),
    'hands it on, and answers with a login page': async (sent, server, response) => {
      await server(sent);
      loginPage(response);
    },
    'hands half of it on': async (sent, server, response) => answered(response, await server(half(sent))),
    'cuts the answer off': async (sent, server, response) => {
      await server(sent);
      response.writeHead(200, { 'Content-Length': '9' });
      response.write('1');
      response.destroy();
    },
    'hands it on twice': async (sent, server, response) => {
      await server(sent);
      answered(response, await server(sent));
    },
    'answers with what the server said before': async (_sent, _server, response) =>
      before === null ? loginPage(response) : answered(response, before),
    'holds it back, and hands it on behind a later one': async (sent, server, response) => {
      const late = held;
      held = () => server(sent);
      await late?.();
      loginPage(response);
    },
  };
}

/** A ClickHouse, and a proxy before it that treats reads well, and writes in the ways that it is told. */
async function behindProxy(t: TestContext, path: string, way: () => Way) {
  const server = await startClickhouse(`${folder.path}/${path}`);
  t.after(() => server.stop());
  const direct = clickhouse(server.url);
  t.after(direct.close);
  await makeTables(direct);
  const toServer = async ({ url, headers, body }: Sent): Promise<Answer> => {
    const { connection: _, host: __, 'transfer-encoding': ___, 'content-length': ____, ...kept } = headers;
    const answer = await fetch(`${server.url}${url}`, {
      method: 'POST',
      headers: kept as Record<string, string>,
      body: new Uint8Array(body),
    });
    const said = [...answer.headers].filter(([name]) => name.startsWith('x-clickhouse'));
    return { status: answer.status, headers: said, body: Buffer.from(await answer.arrayBuffer()) };
  };
  const proxy = createServer(async (request, response) => {
    const sent: Sent = {
      url: request.url ?? '/',
      headers: request.headers,
      body: Buffer.concat(await request.toArray()),
    };
    const isWrite = /INSERT\b/.test(`${decodeURIComponent(sent.url.replaceAll('+', ' '))} ${sent.body}`);
    if (isWrite) await way()(sent, toServer, response);
    else answered(response, await toServer(sent));
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const engine = clickhouse(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
  t.after(engine.close);
  return { engine, direct };
}

/** Loads all rows and notes their time, in pieces; what a write failed with, by kinds. */
async function load(engine: ReturnType<typeof clickhouse>): Promise<Map<string, number>> {
  const kinds = new Map<string, number>();
  const how = {
    clock: { ...systemClock, sleep: async () => {} },
    signal: new AbortController().signal,
    onWait({ kind }: StoreFailure) {
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    },
    onStored() {},
    batch: BATCH,
  };
  async function* parts(): AsyncGenerator<ArrivingRows> {
    yield arriving(rows);
  }
  await loadRows(engine, parts(), how);
  const step = (SPAN.to - SPAN.from) / NOTES;
  for (let at = 0; at < NOTES; at++) {
    const from = SPAN.from + Math.floor(at * step);
    const told = { zone: '11', from, to: from + 1_000, state: 'read' as const, missing: null };
    await untilDone(() => note(engine, underMark([told, { ...told, zone: '12' }], at)), how);
  }
  return kinds;
}

async function assertWhole(direct: ReturnType<typeof clickhouse>, words: string): Promise<void> {
  const { signal } = new AbortController();
  const all = { from: SPAN.from, to: SPAN.to };
  const zones = [...new Set(stored.map(({ pullZoneId }) => pullZoneId))];
  assert.ok(zones.every((zone) => zone in ZONES));
  assert.equal(await rowsThere(direct, zones, all, signal), KEYS, words);
  assert.equal((await notesOf(direct, ['11', '12'], all)).length, 2 * NOTES, words);
}

for (const words of Object.keys(ways()).filter((each) => each !== 'hands it on'))
  test(`every row and note is there, once, behind a proxy that now and then ${words}`, async (t) => {
    const all = ways();
    let writes = 0;
    const { engine, direct } = await behindProxy(t, words, () => {
      const name = ++writes % 3 === 0 ? words : 'hands it on';
      return all[name] as Way;
    });
    const kinds = await load(engine);
    await assertWhole(direct, words);
    const isHarmless = words === 'hands it on twice';
    assert.equal(kinds.size === 0, isHarmless, JSON.stringify([...kinds]));
  });

test('every row and note is there, once, behind a proxy that does any of it to half of the writes', async (t) => {
  const rng = new Rng(4);
  const all = Object.values(ways());
  const { engine, direct } = await behindProxy(t, 'any', () => {
    const [good] = all;
    return rng.chance(0.5) ? (good as Way) : rng.pick(all);
  });
  const kinds = await load(engine);
  await assertWhole(direct, 'any');
  assert.ok((kinds.get('unsure') ?? 0) > 5, JSON.stringify([...kinds]));
});
