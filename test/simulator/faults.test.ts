import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { FAULTS, type Fault } from '../support/simulator/faults.ts';
import {
  ask,
  type Bench,
  bench,
  type Entry,
  type LogPage,
  logging,
  logsPath,
  main,
  NOON,
  type Reply,
} from './ask.ts';

const RANGE = { from: NOON - 10 * 60_000, to: NOON - 6 * 60_000, order: 'asc', limit: 300 };

function read(sim: Bench, q: Record<string, string | number> = RANGE): Promise<Reply> {
  return logging(sim, logsPath(sim.zone('docs-site'), q));
}

async function page(sim: Bench, q: Record<string, string | number> = RANGE): Promise<LogPage> {
  return JSON.parse((await read(sim, q)).text);
}

/** How a request ends: `200`, or the code of the error. */
async function ending(sim: Bench, deadline?: number): Promise<number | string> {
  const url = sim.loggingUrl + logsPath(sim.zone('docs-site'), RANGE);
  return ask(url, {
    headers: { AccessKey: sim.accessKey },
    ...(deadline === undefined ? {} : { deadline }),
  }).then(
    (reply) => reply.status,
    (error: Error & { code?: string }) => error.code ?? error.message,
  );
}

/** A sound answer, and the same one under the fault. */
async function both(sim: Bench, fault: Fault): Promise<{ sound: LogPage; faulty: LogPage; reply: Reply }> {
  await sim.setFaults([]);
  const sound = await page(sim);
  await sim.setFaults([{ fault }]);
  const reply = await read(sim);
  return { sound, reply, faulty: parsed(reply.text) };
}

function parsed(text: string): LogPage {
  try {
    return JSON.parse(text);
  } catch {
    return { data: [], pagination: { offset: 0, limit: 0, returned: 0, hasMore: false }, query: {} };
  }
}

const roomy = { limit: { requests: 10_000, window: 10_000 } };

test('a fault meets the requests it is for: by number, range, every so many, path, host and method', async (t) => {
  const sim = await bench(t, roomy);
  const zone = sim.zone('docs-site');
  const statuses = async (n: number) => {
    const got: number[] = [];
    for (let i = 0; i < n; i++) got.push((await logging(sim, logsPath(zone, { limit: 1 }))).status);
    return got;
  };
  const bare: Fault = { kind: 'bare', status: 503 };
  await sim.setFaults([{ match: { nth: [2, 4] }, fault: bare }]);
  assert.deepEqual(await statuses(5), [200, 503, 200, 503, 200]);
  await sim.setFaults([{ match: { from: 2, to: 3 }, fault: bare }]);
  assert.deepEqual(await statuses(4), [200, 503, 503, 200]);
  await sim.setFaults([{ match: { every: 2 }, fault: bare }]);
  assert.deepEqual(await statuses(4), [200, 503, 200, 503]);
  await sim.setFaults([{ match: { path: /pullzones\/\d+/ }, fault: bare }]);
  assert.deepEqual(await statuses(1), [503]);
  assert.equal((await main(sim, '/pullzone')).status, 200);
  await sim.setFaults([{ match: { host: 'main', method: 'POST' }, fault: bare }]);
  assert.deepEqual(await statuses(1), [200]);
  assert.equal((await main(sim, '/pullzone')).status, 200);
  assert.equal((await main(sim, '/storagezone/605220', { body: {} })).status, 503);
});

test('refused connections: from now on, or for a while after a request', async (t) => {
  const sim = await bench(t, roomy);
  await sim.setFaults([{ match: { host: 'logging' }, fault: { kind: 'refuse' } }]);
  assert.equal(await ending(sim), 'ECONNREFUSED');
  assert.equal((await main(sim, '/pullzone')).status, 200);
  await sim.setFaults([{ match: { nth: 2 }, fault: { kind: 'refuse', ms: 1000 } }]);
  assert.equal(await ending(sim), 200);
  assert.equal(await ending(sim), 'ECONNRESET');
  assert.equal(await ending(sim), 'ECONNREFUSED');
  while ((await ending(sim)) !== 200);
  await sim.setListening('logging', false);
  assert.equal(await ending(sim), 'ECONNREFUSED');
  await sim.setListening('logging', true);
  assert.equal(await ending(sim), 200);
});

test('hanging, dripping and slow answers outlast a short patience, and the server then goes on', async (t) => {
  const sim = await bench(t, roomy);
  for (const fault of [
    { kind: 'hang' },
    { kind: 'hangBody' },
    { kind: 'headerDrip', ms: 20 },
    { kind: 'bodyDrip', ms: 20 },
    { kind: 'slow', ms: 60_000 },
  ] as const) {
    await sim.setFaults([{ fault }]);
    assert.equal(await ending(sim, 80), 'ABORT_ERR', fault.kind);
    await sim.setFaults([]);
    assert.equal(await ending(sim), 200);
  }
});

