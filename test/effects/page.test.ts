import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogSliceRequest } from '../../src/api/client.ts';
import { type FailureKind, failureOf } from '../../src/domain/failure.ts';
import type { LogReport } from '../../src/domain/logs/paged-log.ts';
import { UNKNOWN_SERVER_TIME } from '../../src/domain/tail/server-time.ts';
import { startPage } from '../../src/effects/run.ts';
import type { Subscription } from '../../src/state/messages.ts';
import { recordOf, zoneOf } from '../support/state.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const HOUR = 3_600_000;

test('of the platform an hour is asked for first, more where there are few rows, and less where that is slow', async () => {
  const clock = new VirtualClock();
  const to = clock.now();
  const window = { from: to - 120 * HOUR, to };
  const asked: LogSliceRequest[] = [];
  let before: LogReport | null = null;
  const page = async (answered: number | FailureKind): Promise<void> => {
    const client = {
      serverTime: () => UNKNOWN_SERVER_TIME,
      async logs(r: LogSliceRequest) {
        asked.push(r);
        if (typeof answered === 'string') return { ok: false as const, failure: failureOf(answered) };
        const rows = Array.from({ length: answered }, (_, n) => recordOf(n, { timestamp: r.to - 1 - n }));
        const times = { serverNow: null, sentAt: to, receivedAt: to };
        return { ok: true as const, value: { rows, hasMore: answered === r.limit, ...times } };
      },
    };
    const told = Promise.withResolvers<LogReport>();
    const want = {
      zone: zoneOf('1', 'shop'),
      filter: {},
      terms: [],
      window,
      before,
      rows: 500,
      generation: 1,
    };
    startPage(
      { client, clock },
      { kind: 'page', key: '', ...want } as Extract<Subscription, { kind: 'page' }>,
      (action) => {
        if (action.type === 'tailRead') told.resolve(action.event.report);
      },
    );
    before = await told.promise;
  };
  const hours = () => asked.map(({ from, to }) => (to - from) / HOUR);
  await page(1);
  await page(1);
  await page(400);
  assert.deepEqual(hours(), [1, 8, 24]);
  await page('timeout');
  const slow = before as LogReport | null;
  assert.deepEqual([slow?.failure, slow?.paging?.pages, slow?.status], [null, 4, 'live']);
  await page(500);
  assert.deepEqual(hours().slice(3), [24, 6]);
  const full = before as LogReport | null;
  assert.ok(full?.paging && full.paging.to > to - 34 * HOUR, 'only what a full page reached is read');
  await page('storeSlow');
  assert.ok((before as LogReport | null)?.failure);
});
