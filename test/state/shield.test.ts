import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureOf } from '../../src/domain/failure.ts';
import { EMPTY_QUERY } from '../../src/domain/query/query.ts';
import type { ShieldContext, ShieldGroup } from '../../src/domain/shield/shield.ts';
import { subscriptions } from '../../src/loop/subscriptions.ts';
import { onTop } from '../../src/screens/screens.ts';
import { topShield } from '../../src/screens/shield/shield-ask.ts';
import { matchPlace } from '../../src/screens/shield/shield-find.ts';
import { FIRST_QUESTION, openShield } from '../../src/screens/shield/shield-open.ts';
import { openZones } from '../../src/screens/zones/zones-screen.ts';
import type { Action } from '../../src/state/messages.ts';
import type { State } from '../../src/state/model.ts';
import { isShieldView } from '../../src/state/shield-model.ts';
import { topView } from '../../src/state/view-stack.ts';
import { pressed } from '../support/pressed.ts';
import {
  addressesOf,
  answered,
  answerOf,
  eventsOf,
  groupOf,
  groups,
  inGroups,
  inRows,
  opened,
  PAIRS,
  requestOf,
  rows,
  rules,
  searches,
} from '../support/shield.ts';
import { listedState, NOON, played, zoneOf } from '../support/state.ts';

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

function partOf(
  ruleId: string,
  count: number,
  context: Partial<ShieldContext>,
  seconds: number,
): ShieldGroup {
  const group = groupOf({ ruleId }, count);
  const at = NOON - seconds * 1000;
  return { ...group, firstSeen: at - 1000, lastSeen: at, context: { ...group.context, ...context } };
}

/** Three rules of which each comes first by something else. */
const three = answered(
  opened,
  answerOf({
    groups: [
      partOf('C', 9, { blocked: 1, challenged: 2, logged: 6 }, 30),
      partOf('A', 8, { blocked: 7, challenged: 0, logged: 1 }, 20),
      partOf('B', 7, { blocked: 2, challenged: 5, logged: 0 }, 10),
    ],
    total: 3,
  }),
);

const order = (state: State) =>
  groups(state)
    .table.groups.map((group) => group.key['ruleId'])
    .join('');

test('S turns the order round and back, the next order begins the right way', () => {
  const reversed = played(three, 'reverse').state;
  assert.deepEqual([order(reversed), groups(reversed).reversed], ['BAC', true]);
  assert.equal(order(played(reversed, 'reverse').state), 'CAB');
  const next = played(reversed, 'sort').state;
  assert.deepEqual([order(next), groups(next).reversed], ['ABC', false]);
});

test('w asks for all dimensions in one table, and Enter there goes to the events', () => {
  const unfolded = played(three, 'unfold').state;
  assert.deepEqual(searches(unfolded)[0]?.ask.groupBy, ['ruleId', 'asn', 'ip']);
  const key = { ruleId: 'A', asn: '1', ip: '192.0.2.1' };
  const inside = played(answered(unfolded, answerOf({ groups: [groupOf(key, 4)], total: 1 })), 'open').state;
  assert.deepEqual(
    searches(inside).map(({ ask }) => [
      ask.groupBy,
      ask.filters.map(({ field, value }) => [field, ...value]),
    ]),
    [
      [
        [],
        [
          ['ruleId', 'A'],
          ['asn', '1'],
          ['ip', '192.0.2.1'],
        ],
      ],
    ],
  );
  assert.deepEqual(searches(played(unfolded, 'unfold').state)[0]?.ask.groupBy, ['ruleId']);
  const one = played(
    rules,
    'editQuery',
    { type: 'edited', edit: 'killLeft' },
    { type: 'typed', text: 'by:ip' },
  );
  const only = played(one.state, { type: 'submitted' }, 'unfold').state;
  assert.match(only.notice?.text ?? '', /only one dimension/);
});

