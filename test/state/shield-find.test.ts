import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchPlace } from '../../src/screens/shield/shield-find.ts';
import { detailedHeight } from '../../src/state/list/layout.ts';
import type { Action } from '../../src/state/messages.ts';
import type { State } from '../../src/state/model.ts';
import { isShieldView } from '../../src/state/shield-model.ts';
import { topView } from '../../src/state/view-stack.ts';
import { groups, inGroups, inRows, rows, rules, searches } from '../support/shield.ts';
import { played } from '../support/state.ts';

function sought(state: State, text: string): State {
  const typed: Action[] = [
    { type: 'edited', edit: 'killLeft' },
    { type: 'typed', text },
  ];
  return played(state, 'find', ...typed, { type: 'submitted' }).state;
}

function place(state: State) {
  const view = topView(state);
  return isShieldView(view) ? matchPlace(state, view) : null;
}

test('a search goes to the first match, tells which of how many it is, and drops no line', () => {
  const state = sought(inRows(200), '192.0.2.3');
  assert.deepEqual([rows(state).cursor, place(state)], [3, { index: 1, total: 40 }]);
  assert.equal(rows(state).rows.shown.length, 200);
  const third = played(state, 'findNext', 'findNext').state;
  assert.deepEqual([rows(third).cursor, place(third)], [13, { index: 3, total: 40 }]);
  const before = played(state, 'findPrevious').state;
  assert.deepEqual([rows(before).cursor, place(before)], [198, { index: 40, total: 40 }]);
  assert.match(before.notice?.text ?? '', /round the end/);
  assert.deepEqual(place(played(state, 'down').state), { index: 0, total: 40 });
});

test('a match out of sight is shown with lines above and below it', () => {
  const state = sought(inGroups(1, 500), 'R00250');
  const { cursor, top } = groups(state);
  assert.deepEqual([cursor, top], [250, 250 - Math.floor(detailedHeight(state) / 2)]);
});

test('the texts of rules are searched too, and every field of an event', () => {
  const wafRules = [{ ruleId: 'B', description: 'SQL injection', group: '', ruleset: '' }];
  const known = played(rules, { type: 'shieldRulesArrived', shieldZoneId: '9', rules: wafRules }).state;
  assert.equal(groups(sought(known, 'sql INJ')).cursor, 1);
  const event = sought(played(inRows(200), 'open').state, 'blocked');
  const view = topView(event);
  assert.ok(view.kind === 'shieldEvent' && view.cursor > 0);
  assert.deepEqual(place(event), { index: 1, total: 1 });
});

test('what is not found is said, also that more is there than was searched', () => {
  const state = sought(inGroups(1, 826), 'nowhere');
  assert.equal(state.notice?.text, "'nowhere' is not here, in 500 lines; 826 are there, G reads on");
  assert.equal(groups(state).cursor, 0);
});

test('Esc leaves the search before it climbs', () => {
  const state = sought(inRows(200), '192.0.2.3');
  const left = played(state, 'leave').state;
  assert.deepEqual([rows(left).needle, rows(left).cursor], [null, 3]);
  assert.equal(topView(played(left, 'leave').state).kind, 'shieldGroups');
});

test('the search becomes free text of the query, asked once', () => {
  const state = played(sought(inRows(200), '192.0.2.3'), 'findToFilter').state;
  assert.deepEqual(
    searches(state).map((each) => each.ask.query),
    ['192.0.2.3'],
  );
  assert.equal(rows(state).needle, null);
  const fromEvent = played(sought(played(inRows(200), 'open').state, 'blocked'), 'findToFilter').state;
  assert.deepEqual([topView(fromEvent).kind, searches(fromEvent)[0]?.ask.query], ['shieldRows', 'blocked']);
});

test('in a column that the free text of the API does not look into, the search becomes "contains"', () => {
  const [byRule] = searches(played(sought(rules, 'd'), 'findToFilter').state);
  assert.deepEqual([byRule?.ask.query, byRule?.ask.filters], ['d', []]);
  const byCountry = played(
    rules,
    'editQuery',
    { type: 'edited', edit: 'killLeft' },
    { type: 'typed', text: 'by:country' },
    { type: 'submitted' },
  ).state;
  const state = played(sought(byCountry, 'd'), 'findToFilter').state;
  assert.deepEqual(searches(state)[0]?.ask.filters, [{ field: 'country', op: 'contains', value: ['d'] }]);
});

test('n without a search does nothing', () => {
  const { state } = played(rules, 'findNext', 'findPrevious', 'findToFilter');
  assert.deepEqual([state.views, state.notice], [rules.views, null]);
});
