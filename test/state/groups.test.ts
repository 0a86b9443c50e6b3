import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GROUP_FIELDS } from '../../src/across/input/pickers.ts';
import { EMPTY_QUERY } from '../../src/domain/query/query.ts';
import { printQuery } from '../../src/domain/query/query-text.ts';
import { openGroups } from '../../src/screens/log/groups.ts';
import type { GroupsView, State } from '../../src/state/model.ts';
import { openLogOver, shownLog } from '../../src/state/sessions/session.ts';
import { pressed } from '../support/pressed.ts';
import { followedState, played, recordOf, reportOf, rowsOf, zoneOf } from '../support/state.ts';

function groupsOf(state: State): GroupsView {
  const view = state.views.at(-1);
  assert.ok(view?.kind === 'groups');
  return view;
}

/** Grouped by the fields, chosen in the picker in this order. */
function groupedBy(state: State, ...fields: string[]): State {
  const opened = played(state, 'chooseGroups').state;
  const chosen = fields.reduce<State>((before, field) => {
    const steps = Array.from({ length: GROUP_FIELDS.indexOf(field) }, () => 'down' as const);
    return played(before, 'first', ...steps, 'pause').state;
  }, opened);
  return played(chosen, 'open').state;
}

test('b groups the rows read by the chosen fields, in their order', () => {
  const view = groupsOf(groupedBy(followedState(rowsOf(0, 30)), 'status', 'cache'));
  assert.deepEqual(view.by, ['status', 'cache']);
  assert.equal(view.rows, 30);
  assert.deepEqual(
    view.groups.map((group) => [group.key['status'], group.key['cache'], group.count]),
    [
      ['200', 'HIT', 18],
      ['200', 'MISS', 9],
      ['503', 'HIT', 2],
      ['503', 'MISS', 1],
    ],
  );
});

test('Enter without a choice groups by the field under the cursor', () => {
  const { state } = played(followedState(rowsOf(0, 30)), 'chooseGroups', 'open');
  assert.deepEqual(groupsOf(state).by, [GROUP_FIELDS[0]]);
});

test('Enter goes into a group: its rows out of those read, without a new request', () => {
  const { state, effects } = played(groupedBy(followedState(rowsOf(0, 30)), 'status'), 'last', 'open');
  assert.equal(state.session?.book.length, 3);
  assert.deepEqual(effects, []);
  assert.equal(state.session?.generation, 1);
});

test('where a field is filtered already, Enter and + leave one of its values, and - takes one more out', () => {
  const failed = { record: recordOf(0, { statusCode: 502 }), late: false };
  const state = followedState([failed, ...rowsOf(1, 30)]);
  for (const [term, key, query, length] of [
    ['status:5xx', '<Enter>', 'status:502', 1],
    ['status:5xx', '+', 'status:502', 1],
    ['-status:503', '-', '-status:503,502', 27],
  ] as const) {
    const groups = openGroups(pressed(state, `<:${term}>`), ['status']);
    const inside = pressed(groups, `G${key}`);
    assert.equal(printQuery(shownLog(inside)?.query ?? EMPTY_QUERY), query, key);
    assert.equal(inside.session?.book.length, length, key);
  }
});

test('a network is one group of all its addresses, and Enter asks for it as an address', () => {
  const addresses = ['192.0.2.7', '192.0.2.9', '2001:db8:1:2::9', '2001:db8:1:3::1', '192.0.3.1', null];
  const rows = addresses.map((remoteIp, n) => ({ record: recordOf(n, { remoteIp }), late: false }));
  const { state } = played(openGroups(followedState(rows), ['net']), 'first');
  assert.deepEqual(
    groupsOf(state).groups.map(({ key, count }) => [key['net'], count]),
    [
      ['2001:db8:1::/48', 2],
      ['192.0.2.0/24', 2],
      [null, 1],
      ['192.0.3.0/24', 1],
    ],
  );
  const inside = played(state, 'open').state;
  assert.equal(printQuery(shownLog(inside)?.query ?? EMPTY_QUERY), 'ip:2001:db8:1::/48');
  assert.equal(inside.session?.book.length, 2);
  assert.equal(played(state, 'down', 'down', 'open').state.session?.book.length, 1, 'of no network');
});

test('a shape is one group of all its pages, and Enter, + and - keep or leave out just its rows', () => {
  const paths = ['/r/1/x', '/r/2/x?a', '/r/<n>/x', '/r/3', '/about'];
  const rows = paths.map((path, n) => ({ record: recordOf(n, { path }), late: false }));
  const { state } = played(openGroups(followedState(rows), ['shape']), 'first');
  assert.deepEqual(
    groupsOf(state).groups.map(({ key, count }) => [key['shape'], count]),
    [
      ['/r/<n>/x', 3],
      ['/about', 1],
      ['/r/<n>', 1],
    ],
  );
  for (const [command, query, length] of [
    ['open', 'shape:/r/<n>/x', 3],
    ['filterIn', 'shape:/r/<n>/x', 3],
    ['filterOut', '-shape:/r/<n>/x', 2],
  ] as const) {
    const inside = played(state, command).state;
    assert.equal(printQuery(shownLog(inside)?.query ?? EMPTY_QUERY), query, command);
    assert.equal(inside.session?.book.length, length, command);
  }
});