test('a drip ends in the whole answer', async (t) => {
  const sim = await bench(t, roomy);
  const path = logsPath(sim.zone('suspended-promo'));
  const sound = await logging(sim, path);
  for (const fault of [
    { kind: 'headerDrip', ms: 0 },
    { kind: 'bodyDrip', ms: 0 },
  ] as const) {
    await sim.setFaults([{ fault }]);
    assert.equal((await logging(sim, path)).text, sound.text, fault.kind);
  }
});

test('resets and truncations break the answer', async (t) => {
  const sim = await bench(t, roomy);
  for (const kind of ['reset', 'resetBody', 'resetAfter', 'truncatedLength', 'truncatedChunked'] as const) {
    await sim.setFaults([{ fault: { kind } }]);
    assert.equal(await ending(sim), 'ECONNRESET', kind);
  }
  const { sound, reply } = await both(sim, { kind: 'truncatedClose' });
  assert.equal(reply.status, 200);
  assert.ok(reply.text.length < JSON.stringify(sound).length);
  assert.throws(() => JSON.parse(reply.text));
});

test('an update may be carried out although the connection breaks', async (t) => {
  const sim = await bench(t);
  const post = () => main(sim, '/storagezone/605220', { body: { Rewrite404To200: true } });
  await sim.setFaults([{ match: { method: 'POST' }, fault: { kind: 'reset' } }]);
  await assert.rejects(post());
  assert.equal(sim.storageZone(605220)?.read.Rewrite404To200, false);
  await sim.setFaults([{ match: { method: 'POST' }, fault: { kind: 'resetAfter' } }]);
  await assert.rejects(post());
  assert.equal(sim.storageZone(605220)?.read.Rewrite404To200, true);
});

test('errors come in the words of the host that is asked', async (t) => {
  const sim = await bench(t, roomy);
  const shield = `/shield/event-logs/${sim.zone('checkout').shieldZoneId}/08-20-2026`;
  await sim.setFaults([{ fault: { kind: 'serverError' } }]);
  assert.equal(JSON.parse((await read(sim)).text).error.code, 'internal_error');
  assert.deepEqual(Object.keys(JSON.parse((await main(sim, '/apikey')).text)), [
    'ErrorKey',
    'Field',
    'Message',
  ]);
  assert.equal(JSON.parse((await main(sim, shield)).text).errorResponse.success, false);
  await sim.setFaults([{ fault: { kind: 'okError' } }]);
  const ok = await main(sim, shield);
  assert.deepEqual([ok.status, JSON.parse(ok.text).errorResponse.success], [200, false]);
  assert.equal((await read(sim)).status, 200);
  for (const [kind, status] of [
    ['unauthorized', 401],
    ['forbidden', 403],
    ['html', 502],
    ['bare', 500],
    ['noContent', 204],
  ] as const) {
    await sim.setFaults([{ fault: { kind } }]);
    assert.equal((await read(sim)).status, status);
  }
  for (const text of ['', 'null', '[]', '{}', '"x"']) {
    await sim.setFaults([{ fault: { kind: 'literal', text } }]);
    assert.equal((await read(sim)).text, text);
  }
  await sim.setFaults([{ fault: { kind: 'wrongType' } }]);
  assert.equal((await read(sim)).headers['content-type'], 'image/png');
});

test('Retry-After comes as seconds, as a date, as nonsense, or not at all', async (t) => {
  const sim = await bench(t, roomy);
  for (const text of ['3', '0', '-1', 'soon', '86400']) {
    await sim.setFaults([{ fault: { kind: 'rateLimited', text } }]);
    const reply = await read(sim);
    assert.deepEqual([reply.status, reply.headers['retry-after']], [429, text]);
  }
  await sim.setFaults([{ fault: { kind: 'rateLimited', ms: 5_000 } }]);
  assert.equal(Date.parse((await read(sim)).headers['retry-after'] ?? ''), NOON + 5_000);
  await sim.setFaults([{ fault: { kind: 'rateLimited' } }]);
  assert.equal((await read(sim)).headers['retry-after'], undefined);
});

test('who follows a redirect is recorded, with or without credentials', async (t) => {
  const sim = await bench(t, roomy);
  await sim.setFaults([{ fault: { kind: 'redirect', status: 307 } }]);
  const reply = await read(sim);
  assert.equal(reply.status, 307);
  const location = reply.headers['location'] ?? '';
  assert.ok(![sim.baseUrl, sim.loggingUrl].includes(new URL(location).origin));
  await ask(location);
  await ask(location, { headers: { AccessKey: 'x' } });
  assert.deepEqual(sim.stats().elsewhere, { requests: 2, withCredentials: 1 });
});

