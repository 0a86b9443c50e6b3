import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogNeed } from '../../src/domain/inquiry/inquiry.ts';
import { startInquiry } from '../../src/effects/inquire.ts';
import { NOON } from '../support/state.ts';

type Pending = { zone: string; from: number; answer: () => Promise<void> };

/** Requests of zones in turns, so many each, and which of them are under way. */
function asking(zones: number, each: number) {
  const needs = Array.from({ length: zones * each }, (_, at): LogNeed => {
    const from = NOON + Math.floor(at / zones);
    return { kind: 'logs', side: 'now', zoneId: `${at % zones}`, range: { from, to: from + 1 }, filter: {} };
  });
  const pending: Pending[] = [];
  const met: string[] = [];
  const { stop } = startInquiry(
    {
      logs: ({ pullZoneId, from }) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        const one: Pending = {
          zone: pullZoneId,
          from,
          async answer() {
            pending.splice(pending.indexOf(one), 1);
            resolve();
            for (let turns = 0; turns < 5; turns++) await null;
          },
        };
        pending.push(one);
        return promise.then(() => ({ ok: true, value: { rows: [], hasMore: false } }) as never);
      },
      shieldSearch: () => Promise.reject(new Error('no Shield is asked')),
      originErrors: () => Promise.reject(new Error('no other evidence is asked')),
      changes: () => Promise.reject(new Error('no other evidence is asked')),
      statistics: () => Promise.reject(new Error('no other evidence is asked')),
    },
    { kind: 'inquiry', key: 'inquiry 1', inquiry: 1, needs },
    (action) => {
      if (action.type === 'needMet' && action.need.kind === 'logs') met.push(action.need.zoneId);
    },
  );
  return { pending, met, stop };
}

const zonesOf = (pending: readonly Pending[]) => pending.map(({ zone }) => zone).sort();

test('one zone is asked three requests at once, several zones side by side', async () => {
  const one = asking(1, 9);
  await null;
  assert.deepEqual(zonesOf(one.pending), ['0', '0', '0']);
  const three = asking(3, 9);
  await null;
  assert.deepEqual(zonesOf(three.pending), ['0', '0', '1', '1', '2', '2']);
  const many = asking(20, 2);
  await null;
  assert.deepEqual(zonesOf(many.pending), ['0', '1', '2', '3', '4', '5']);
});

test('a zone that does not answer holds up no other, and each request is made once', async () => {
  const { pending, met } = asking(3, 4);
  await null;
  for (let at = pending.find(({ zone }) => zone !== '0'); at; at = pending.find(({ zone }) => zone !== '0')) {
    await at.answer();
  }
  assert.deepEqual(met.toSorted(), ['1', '1', '1', '1', '2', '2', '2', '2']);
  assert.deepEqual(zonesOf(pending), ['0', '0']);
  while (pending[0]) await pending[0].answer();
  assert.equal(met.length, 12);
});

test('what is stopped asks no more, and tells nothing', async () => {
  const { pending, met, stop } = asking(2, 4);
  await null;
  const begun = pending.length;
  stop();
  for (const each of [...pending]) await each.answer();
  assert.deepEqual([begun, pending.length, met], [6, 0, []]);
});
