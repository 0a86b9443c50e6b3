import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequestEvent } from '../../src/domain/request-event.ts';
import type { State } from '../../src/state/model.ts';
import { listedState, played, zoneOf } from '../support/state.ts';

const asked = (id: number, more: Partial<RequestEvent> = {}): RequestEvent => ({
  id,
  at: 0,
  method: 'GET',
  host: 'api.example.com',
  path: '/x',
  phase: 'waiting',
  wait: null,
  status: null,
  waited: 0,
  took: null,
  bytes: null,
  outcome: null,
  ...more,
});

const seen = (state: State, ...events: RequestEvent[]) =>
  played(state, ...events.map((event) => ({ type: 'requestSeen', event }) as const)).state;

test('the totals are of all requests, each counted once, and none that was cancelled as failed', () => {
  const answers = Array.from({ length: 250 }, (_, id) => {
    const done = {
      phase: 'done',
      bytes: 100,
      waited: 20,
      outcome: id % 50 === 0 ? 'timeout' : id % 100 === 1 ? 'cancelled' : 'ok',
    } as const;
    return [asked(id), asked(id, { phase: 'sent', waited: 20 }), asked(id, done), asked(id, done)];
  });
  const state = seen(listedState([zoneOf('1', 'shop')]), ...answers.flat(), asked(250));
  assert.equal(state.requests.length, 200);
  const { newest: _, ...totals } = state.requestTotals;
  const ends = { ok: 242, failed: 5, cancelled: 3 };
  assert.deepEqual(totals, { asked: 251, ...ends, bytes: 25_000, waited: 5000 });
});
