import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureOf } from '../../src/domain/failure.ts';
import { subscriptions } from '../../src/loop/subscriptions.ts';
import { update } from '../../src/loop/update.ts';
import type { State } from '../../src/state/model.ts';
import { topView } from '../../src/state/view-stack.ts';
import {
  answered,
  answerOf,
  eventsOf,
  groupOf,
  groups,
  inRows,
  opened,
  PAIRS,
  requestOf,
  rows,
  rules,
  searches,
} from '../support/shield.ts';
import { listedState, NOON, played, zoneOf } from '../support/state.ts';

const HOUR = 3_600_000;

test('opening asks one search for the rules of the last hour, with nothing outside the contract', () => {
  assert.deepEqual(
    searches(opened).map((each) => [each.shieldZoneId, each.ask]),
    [
      [
        '9',
        {
          from: NOON - HOUR,
          to: NOON,
          query: null,
          filters: [],
          groupBy: ['ruleId'],
          page: 0,
          pageSize: 500,
          sparks: 8,
        },
      ],
    ],
  );
});

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

test('Enter goes on to the next dimension within the same times, and Esc is back without a request', () => {
  const at = played(rules, 'down').state;
  const inside = played(at, 'open').state;
  const [search] = searches(inside);
  assert.deepEqual(
    [search?.ask.filters, search?.ask.groupBy],
    [[{ field: 'ruleId', op: 'eq', value: ['B'] }], ['asn']],
  );
  assert.deepEqual([search?.ask.from, search?.ask.to], [NOON - HOUR, NOON]);
  const back = played(inside, 'leave').state;
  assert.equal(topView(back), topView(at));
  assert.deepEqual(searches(back), []);
  assert.deepEqual(topView(played(back, 'historyBack').state), topView(inside));
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

test('Esc cancels what has been under way long enough to be seen, and climbs only then', () => {
  const slow = update(opened, { type: 'ticked', now: NOON + 300 }, NOON + 300)[0];
  const [cancelled] = update(slow, { type: 'commanded', command: 'leave' }, NOON + 300);
  assert.equal(groups(cancelled).reading.loading.kind, 'cancelled');
  assert.deepEqual(searches(cancelled), []);
  const [left] = update(cancelled, { type: 'commanded', command: 'leave' }, NOON + 300);
  assert.equal(topView(left).kind, 'zones');
});

test('the page below is asked for as the cursor nears it, once, and not again after a failure', () => {
  const first = inRows(1000);
  assert.equal(searches(first).length, 0);
  const near = played(first, 'last').state;
  assert.deepEqual(
    searches(near).map((each) => each.ask.page),
    [1],
  );
  assert.deepEqual(
    searches(played(near, 'up', 'down').state).map((each) => each.key),
    searches(near).map((each) => each.key),
  );
  const failed = played(near, {
    type: 'shieldFailed',
    request: requestOf(near),
    failure: failureOf('timeout'),
  }).state;
  assert.deepEqual(searches(played(failed, 'up', 'down').state), []);
  assert.equal(rows(failed).rows.rows.length, 200);
});

test('a refresh that fails leaves what is shown, as stale', () => {
  const asked = played(rules, 'refresh').state;
  const failed = played(asked, {
    type: 'shieldFailed',
    request: requestOf(asked),
    failure: failureOf('timeout'),
  }).state;
  assert.equal(groups(failed).table.groups.length, 2);
  assert.equal(groups(failed).reading.isRefresh, true);
});

test('a repeated token ends the reading of a day, which is no whole one; Ctrl-r tries the page again', () => {
  const asked = played(rules, 'readDay', { type: 'submitted' }).state;
  const page = (state: typeof asked, next: string | null, from: number) => {
    const want = subscriptions(state).find((each) => each.kind === 'shieldDay');
    assert.ok(want);
    return played(state, {
      type: 'shieldDayRead',
      request: want.request,
      page: { events: eventsOf(from, from + 10), next, bad: 0 },
    }).state;
  };
  const second = page(page(asked, 't1', 0), 't2', 10);
  assert.deepEqual(rows(second).day?.tokens, ['t1', 't2']);
  const ended = page(second, 't1', 20);
  assert.equal(rows(ended).reading.isWhole, false);
  assert.equal(rows(ended).reading.loading.kind, 'failed');
  assert.equal(rows(ended).rows.rows.length, 30);
  const days = (state: typeof asked) => subscriptions(state).filter((each) => each.kind === 'shieldDay');
  assert.deepEqual(days(ended), []);
  const again = played(ended, 'refresh').state;
  assert.deepEqual(
    days(again).map((each) => each.token),
    ['t2'],
  );
  assert.equal(rows(page(again, null, 30)).reading.isWhole, true);
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