test('compressed answers: sound, double, false and cut', async (t) => {
  const sim = await bench(t, roomy);
  const sound = await read(sim);
  const bytes = async (kind: Fault['kind']) => {
    await sim.setFaults([{ fault: { kind } }]);
    const reply = await read(sim);
    assert.equal(reply.headers['content-encoding'], 'gzip');
    return reply.bytes;
  };
  assert.equal(gunzipSync(await bytes('gzip')).toString(), sound.text);
  assert.equal(gunzipSync(gunzipSync(await bytes('gzipTwice'))).toString(), sound.text);
  const garbage = await bytes('gzipGarbage');
  assert.throws(() => gunzipSync(garbage));
  const cut = await bytes('gzipTruncated');
  assert.throws(() => gunzipSync(cut));
});

test('a bomb is small on the wire, a huge body is not, and both stop when the client does', async (t) => {
  const sim = await bench(t, roomy);
  await sim.setFaults([{ fault: { kind: 'gzipBomb', bytes: 16_777_216 } }]);
  const bomb = await read(sim);
  assert.ok(bomb.bytes.length < 100_000);
  assert.ok(gunzipSync(bomb.bytes).length > 16_000_000);
  await sim.setFaults([{ fault: { kind: 'huge', bytes: 4_000_000 } }]);
  assert.ok((await read(sim)).bytes.length >= 4_000_000);
  await sim.setFaults([{ fault: { kind: 'huge' } }]);
  const url = sim.loggingUrl + logsPath(sim.zone('docs-site'), RANGE);
  const res = await fetch(url, { headers: { AccessKey: sim.accessKey } });
  await res.body?.cancel();
  await sim.setFaults([]);
  assert.equal(await ending(sim), 200);
});

