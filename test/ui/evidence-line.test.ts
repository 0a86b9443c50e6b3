import assert from 'node:assert/strict';
import { test } from 'node:test';
import { subscriptions } from '../../src/loop/subscriptions.ts';
import { stripped } from '../../src/paint/row.ts';
import { createLook } from '../../src/paint/theme.ts';
import type { State } from '../../src/state/model.ts';
import { footLineWithClock, queryLineWithClock } from '../../src/ui/chrome.ts';
import { answered, answerOf, groupOf, opened } from '../support/shield.ts';
import { NOON } from '../support/state.ts';

const look = createLook('mono', false, true);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Groups whose oldest event is kept for so long yet. */
function expiringIn(left: number, columns = 80): State {
  const firstSeen = NOON - 72 * HOUR + left;
  const groups = [groupOf({ ruleId: 'A' }, 5), groupOf({ ruleId: 'B' }, 3, { firstSeen })];
  return { ...answered(opened, answerOf({ groups, total: 2 })), size: { columns, rows: 24 } };
}

const query = (state: State) => stripped(queryLineWithClock(state, look));
const foot = (state: State) => stripped(footLineWithClock(state, look));

test('within six hours of its end the oldest evidence is told on the query line, before that not', () => {
  assert.match(query(expiringIn(72 * MINUTE)), / oldest evidence expires in 1 h 12 m, :export keeps it /);
  assert.doesNotMatch(query(expiringIn(7 * HOUR)), /expires/);
  assert.doesNotMatch(foot(expiringIn(72 * MINUTE)), /expires/);
  assert.match(query(expiringIn(-1)), /oldest evidence expired/);
});

test('it stands still for a minute, and one timer a minute moves it', () => {
  const clocks = (state: State) =>
    subscriptions(state).flatMap((each) => (each.kind === 'clock' ? [each.every] : []));
  const state = expiringIn(72 * MINUTE);
  assert.deepEqual(clocks(state), [MINUTE]);
  assert.equal(query({ ...state, now: NOON + 0 }), query(state));
  const told = Array.from({ length: 60 }, (_, s) => query({ ...state, now: NOON + 1 + s * 1000 }));
  assert.equal(new Set(told).size, 1);
  // Days away one timer wakes the screen when there is something to tell.
  const [every = 0, ...others] = clocks(expiringIn(60 * HOUR));
  assert.deepEqual([others, every > 53 * HOUR && every <= 54 * HOUR + 1], [[], true]);
  assert.deepEqual(clocks(expiringIn(-1)), []);
});
