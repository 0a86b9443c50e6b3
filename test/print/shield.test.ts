import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Client } from '../../src/api/client.ts';
import { failureOf } from '../../src/domain/failure.ts';
import type { ShieldSearchRequest } from '../../src/domain/shield/shield.ts';
import type { Printer } from '../../src/print/printer.ts';
import { eventWith } from '../support/rows.ts';
import { groupOf } from '../support/shield.ts';
import { bench, objectsOf, ZONE } from './support.ts';

const TOTAL = 20_750;

/** A Shield of so many groups or events; `closeAt`: the page at which the client is closed by an interrupt. */
function clientOf(o: { closeAt?: number } = {}): { client: Client; onEnd: Printer['onEnd'] } {
  const callbacks: ((code: number) => void)[] = [];
  const client: Pick<Client, 'shieldSearch' | 'mainQuota' | 'serverTime'> = {
    mainQuota: () => ({ used: 29, cap: 30, isSpent: true, frozenUntil: null, degraded: false }),
    serverTime: () => ({ dates: [], rows: null, wall: 0 }),
    async shieldSearch(_id, { page, pageSize, groupBy }) {
      if (page === o.closeAt) {
        for (const callback of callbacks) callback(130);
        return { ok: false, failure: failureOf('cancelled') };
      }
      const ids = Array.from(
        { length: Math.min(pageSize, TOTAL - page * pageSize) },
        (_, i) => page * pageSize + i,
      );
      return {
        ok: true,
        value: {
          events: groupBy.length > 0 ? [] : ids.map((n) => eventWith({ logId: String(n), timestamp: n })),
          groups:
            groupBy.length > 0
              ? ids.map((n) => groupOf({ ip: `198.18.${n >> 8}.${n & 255}` }, TOTAL - n))
              : [],
          kind: groupBy.length > 0 ? 'groups' : 'rows',
          bad: 0,
          total: TOTAL,
          totalPages: Math.ceil(TOTAL / pageSize),
          page,
        },
      };
    },
  };
  return { client: client as Client, onEnd: (callback) => void callbacks.push(callback) };
}

test('all groups are printed, however many, and so are all rows', async () => {
  const { printed } = bench();
  const groups = await printed(['shield', 'shield:5', 'by:ip'], clientOf());
  assert.deepEqual([groups.code, groups.err], [0, '']);
  assert.equal(objectsOf(groups.out).length, TOTAL);
  const rows = await printed(['shield', 'shield:5'], clientOf());
  assert.equal(objectsOf(rows.out).length, TOTAL);
});

test('pages show how far they have come and what is waited for, where somebody watches', async () => {
  const { printed } = bench();
  for (const [query, what] of [
    ['by:ip', 'groups'],
    ['last:1h', 'rows'],
  ] as const) {
    const { err } = await printed(['shield', 'shield:5', query], { ...clientOf(), isWatched: true });
    assert.match(
      err,
      new RegExp(`^\\r500 of 20,750 ${what}, .*/s, .* left, 1 request, waiting for the quota`),
    );
    assert.match(err, /\r +\r$/);
  }
});

test('a window of all that is kept is read from a minute inside, which is said, as is what fell out on the way', async () => {
  const { printed } = bench();
  const { client, onEnd } = clientOf();
  const asked: ShieldSearchRequest[] = [];
  const late = { from: 0, to: Date.UTC(2026, 10, 19, 2, 15, 20) };
  const shieldSearch: Client['shieldSearch'] = async (id, request) => {
    asked.push(request);
    const answer = await client.shieldSearch(id, request);
    return answer.ok && request.page === 3 ? { ok: true, value: { ...answer.value, gone: late } } : answer;
  };
  const { code, err } = await printed(['shield', 'shield:5', 'last:3d'], {
    client: { ...client, shieldSearch },
    onEnd,
  });
  assert.equal(code, 0);
  const from = new Date(asked[0]?.from ?? 0).toISOString().slice(0, 19);
  const since = new Date((asked[0]?.from ?? 0) - 60_000).toISOString().slice(0, 19);
  assert.equal(
    err,
    `edgescope: read from ${from}Z on (kept since ${since}Z): Shield events are kept for 72 h\n` +
      'edgescope: in the end read from 2026-11-19T02:15:20Z on (kept since 2026-11-19T02:14:20Z): Shield events are kept for 72 h\n',
  );
});

test('what an interrupt left out is said', async () => {
  const { printed } = bench();
  const rows = await printed(['shield', 'shield:5'], clientOf({ closeAt: 3 }));
  assert.deepEqual([rows.code, objectsOf(rows.out).length], [130, 1500]);
  assert.match(rows.err, /interrupted; 1,500 rows are printed/);
  const groups = await printed(['shield', 'shield:5', 'by:ip'], clientOf({ closeAt: 3 }));
  assert.deepEqual([groups.code, groups.out], [130, '']);
  assert.match(groups.err, /interrupted; groups are printed when all are read/);
});

test('events of another time are left out, and the answer is not whole', async () => {
  const { sim, printed } = bench();
  const args = ['shield', ZONE, 'last:10m', '--limit', '400'];
  const own = await printed(args);
  await sim.setFaults([{ match: { path: '/shield/event-logs' }, fault: { kind: 'strayRows' } }]);
  const answers: boolean[] = [];
  const { code, out, requests } = await printed(args, {
    covered: ({ isWhole }) => void answers.push(isWhole),
  });
  assert.ok(own.out.length > 0);
  assert.deepEqual(
    objectsOf(out).map((event) => event['logId']),
    objectsOf(own.out).map((event) => event['logId']),
  );
  assert.deepEqual([own.code, code, answers], [0, 1, [false]]);
  assert.deepEqual(
    requests.flatMap(({ strays }) => strays ?? []),
    [{ outside: 3, ofOthers: 0 }],
  );
});

test('groups of another time are left out, and the answer is not whole', async () => {
  const { sim, printed } = bench();
  const args = ['shield', ZONE, 'last:10m', 'by:rule'];
  const own = await printed(args);
  await sim.setFaults([{ match: { path: '/shield/event-logs' }, fault: { kind: 'strayRows' } }]);
  const answers: boolean[] = [];
  const { code, out } = await printed(args, { covered: ({ isWhole }) => void answers.push(isWhole) });
  const counts = (text: string) => objectsOf(text).map(({ key, count }) => [key, count]);
  assert.ok(own.out.length > 0);
  assert.deepEqual(counts(out), counts(own.out));
  assert.deepEqual([own.code, code, answers], [0, 1, [false]]);
});
