import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchPlace } from '../../src/screens/shield/shield-find.ts';
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

test('the texts of rules are searched too, and every field of an event', () => {
  const wafRules = [{ ruleId: 'B', description: 'SQL injection', group: '', ruleset: '' }];
  const known = played(rules, { type: 'shieldRulesArrived', shieldZoneId: '9', rules: wafRules }).state;
  assert.equal(groups(sought(known, 'sql INJ')).cursor, 1);
  const event = sought(played(inRows(200), 'open').state, 'blocked');
  const view = topView(event);
  assert.ok(view.kind === 'shieldEvent' && view.cursor > 0);
  assert.deepEqual(place(event), { index: 1, total: 1 });
  const found = sought(inRows(200), '192.0.2.3');
  assert.ok(rows(sought(found, '')).cursor > rows(found).cursor);
});

test('what is not found is said, also that more is there than was searched', () => {
  const state = sought(inGroups(1, 826), 'nowhere');
  assert.equal(state.notice?.text, "'nowhere' is not here, in 500 lines; 826 are there, G reads on");
  assert.equal(groups(state).cursor, 0);
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