test('a group that was not understood stands raw below the others whatever the order, counts no event, and leads nowhere', () => {
  const raw = groupOf({}, 0, { raw: '{"key":7}' });
  const state = answered(
    opened,
    answerOf({
      groups: [raw, groupOf({ ruleId: 'A' }, 5), groupOf({ ruleId: 'B' }, 3), raw],
      total: 4,
      bad: 2,
    }),
  );
  const { table } = groups(state);
  assert.deepEqual([table.bad, table.events, table.groups.length], [2, 8, 4]);
  for (const turned of [state, played(state, 'reverse').state, played(state, 'sort', 'sort').state]) {
    assert.deepEqual(
      groups(turned)
        .table.groups.slice(2)
        .map((group) => group.raw),
      [raw.raw, raw.raw],
    );
  }
  const refused = played(state, 'last', 'open').state;
  assert.match(refused.notice?.text ?? '', /was not understood/);
  assert.deepEqual(searches(refused), []);
  assert.match(played(state, 'last', 'filterOut').state.notice?.text ?? '', /was not understood/);
});

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

const SHOP = zoneOf('1', 'shop', { shieldZoneId: '9' });

const kinds = (state: typeof rules) => subscriptions(state).map((each) => each.kind);

test('a log of a time opens the explorer of that time, and the explorer of a time the log of it', () => {
  const window = { kind: 'absolute', from: NOON - 3_600_000, to: NOON - 1_800_000 } as const;
  const query = { ...EMPTY_QUERY, window };
  const log = openZones(listedState([SHOP]), [SHOP], query);
  const shield = played(log, 'shieldScreen').state;
  assert.deepEqual(topShield(shield)?.query, { ...FIRST_QUESTION, window });
  const from = openShield(listedState([SHOP]), SHOP, { ...FIRST_QUESTION, window });
  assert.deepEqual(played(from, 'logsScreen').state.session?.asked.window, window);
  const newest = openShield(listedState([SHOP]), SHOP, null);
  assert.equal(played(newest, 'logsScreen').state.session?.asked.window, null);
});

test('leaving the zone drops what was parked: the picker opens its zones anew', () => {
  const logs = played(rules, 'logsScreen').state;
  const left = played(logs, 'leave').state;
  assert.deepEqual([left.parked, left.session, left.views.length], [[], null, 1]);
  const picked = played(logs, 'shieldScreen', 'zonesScreen', 'shieldScreen').state;
  assert.equal(searches(picked).length, 1);
  assert.deepEqual(picked.parked, []);
});

test('a zone without logging or without Shield stays where it is, and says why', () => {
  const noLogs = played(listedState([zoneOf('1', 'shop', { logging: false })]), {
    type: 'shieldMapped',
    pairs: PAIRS,
  }).state;
  const inShield = played(noLogs, 'shieldScreen').state;
  const refused = played(inShield, 'logsScreen').state;
  assert.equal(refused.views, inShield.views);
  assert.match(refused.notice?.text ?? '', /logging is off/);
  const noShield = played(listedState([zoneOf('2', 'plain')]), { type: 'shieldMapped', pairs: PAIRS }).state;
  const logs = played(noShield, 'open').state;
  const stayed = played(logs, 'shieldScreen').state;
  assert.deepEqual([stayed.views, stayed.session], [logs.views, logs.session]);
});

test('a Shield zone that turns out to be none gives the logs back', () => {
  const logs = played(listedState([zoneOf('1', 'shop')]), 'open').state;
  const looking = played(logs, 'shieldScreen').state;
  assert.ok(kinds(looking).includes('shieldZone'));
  const { state } = played(looking, { type: 'shieldZoneFound', pullZoneId: '1', shieldZoneId: null });
  assert.deepEqual([state.views, state.parked, state.session], [logs.views, [], logs.session]);
});

test('a day read over a day does not keep both, and one that was stopped goes on where it was', () => {
  const day = (state: typeof rules) => played(state, 'readDay', { type: 'submitted' }).state;
  const twice = day(day(rules));
  assert.deepEqual(
    twice.views.map((view) => view.kind),
    ['zones', 'shieldGroups', 'shieldRows'],
  );
  const want = subscriptions(twice).find((each) => each.kind === 'shieldDay');
  const read = played(twice, {
    type: 'shieldDayRead',
    request: want?.request ?? -1,
    page: { events: eventsOf(0, 10), next: 't1', bad: 0 },
  }).state;
  const stopped = played({ ...read, now: NOON + 1000 }, 'leave').state;
  assert.equal(rows(stopped).reading.loading.kind, 'cancelled');
  const moved = pressed(read, '<:last:1h>');
  assert.deepEqual([rows(moved).day, searches(moved)[0]?.ask.groupBy], [null, []]);
  const resumed = subscriptions(played(stopped, 'refresh').state).find((each) => each.kind === 'shieldDay');
  assert.equal(resumed?.token, 't1');
});
