import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient } from '../../src/api/client.ts';
import type { HttpRequest, Transport } from '../../src/api/http/transport.ts';
import { createQuota, hostLane } from '../../src/api/quota/quota.ts';
import { failureOf } from '../../src/domain/failure.ts';
import { LOG_RETENTION } from '../../src/domain/log-retention.ts';
import type { RequestEvent } from '../../src/domain/request-event.ts';
import { Secret } from '../../src/text/secret.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { logPage } from './support.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

/**
 * A client in virtual time of a server that refuses what is older than is kept by its own clock, which is `ahead` of
 * ours by so many ms. `slow`: so many first requests get no answer for 20 s; `stray`: the Date of that answer is a day ahead.
 */
function keeping(o: { slow?: number; ahead?: number; stray?: number } = {}) {
  const clock = new VirtualClock();
  const asked: { from: number; to: number; buckets?: number; isKept: boolean }[] = [];
  const events: RequestEvent[] = [];
  // Ten times as long as the real one: what waits for it waits for more than a minute.
  const quota = createQuota({ clock, factor: 10 });
  let slow = o.slow ?? 0;

  async function send(request: HttpRequest): ReturnType<Transport['send']> {
    const host = 'api.example.com';
    const sentAt = clock.now();
    const range = rangeOf(request);
    const now = sentAt + (o.ahead ?? 0);
    const isKept = range.from >= now - LOG_RETENTION.logs;
    asked.push({ ...range, isKept });
    if (slow-- > 0) {
      await clock.sleep(20_000);
      return { ok: false, failure: failureOf('timeout', { host }) };
    }
    const rows = { rows: [], groups: null, total: 0, totalPages: 0, page: 0, errorResponse: null };
    const body = isKept ? (request.method === 'GET' ? logPage([]) : rows) : { title: 'too old' };
    const headers = {
      'content-type': 'application/json',
      date: new Date(now + (asked.length === o.stray ? DAY : 0)).toUTCString(),
    };
    const bytes = Buffer.from(JSON.stringify(body));
    const [status, receivedAt] = [isKept ? 200 : 400, clock.now()];
    return {
      ok: true,
      value: { host, status, headers, bytes, sentAt, receivedAt, scrub: (text: string) => text },
    };
  }

  const client = createClient({
    baseUrl: 'http://127.0.0.1:1',
    loggingUrl: 'http://127.0.0.1:1',
    credentials: { accessKey: new Secret('a-key-of-nobody'), token: null },
    allowWrites: false,
    quota,
    clock,
    random: () => 0.5,
    onRequest: (event) => events.push(event),
    over: (transport) => ({ ...transport, send }),
  });
  return { clock, client, quota, asked, events };
}

function rangeOf(request: HttpRequest): { from: number; to: number; buckets?: number } {
  if (request.method !== 'GET') return request.body as { from: number; to: number; buckets?: number };
  const query = new URLSearchParams(request.path.split('?')[1]);
  return { from: Date.parse(query.get('from') ?? ''), to: Date.parse(query.get('to') ?? '') };
}

/** The window of `last:3d`, taken a minute inside of what is kept. */
function wholeWindow(clock: VirtualClock) {
  const to = clock.now();
  return { from: to - 3 * DAY + MINUTE, to };
}

const LOGS = { pullZoneId: '77', order: 'asc', limit: 100, filter: {} } as const;
const SEARCH = { query: null, filters: [], groupBy: [], page: 0, pageSize: 500 } as const;

test('each try of a read begins where the log is still kept by then, and the answer tells what fell out', async () => {
  const { clock, client, asked, events } = keeping({ slow: 3 });
  const range = wholeWindow(clock);
  const answer = client.logs({ ...LOGS, ...range });
  await clock.advance(5 * MINUTE);
  const read = await answer;
  assert.ok(read.ok);
  assert.deepEqual(
    asked.map(({ isKept, to }) => [isKept, to]),
    Array.from({ length: 4 }, () => [true, range.to]),
  );
  assert.equal(asked[0]?.from, range.from);
  const last = asked.at(-1)?.from ?? 0;
  assert.ok(last > range.from + MINUTE, `${last - range.from}`);
  assert.deepEqual(read.value.gone, { from: range.from, to: last });
  const shown = events.findLast(({ phase }) => phase === 'sent')?.path ?? '';
  assert.equal(new URLSearchParams(shown.split('?')[1]).get('from'), new Date(last).toISOString());
});

