import assert from 'node:assert/strict';
import { test } from 'node:test';
import { subscriptions } from '../../src/loop/subscriptions.ts';
import { onTop } from '../../src/screens/screens.ts';
import {
  addressesOf,
  answered,
  answerOf,
  eventsOf,
  groups,
  inGroups,
  inRows,
  rows,
  rules,
  searches,
} from '../support/shield.ts';
import { played } from '../support/state.ts';

const downs = (n: number) => Array.from({ length: n }, () => 'down' as const);

test('an auto-refresh is off until it is asked for, and rings only for a relative window', () => {
  const isDue = (state: typeof rules) => subscriptions(state).some((each) => each.kind === 'shieldDue');
  assert.equal(isDue(rules), false);
  const auto = played(rules, 'follow').state;
  assert.equal(isDue(auto), true);
  assert.match(auto.notice?.text ?? '', /every 10 s: one search$/);
  const fixed = played(rules, 'earlier').state;
  assert.match(played(fixed, 'follow').state.notice?.text ?? '', /a fixed window does not change/);
});

test('groups of an older answer are never mixed with those of a newer one', () => {
  const before = inGroups(2, 5000);
  let state = played(before, 'refresh').state;
  const cursor = groups(before).cursor;
  for (const page of [0, 1]) {
    const from = 2000 + page * 500;
    state = answered(
      state,
      answerOf({ groups: addressesOf(from, from + 500), total: 5000, totalPages: 10, page }),
    );
  }
  const { table, reading } = groups(state);
  assert.deepEqual([table.parts.length, table.hasApart, reading.pages], [1000, true, 2]);
  assert.equal(table.groups.at(-1), groups(before).table.groups[cursor]);
  assert.deepEqual(
    table.parts.map((part) => part.key['ruleId']),
    addressesOf(2000, 3000).map((part) => part.key['ruleId']),
  );
});

test('where that would take too many, the older rows go but for the one under the cursor: no gap is hidden', () => {
  const down = played(inRows(200), ...downs(30)).state;
  const held = rows(down).rows.shown[30];
  let state = played(down, 'refresh').state;
  let asked = 0;
  for (let [want] = searches(state); want; [want] = searches(state)) {
    const from = -90_000 + 200 * asked++;
    const events = eventsOf(from, from + 200);
    state = answered(
      state,
      answerOf({ kind: 'rows', events, total: 90_200, totalPages: 451, page: want.ask.page }),
    );
  }
  assert.equal(asked, 10);
  const view = rows(state);
  assert.equal(view.rows.rows.length, 2001);
  assert.deepEqual([view.rows.shown[view.cursor], view.rows.apart, view.cursor], [held, held?.id, 2000]);
  assert.equal(view.reading.isWhole, false);
  const sheet = onTop(state, 'sheet');
  assert.ok(typeof sheet !== 'string');
  assert.deepEqual(sheet.missing, ['2,000 of 90,200 events were read'], 'the row kept apart is none of them');
  // Reading on goes between: the older row stays last.
  const on = played(state, 'up').state;
  const next = answered(
    on,
    answerOf({ kind: 'rows', events: eventsOf(-88_000, -87_800), total: 90_200, totalPages: 451, page: 10 }),
  );
  assert.deepEqual([rows(next).rows.rows.length, rows(next).rows.rows.at(-1)?.id], [2201, held?.id]);
});

test('what costs more than a few searches is not asked for by itself', () => {
  const isDue = (state: typeof rules) => subscriptions(state).some((each) => each.kind === 'shieldDue');
  const auto = played(inGroups(5, 9000), 'follow').state;
  assert.equal(isDue(auto), true);
  const page = answerOf({ groups: addressesOf(2500, 3000), total: 9000, totalPages: 18, page: 5 });
  const more = answered(played(auto, 'last').state, page);
  assert.equal(isDue(more), false);
  const refused = played(inGroups(6, 9000), 'follow').state;
  assert.deepEqual([refused.shield?.isAuto, isDue(refused)], [false, false]);
  assert.match(refused.notice?.text ?? '', /it would cost 6 searches/);
});
