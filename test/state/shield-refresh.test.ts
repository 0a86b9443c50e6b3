import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureOf } from '../../src/domain/failure.ts';
import { subscriptions } from '../../src/loop/subscriptions.ts';
import { onTop } from '../../src/screens/screens.ts';
import {
  addressesOf,
  answered,
  answerOf,
  eventsOf,
  groupOf,
  groups,
  inGroups,
  inRows,
  requestOf,
  rows,
  rules,
  searches,
} from '../support/shield.ts';
import { NOON, played } from '../support/state.ts';

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

test('a refresh of groups reads as many pages as were read, says so, and shows the old ones until all are here', () => {
  const before = inGroups(2, 826);
  const asked = played(before, 'refresh').state;
  assert.match(asked.notice?.text ?? '', /asking again: 2 searches/);
  const half = answered(asked, answerOf({ groups: addressesOf(100, 600), total: 926, totalPages: 2 }));
  assert.equal(groups(half).table, groups(before).table);
  assert.deepEqual(
    searches(half).map((each) => each.ask.page),
    [1],
  );
  const whole = answered(
    half,
    answerOf({ groups: addressesOf(600, 1026), total: 926, totalPages: 2, page: 1 }),
  );
  const { table, reading } = groups(whole);
  assert.deepEqual([table.parts.length, reading.isRefresh, reading.isWhole], [926, false, true]);
  assert.deepEqual(searches(whole), []);
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

test('the group under the cursor stays there though it is none any more, and goes when the cursor has left it', () => {
  const at = played(rules, 'down').state;
  const without = answerOf({ groups: [groupOf({ ruleId: 'A' }, 9), groupOf({ ruleId: 'C' }, 1)], total: 2 });
  const kept = answered(played(at, 'refresh').state, without);
  const { table, cursor } = groups(kept);
  assert.deepEqual([table.groups[cursor]?.key, table.hasApart, table.events], [{ ruleId: 'B' }, true, 10]);
  const sorted = played(kept, 'reverse').state;
  assert.deepEqual(
    groups(sorted).table.groups.map((group) => group.key['ruleId']),
    ['C', 'A', 'B'],
  );
  const gone = answered(played(sorted, 'first', 'refresh').state, without);
  assert.deepEqual([groups(gone).table.hasApart, groups(gone).table.groups.length], [false, 2]);
});

test('a refresh of rows keeps the cursor on its row, at its place of the screen', () => {
  const down = played(inRows(200), 'follow', ...downs(30)).state;
  const held = rows(down);
  const asked = played(down, { type: 'shieldDue' }).state;
  const newer = eventsOf(-7, 193);
  const after = rows(answered(asked, answerOf({ kind: 'rows', events: newer, total: 207, totalPages: 2 })));
  assert.equal(after.rows.shown[after.cursor]?.id, held.rows.shown[held.cursor]?.id);
  assert.equal(after.cursor - after.top, held.cursor - held.top);
  assert.deepEqual([after.rows.rows.length, after.reading.isWhole], [207, true]);
});

test('when more came than a page holds, pages are read down to a row that is held', () => {
  let state = played(inRows(200), 'refresh').state;
  const more = { kind: 'rows', total: 650, totalPages: 4 } as const;
  state = answered(state, answerOf({ ...more, events: eventsOf(-450, -250) }));
  state = answered(state, answerOf({ ...more, events: eventsOf(-250, -50), page: 1 }));
  assert.equal(rows(state).rows.rows.length, 200);
  state = answered(state, answerOf({ ...more, events: eventsOf(-50, 150), page: 2 }));
  const { rows: list, reading } = rows(state);
  assert.deepEqual(
    list.rows.map((row) => row.at),
    eventsOf(-450, 200).map((event) => event.timestamp),
  );
  assert.deepEqual([reading.isWhole, searches(state).length], [true, 0]);
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

test('a refresh that fails half-way leaves what was shown', () => {
  const before = inGroups(2, 826);
  const half = answered(
    played(before, 'refresh').state,
    answerOf({ groups: addressesOf(100, 600), total: 926, totalPages: 2 }),
  );
  const failed = played(half, {
    type: 'shieldFailed',
    request: requestOf(half),
    failure: failureOf('timeout'),
  }).state;
  assert.equal(groups(failed).table, groups(before).table);
  assert.deepEqual([groups(failed).reading.isRefresh, groups(failed).reading.readAt], [true, NOON]);
  const again = played(failed, 'refresh').state;
  assert.deepEqual([searches(again)[0]?.ask.page, groups(again).fresh], [0, []]);
});

test('times that were asked for a while ago are cut at the edge of what is kept', () => {
  const far = played(rules, 'zoomOut', 'zoomOut', 'zoomOut').state;
  const read = answered(far, answerOf({ groups: [groupOf({ ruleId: 'A' }, 5)], total: 1 }));
  const later = { ...read, now: NOON + 600_000 };
  const [inside] = searches(played(later, 'open').state);
  assert.ok(inside && inside.ask.from > later.now - 72 * 3_600_000);
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