test('a search that waited for its turn begins where events are still kept by then', async () => {
  const { clock, client, quota, asked } = keeping();
  const range = wholeWindow(clock);
  const lane = hostLane('http://127.0.0.1:1');
  while (!quota.snapshot(lane).isSpent) (await quota.acquire(lane, 'user')).release('answered');
  const answer = client.shieldSearch('5', { ...SEARCH, ...range });
  await clock.advance(3 * MINUTE);
  const read = await answer;
  assert.ok(read.ok);
  assert.deepEqual(read.value.gone, { from: range.from, to: asked[0]?.from });
  assert.ok((asked[0]?.from ?? 0) > range.from + MINUTE);
});

test('a search that counts steps loses whole ones of them while it waits', async () => {
  const { clock, client, quota, asked } = keeping();
  const step = 2 * MINUTE;
  const to = clock.now();
  const range = { from: to - 3 * DAY + MINUTE, to: to - 3 * DAY + MINUTE + 400 * step };
  const lane = hostLane('http://127.0.0.1:1');
  while (!quota.snapshot(lane).isSpent) (await quota.acquire(lane, 'user')).release('answered');
  const answer = client.shieldSearch('5', { ...SEARCH, ...range, groupBy: ['action'], buckets: 400 });
  await clock.advance(3 * MINUTE);
  const read = await answer;
  assert.ok(read.ok);
  const [sent] = asked;
  assert.ok(sent);
  const lost = 400 - (sent.buckets ?? 0);
  assert.deepEqual([sent.from, sent.to], [range.from + lost * step, range.to]);
  const { gone } = read.value;
  assert.ok(gone && lost > 0 && gone.to <= sent.from && sent.from < gone.to + step, `${lost} steps are lost`);
  const plain = client.shieldSearch('5', { ...SEARCH, from: to - MINUTE, to });
  await clock.advance(3 * MINUTE);
  assert.ok((await plain).ok);
  assert.deepEqual(Object.keys(asked.at(-1) ?? {}).includes('buckets'), false);
});

test('what is kept is counted by the clock of the server, once it has told it', async () => {
  const { clock, client, asked } = keeping({ ahead: 10 * MINUTE });
  const first = client.shieldSearch('5', { ...SEARCH, ...wholeWindow(clock) });
  await clock.advance(1_000);
  assert.equal((await first).ok, false);
  const again = client.shieldSearch('5', { ...SEARCH, ...wholeWindow(clock) });
  await clock.advance(1_000);
  const read = await again;
  assert.ok(read.ok);
  assert.deepEqual(
    asked.map(({ isKept }) => isKept),
    [false, true],
  );
  const cut = (read.value.gone?.to ?? 0) - (read.value.gone?.from ?? 0);
  assert.ok(Math.abs(cut - 10 * MINUTE) <= 1_000, `${cut}`);
});

test('one Date of another day takes nothing away of what is kept', async () => {
  const { clock, client, asked } = keeping({ stray: 3 });
  const range = wholeWindow(clock);
  for (let n = 0; n < 4; n += 1) {
    const answer = client.logs({ ...LOGS, ...range, limit: 100 + n });
    await clock.advance(1_000);
    const read = await answer;
    assert.deepEqual(read.ok && read.value.gone, undefined, `${n}`);
  }
  assert.equal(asked.length, 4);
});

test('a window that is gone as a whole is asked for as it is: the server says so', async () => {
  const { clock, client, asked } = keeping();
  const to = clock.now() - 3 * DAY - MINUTE;
  const answer = client.logs({ ...LOGS, from: to - MINUTE, to });
  await clock.advance(1_000);
  const read = await answer;
  assert.equal(read.ok ? '' : read.failure.kind, 'invalidRequest');
  assert.deepEqual(asked, [{ from: to - MINUTE, to, isKept: false }]);
});