test('odd bytes: mark, broken UTF-8, NaN, twice the same key, deep nesting, __proto__, wide ids and numbers', async (t) => {
  const sim = await bench(t, roomy);
  const get = async (kind: Fault['kind']) => (await both(sim, { kind })).reply;
  assert.deepEqual([...(await get('bom')).bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
  const utf8 = (await get('badUtf8')).bytes;
  assert.throws(() => new TextDecoder('utf-8', { fatal: true }).decode(utf8));
  assert.match((await get('nan')).text, /":NaN/);
  assert.ok((JSON.parse((await get('duplicateKeys')).text) as LogPage).data.length > 0);
  assert.ok((await get('deep')).text.startsWith('['.repeat(50_000)));
  assert.match((await get('proto')).text, /"__proto__":\{"polluted":true\}/);
  assert.match((await get('hugeNumber')).text, /"bytesSent":1e400/);
  const wide = /"pullZoneId":(\d+)/.exec((await get('int64')).text)?.[1] ?? '';
  assert.ok(BigInt(wide) > 2n ** 53n);
  assert.equal((await logging(sim, `/v2/pullzones/${wide}/logs?limit=1`)).status, 200);
});

test('rows drift the same way in every read, the others stay whole', async (t) => {
  const sim = await bench(t, roomy);
  const { sound, faulty } = await both(sim, { kind: 'driftedRows', share: 0.3 });
  assert.deepEqual((await page(sim)).data, faulty.data);
  const whole = faulty.data.filter((row, i) => JSON.stringify(row) === JSON.stringify(sound.data[i]));
  assert.ok(whole.length > 0.5 * sound.data.length && whole.length < 0.9 * sound.data.length);
  const { faulty: bare } = await both(sim, { kind: 'missingField', text: 'requestId' });
  assert.ok(bare.data.every((row) => row.requestId === undefined));
});

test('timestamps come in other forms of the same instant', async (t) => {
  const sim = await bench(t, roomy);
  const { sound } = await both(sim, { kind: 'timestamps' });
  const instant = Date.parse(sound.data[0]?.timestamp ?? '');
  const first = async (text: string) =>
    (await both(sim, { kind: 'timestamps', text })).faulty.data[0]?.timestamp as unknown;
  assert.equal(await first('seconds'), instant / 1000);
  assert.equal(await first('ms'), instant);
  assert.equal(Date.parse(String(await first('offset'))), instant);
  assert.match(String(await first('offset')), /\+00:00$/);
  assert.match(String(await first('micros')), /\.\d{6}Z$/);
  assert.ok(Number.isNaN(Date.parse(String(await first('garbage')))));
});

test('a coarse clock puts many rows into one instant, and intervals still partition them', async (t) => {
  const sim = await bench(t, roomy);
  const all = (await page(sim, { ...RANGE, limit: 10_000 })).data.map((row) => row.requestId);
  await sim.setFaults([{ fault: [{ kind: 'coarse', ms: 20_000 }, { kind: 'shuffledTies' }] }]);
  const parts: Entry[] = [];
  for (let from = RANGE.from; from < RANGE.to; from += 7_000) {
    parts.push(
      ...(await page(sim, { ...RANGE, from, to: Math.min(from + 7_000, RANGE.to), limit: 10_000 })).data,
    );
  }
  assert.deepEqual(parts.map((row) => row.requestId).sort(), all.sort());
  assert.ok(new Set(parts.map((row) => row.timestamp)).size <= 12);
  const again = await page(sim, { ...RANGE, limit: 10_000 });
  const once = await page(sim, { ...RANGE, limit: 10_000 });
  assert.notDeepEqual(again.data, once.data);
  await sim.setFaults([{ fault: { kind: 'limitCap', count: 3 } }]);
  const capped = await page(sim);
  assert.deepEqual([capped.data.length, capped.pagination.hasMore], [3, true]);
});

test('rows without ids have twins that are alike in every byte', async (t) => {
  const sim = await bench(t, roomy);
  const { sound, faulty } = await both(sim, { kind: 'twins', share: 0.2 });
  assert.ok(faulty.data.length > sound.data.length);
  assert.ok(faulty.data.every((row) => row.requestId === undefined));
  assert.equal(new Set(faulty.data.map((row) => JSON.stringify(row))).size, sound.data.length);
});

test('promises of more: no rows, or the token that was sent', async (t) => {
  const sim = await bench(t, roomy);
  const { faulty } = await both(sim, { kind: 'emptyWithMore' });
  assert.deepEqual([faulty.data, faulty.pagination.hasMore], [[], true]);
  const day = `/shield/event-logs/${sim.zone('checkout').shieldZoneId}/08-19-2026`;
  await sim.setFaults([{ fault: { kind: 'repeatedToken' } }]);
  const first = JSON.parse((await main(sim, day)).text);
  const second = JSON.parse((await main(sim, `${day}/${encodeURIComponent(first.continuationToken)}`)).text);
  assert.deepEqual([second.continuationToken, second.hasMoreData], [first.continuationToken, true]);
  await sim.setFaults([{ fault: { kind: 'emptyWithMore' } }]);
  const empty = JSON.parse((await main(sim, day)).text);
  assert.deepEqual([empty.logs, empty.hasMoreData], [[], true]);
});

test('a lagging replica lacks the newest rows, and others at random; very late rows come in the end', async (t) => {
  const sim = await bench(t, roomy);
  const zone = sim.zone('shop-frontend');
  const q = { from: NOON - 120_000, to: NOON, limit: 10_000, urlContains: 'images' };
  const ids = async () => (JSON.parse((await logging(sim, logsPath(zone, q))).text) as LogPage).data;
  const sound = await ids();
  await sim.setFaults([{ fault: { kind: 'laggingReplica', ms: 60_000, share: 0.3 } }]);
  const [one, two] = [await ids(), await ids()];
  assert.ok(one.length < 0.5 * sound.length);
  assert.ok(one.every((row) => Date.parse(row.timestamp) <= NOON - 60_000));
  assert.notDeepEqual(one, two);
  await sim.setFaults([{ fault: { kind: 'lateRows', share: 0.2, ms: 420_000 } }]);
  const lacking = await ids();
  assert.ok(lacking.length < sound.length);
  assert.deepEqual(await ids(), lacking);
  sim.advance(700_000);
  assert.ok((await ids()).length >= sound.length);
});

test('the server clock is off: all of it, or the Date header, or there is none', async (t) => {
  const sim = await bench(t, roomy);
  const date = async () => (await read(sim, { limit: 1 })).headers['date'];
  await sim.setFaults([{ fault: { kind: 'clockShift', ms: -600_000 } }]);
  assert.equal(Date.parse((await date()) ?? ''), NOON - 600_000);
  assert.ok((await page(sim, { limit: 5 })).data.every((row) => Date.parse(row.timestamp) <= NOON - 600_000));
  await sim.setFaults([{ fault: { kind: 'dateShift', ms: 600_000 } }]);
  assert.equal(Date.parse((await date()) ?? ''), NOON + 600_000);
  await sim.setFaults([{ fault: { kind: 'noDate' } }]);
  assert.equal(await date(), undefined);
});

test('the table covers F01 to F28, as far as a server can', () => {
  const covered = new Set(Object.values(FAULTS).flatMap((row) => row.covers.match(/F\d\d/g) ?? []));
  const missing = Array.from({ length: 28 }, (_, i) => `F${String(i + 1).padStart(2, '0')}`).filter(
    (id) => !covered.has(id),
  );
  assert.deepEqual(
    missing,
    ['F26', 'F27'],
    'capacity is the option `surges`, four days asleep the option `clock`',
  );
});
