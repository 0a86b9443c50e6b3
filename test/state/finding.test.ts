import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entryOf } from '../../src/across/handover/note-entry.ts';
import { findingBody } from '../../src/across/handover/painting/handover-bodies.ts';
import { update } from '../../src/loop/update.ts';
import { stripped } from '../../src/paint/row.ts';
import { createLook } from '../../src/paint/theme.ts';
import type { Action } from '../../src/state/messages.ts';
import type { State } from '../../src/state/model.ts';
import { followedState, NOON, played, rowsOf } from '../support/state.ts';

function findingOf(state: State) {
  const { overlay } = played(state, 'note').state;
  assert.ok(overlay?.kind === 'finding');
  return overlay.finding;
}

test('a finding is about the time of its view: a window, or the row that a reader stands on', () => {
  const state = followedState(rowsOf(0, 50));
  assert.deepEqual(findingOf(state).time, { from: NOON, to: NOON + 49_001 });
  const paused = played(state, 'up', 'up').state;
  assert.deepEqual(findingOf(paused).time, { from: NOON + 47_000, to: null });
  assert.deepEqual(findingOf(played(paused, 'open').state).time, { from: NOON + 47_000, to: null });
});

test('a note that comes at once is not written, however slowly the keys before it came', () => {
  let state = followedState(rowsOf(0, 50));
  const press = (action: Action, ms: number) => {
    const [next, effects] = update(state, action, state.now + ms);
    state = next;
    return effects;
  };
  press({ type: 'commanded', command: 'palette' }, 500);
  for (const text of 'note') press({ type: 'typed', text }, 500);
  press({ type: 'ordered', command: 'note', argument: null, line: 'note' }, 500);
  for (const text of 'rm') press({ type: 'typed', text }, 0);
  assert.deepEqual(press({ type: 'submitted' }, 0), []);
  assert.match(state.prompt?.error?.message ?? '', /^too fast to be typed/);
  assert.deepEqual(
    press({ type: 'submitted' }, 500).map(({ type }) => type),
    ['addFinding'],
  );
});

test('an entry reads as prose: what was found, of when, what is shown of it, and how complete it is', () => {
  const { lines } = entryOf(findingOf(followedState(rowsOf(0, 50))), 'origin fails', NOON);
  assert.equal(lines[0], '## 12:00:00Z origin fails');
  assert.match(
    lines[2] ?? '',
    /^`logs shop`, 2026-11-20 12:00:00 to 2026-11-20 12:00:49 UTC\. 10 of 50 rows, the newest\. .*No gap in what was read\.$/,
  );
  assert.ok(!lines.some((line) => /^- /.test(line)));
});

test('Tab in the note writes addresses as pseudonyms, shows how, and takes it back', () => {
  const opened = played(followedState(rowsOf(0, 5)), 'note').state;
  const look = createLook('mono', true, true);
  const shown = (state: State) => {
    assert.ok(state.overlay?.kind === 'finding');
    return findingBody(state, state.overlay, { columns: 300, height: 50, look }).map(stripped).join('\n');
  };
  assert.match(shown(opened), /addresses as they are; Tab[\s\S]*`192\.0\.2\.1`/);
  const masked = played(opened, { type: 'completed' }).state;
  assert.match(shown(masked), /as pseudonyms; Tab[\s\S]*`ip-\? \(192\.0\.2\.x\)`/);
  const order = (state: State) => played(state, { type: 'submitted' }).effects[0];
  const masks = [masked, played(masked, { type: 'completed' }).state].map((state) => {
    const effect = order(state);
    return effect?.type === 'addFinding' && effect.isMasked;
  });
  assert.deepEqual(masks, [true, false]);
});
