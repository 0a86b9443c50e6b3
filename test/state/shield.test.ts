import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureOf } from '../../src/domain/failure.ts';
import { subscriptions } from '../../src/loop/subscriptions.ts';
import type { State } from '../../src/state/model.ts';
import {
  answered,
  answerOf,
  eventsOf,
  groupOf,
  groups,
  opened,
  PAIRS,
  requestOf,
  rows,
  rules,
  searches,
} from '../support/shield.ts';
import { listedState, played, zoneOf } from '../support/state.ts';

test('a zone without Shield opens nothing and says so', () => {
  const { state } = played(
    listedState([zoneOf('2', 'plain')]),
    { type: 'shieldMapped', pairs: PAIRS },
    'shieldScreen',
  );
  assert.equal(state.views.length, 1);
  assert.match(state.notice?.text ?? '', /has no Shield zone/);
});

test('while the join is not known the Shield zone is looked up, and a zone that has none closes the explorer', () => {
  const { state } = played(listedState([zoneOf('1', 'shop')]), 'shieldScreen');
  assert.deepEqual(
    subscriptions(state).map((each) => each.kind),
    ['shieldZone'],
  );
  const known = played(state, { type: 'shieldZoneFound', pullZoneId: '1', shieldZoneId: '9' }).state;
  assert.equal(searches(known).length, 1);
  const none = played(state, { type: 'shieldZoneFound', pullZoneId: '1', shieldZoneId: null }).state;
  assert.deepEqual([none.views.length, none.shield], [1, null]);
});

test('an answer to an older question is dropped', () => {
  const asked = played(opened, 'zoomOut').state;
  const late = played(asked, {
    type: 'shieldAnswered',
    request: requestOf(opened),
    answer: answerOf({ groups: [groupOf({ ruleId: 'old' }, 1)], total: 1 }),
  }).state;
  assert.equal(late, asked);
});

test('an exclusion of what is shown asks nothing, and one of something else asks for finer groups', () => {
  const out = played(rules, 'filterOut').state;
  assert.deepEqual(
    groups(out).table.groups.map((group) => group.key),
    [{ ruleId: 'B' }],
  );
  assert.deepEqual([groups(out).table.hidden, searches(out).length], [5, 0]);
  assert.deepEqual(groups(played(out, 'dropFilter').state).table.groups.length, 2);
  const typed = played(
    rules,
    'editQuery',
    { type: 'typed', text: ' -ip:192.0.2.1' },
    { type: 'submitted' },
  ).state;
  assert.deepEqual(searches(typed)[0]?.ask.groupBy, ['ruleId', 'ip']);
});

test('the line of text and the form are one query, and a part that cannot be meant is not sent', () => {
  const { state: form } = played(
    rules,
    'editQuery',
    { type: 'typed', text: ' ip:10.0.0.0/8 ' },
    'switchForm',
  );
  assert.equal(form.overlay?.kind === 'queryForm' && form.overlay.draft.terms.length, 1);
  const { state: line } = played(form, 'leaveForm');
  assert.equal(line.prompt?.field.text, 'ip:10.0.0.0/8 last:1h by:rule,asn,ip');
  const { state: refused } = played(
    rules,
    'editQuery',
    { type: 'edited', edit: 'killLeft' },
    { type: 'typed', text: 'last:9d' },
    { type: 'submitted' },
  );
  assert.deepEqual(refused.prompt?.error?.column, 0);
  assert.deepEqual(searches(refused), []);
});

test('values seen so far are offered', () => {
  const { state } = played(rules, 'editQuery', { type: 'typed', text: ' rule:' });
  assert.deepEqual(state.prompt?.suggestions.slice(0, 2), ['A', 'B']);
});

test('what a histogram counted under other exclusions is not shown for these', () => {
  const one = answerOf({ groups: [groupOf({ action: 'blocked' }, 1)], total: 1 });
  let state = played(rules, 'timelineSize').state;
  for (let [want] = searches(state); want; [want] = searches(state)) state = answered(state, one);
  assert.ok(groups(state).histogram);
  assert.equal(groups(played(state, 'filterOut').state).histogram, null);
});

test('a feature that a search told of a rule is known in the day that is read later', () => {
  const key = { ruleId: 'A', feature: 'waf' };
  const learned = answered(played(rules, 'zoomOut').state, answerOf({ groups: [groupOf(key, 5)], total: 1 }));
  const asked = played(learned, 'readDay', { type: 'submitted' }).state;
  const want = subscriptions(asked).find((each) => each.kind === 'shieldDay');
  const [event] = eventsOf(0, 1);
  assert.ok(want && event);
  const events = ['A', 'Z'].map((ruleId) => ({
    ...event,
    logId: ruleId,
    fields: { ruleId, status: 'Blocked' },
  }));
  const { state } = played(asked, {
    type: 'shieldDayRead',
    request: want.request,
    page: { events, next: null, bad: 0 },
  });
  assert.deepEqual(
    rows(state).rows.rows.map((row) => row.fields['feature']),
    ['waf', null],
  );
});

test('what grows older or waits for a time is counted every second, and nothing else is', () => {
  const clocks = (state: State) =>
    subscriptions(state).filter((each) => each.kind === 'clock' && each.key === 'age');
  assert.deepEqual(clocks(rules), []);
  const asking = played(rules, 'refresh').state;
  const failure = { ...failureOf('serverError'), retryAt: asking.now + 3000 };
  const failed = (state: State) =>
    played(state, { type: 'shieldFailed', request: requestOf(state), failure }).state;
  assert.equal(clocks(failed(asking)).length, 1);
  assert.equal(clocks(failed(opened)).length, 1);
  assert.deepEqual(clocks({ ...failed(opened), now: asking.now + 4000 }), []);
});

test('a minute later a drill still asks for the times of the counts it goes into', () => {
  const before = groups(rules).reading.range;
  const later = played({ ...rules, now: rules.now + 60_000 }, 'open').state;
  assert.deepEqual(groups(later).reading.range, before);
  assert.equal(searches(later)[0]?.ask.to, before.to);
});