test('Esc climbs one step at a time, with the cursor and the filter as they were', () => {
  const grouped = played(groupedBy(followedState(rowsOf(0, 30)), 'status'), 'last').state;
  const { state: back } = played(grouped, 'open', 'leave');
  assert.equal(groupsOf(back).cursor, groupsOf(grouped).cursor);
  assert.equal(back.session?.book.length, 30);
  const { state: log } = played(back, 'leave');
  assert.equal(log.views.at(-1)?.kind, 'log');
});

test('the way back restores a pause', () => {
  const paused = played(followedState(rowsOf(0, 30)), 'pause').state;
  const { state } = played(groupedBy(paused, 'status'), 'open', 'last', 'leave', 'leave');
  assert.equal(shownLog(state)?.paused, true);
  assert.equal(state.session?.book.isFrozen, true);
});

test('groups are counted again as rows arrive, but not faster than they can be read', () => {
  const grouped = groupedBy(followedState(rowsOf(0, 30)), 'status');
  const arrived = (rows: ReturnType<typeof rowsOf>) =>
    ({ type: 'tailRead', zone: '1', generation: 1, event: { rows, report: reportOf() } }) as const;
  const soon = played(grouped, arrived(rowsOf(30, 40))).state;
  assert.equal(groupsOf(soon).rows, 30);
  assert.equal(groupsOf(played({ ...soon, now: soon.now + 1000 }, arrived([])).state).rows, 40);
});

test('- hides a group and leaves the groups on screen', () => {
  const { state } = played(groupedBy(followedState(rowsOf(0, 30)), 'status'), 'filterOut');
  const view = groupsOf(state);
  assert.deepEqual(
    view.groups.map((group) => group.key['status']),
    ['503'],
  );
  assert.equal(view.rows, 3);
});

test('s sorts by the next column and S turns the order round', () => {
  const grouped = groupedBy(followedState(rowsOf(0, 30)), 'status');
  const sorted = groupsOf(played(grouped, 'sort').state);
  assert.equal(sorted.sort, 'bytes');
  const reversed = groupsOf(played(grouped, 'reverse').state);
  assert.deepEqual(
    reversed.groups.map((group) => group.count),
    [3, 27],
  );
});

test('a window that became smaller still shows the group, and the choice, under the cursor', () => {
  const tall = played(followedState(rowsOf(0, 300)), { type: 'resized', columns: 80, rows: 60 }).state;
  const small = { type: 'resized', columns: 80, rows: 15 } as const;
  const view = groupsOf(played(groupedBy(tall, 'page'), 'last', small).state);
  assert.ok(view.cursor - view.top < 12, `row ${view.cursor - view.top}`);
  const beneath = played(groupedBy(tall, 'page'), 'last', 'storageScreen', small, 'back').state;
  assert.deepEqual(groupsOf(beneath).top, view.top);
  const { overlay } = played(tall, 'chooseGroups', 'last', small).state;
  assert.ok(overlay?.kind === 'groupPick' && overlay.cursor - overlay.top < 12);
});

function queriedAs(state: State, text: string): State {
  const typed = { type: 'typed', text } as const;
  return played(state, 'editQuery', { type: 'edited', edit: 'killLeft' }, typed, { type: 'submitted' }).state;
}

test('i over groups asks the log beneath, and the groups are those of the new query in their order', () => {
  const grouped = played(groupedBy(followedState(rowsOf(0, 30)), 'status'), 'sort').state;
  const state = queriedAs(grouped, 'ip:192.0.2.1 by:cache');
  const kinds = state.views.map((view) => view.kind);
  assert.deepEqual(kinds, ['zones', 'log', 'groups']);
  const { by, sort, rows, query } = groupsOf(state);
  assert.deepEqual([by, sort, rows, query.terms.length], [['cache'], 'bytes', 8, 1]);
  assert.equal(shownLog(state)?.query.terms.length, 1);
});

test('a query that groups by nothing leads from the groups to the rows', () => {
  const state = queriedAs(groupedBy(followedState(rowsOf(0, 30)), 'status'), 'ip:192.0.2.1');
  assert.deepEqual(
    state.views.map((view) => view.kind),
    ['zones', 'log'],
  );
  assert.equal(state.session?.book.hidden, 22);
});

test('2 over a log that was opened above the rows of a group comes back to all rows', () => {
  const drilled = played(groupedBy(followedState(rowsOf(0, 30)), 'status'), 'last', 'open').state;
  const zone = zoneOf('1', 'shop');
  const over = openLogOver(drilled, [zone], EMPTY_QUERY);
  assert.equal(played(over, 'leave').state.session?.book.length, 3);
  const { state } = played(over, 'logsScreen');
  assert.deepEqual([state.views.length, state.session?.book.length], [2, 30]);
});
