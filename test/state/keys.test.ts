import assert from 'node:assert/strict';
import { test } from 'node:test';
import { subscriptions } from '../../src/loop/subscriptions.ts';
import { update } from '../../src/loop/update.ts';
import { stripped } from '../../src/paint/row.ts';
import { createLook } from '../../src/paint/theme.ts';
import type { State } from '../../src/state/model.ts';
import { bodyLines } from '../../src/ui/body.ts';
import { listShown } from '../support/account-lists.ts';
import { NOON, played } from '../support/state.ts';

/** Of every other key the value is told. */
const listed = (size = { columns: 80, rows: 24 }) => listShown('keys', (n) => `text ${n}`, { size });

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
  const second = played(first, 'down', 'down', 'revealKey').state;
  assert.equal(second.keys.revealed, null);
  assert.equal(recorded(second).keys.revealed?.id, second.keys.items[2]?.id);
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

test('a narrow window leaves out the last columns of a list, and a value below it not the line under the cursor', () => {
  const look = createLook('mono', true, true);
  const painted = (state: State) => (bodyLines(state, look) ?? []).map(stripped);
  assert.match(painted(listed())[0] ?? '', /^ +ID ROLES +FINGERPRINT VALUE *$/);
  const low = listed({ columns: 40, rows: 10 });
  assert.match(painted(low)[0] ?? '', /^ +ID ROLES +FINGERPRINT *$/);
  const lines = painted(recorded(played(low, 'last', 'up', 'revealKey').state));
  assert.match(lines.join('\n'), /^>/m);
  assert.match(lines.at(-1) ?? '', /canary-scene-10/);
});
