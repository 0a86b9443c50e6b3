import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiKey } from '../../src/domain/api-key.ts';
import { subscriptions } from '../../src/loop/subscriptions.ts';
import { update } from '../../src/loop/update.ts';
import type { State } from '../../src/state/model.ts';
import { Secret } from '../../src/text/secret.ts';
import { NOON, played, startState } from '../support/state.ts';

const keys: ApiKey[] = [1, 2, 3].map((n) => ({
  id: String(n),
  roles: ['User'],
  secret: n === 3 ? null : new Secret(`canary-key-${n}`),
}));

function listed(): State {
  const asked = played(startState(), 'keysScreen').state;
  const page = { items: keys, page: 1, total: 3, hasMore: false };
  return played(asked, { type: 'listArrived', list: 'keys', request: asked.keys.request, page }).state;
}

const recorded = (state: State) =>
  played(state, {
    type: 'revealRecorded',
    request: state.keys.recording?.request ?? -1,
    recorded: { ok: true, value: null },
  }).state;

test('one value at a time, for ten seconds, and in its own view only', () => {
  const first = recorded(played(listed(), 'revealKey').state);
  assert.ok(subscriptions(first).some((each) => each.kind === 'keyHide' && each.after >= 10_000));
  const early = update(first, { type: 'ticked', now: 0 }, NOON + 9_999)[0];
  assert.ok(early.keys.revealed);
  assert.equal(update(first, { type: 'ticked', now: 0 }, NOON + 10_000)[0].keys.revealed, null);
  const second = played(first, 'down', 'revealKey').state;
  assert.equal(second.keys.revealed, null);
  assert.equal(recorded(second).keys.revealed?.id, '2');
  assert.equal(played(first, 'storageScreen').state.keys.revealed, null);
  assert.equal(played(first, 'leave').state.keys.revealed, null);
  assert.equal(played(first, 'leave').state.views.at(-1)?.kind, 'keys');
});

test('a key whose value the platform does not tell has none to show', () => {
  const state = played(listed(), 'last', 'revealKey').state;
  assert.equal(state.keys.recording, null);
  assert.match(state.notice?.text ?? '', /does not disclose the value/);
});

test('the state as text holds no value, shown or not', () => {
  assert.doesNotMatch(JSON.stringify(recorded(played(listed(), 'revealKey').state)), /canary/);
});
