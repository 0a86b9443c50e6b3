import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GROUP_FIELDS } from '../../src/across/input/pickers.ts';
import { LogBook } from '../../src/domain/logs/log-book.ts';
import { EMPTY_QUERY } from '../../src/domain/query/query.ts';
import { printQuery } from '../../src/domain/query/query-text.ts';
import { openGroups } from '../../src/screens/log/group-commands.ts';
import { type GroupTags, tagGroups, tagsOf } from '../../src/state/group-tags.ts';
import type { GroupsView, State } from '../../src/state/model.ts';
import { shownLog } from '../../src/state/sessions/session.ts';
import { MASK } from '../../src/text/mask.ts';
import { sceneOf } from '../domain/scene.ts';
import { pressed } from '../support/pressed.ts';
import { followedState, played, recordOf, reportOf, rowsOf } from '../support/state.ts';

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

test('s sorts by the next column and S turns the order round', () => {
  const grouped = groupedBy(followedState(rowsOf(0, 30)), 'status');
  const sorted = groupsOf(played(grouped, 'sort').state);
  assert.equal(sorted.sort, 'bytes');
  const reversed = groupsOf(played(grouped, 'reverse').state);
  assert.deepEqual(
    reversed.groups.map((group) => group.count),
    [3, 27],
  );
  const next = groupsOf(played(grouped, 'reverse', 'sort').state);
  assert.deepEqual([next.sort, next.reversed], ['bytes', false]);
});

test('a changed query leaves the cursor on its group, and a masked value is asked for as a pattern', () => {
  const paths = [`/a?token=${MASK}`, `/a?token=${MASK}`, '/b', '/b', '/b', '/c'];
  const rows = paths.map((path, n) => ({ record: recordOf(n, { path }), late: false }));
  const groups = openGroups(followedState(rows), ['path']);
  const under = (state: State) => groupsOf(state).groups[groupsOf(state).cursor]?.key['path'];
  const kept = pressed(groups, 'jj<:-path:/b>');
  assert.deepEqual([groupsOf(kept).groups.length, under(kept)], [2, '/c']);
  const masked = pressed(groups, 'j+');
  assert.deepEqual(shownLog(masked)?.query.terms, [
    { kind: 'field', field: 'path', op: 'wildcard', values: ['/a?token=*'], negated: false },
  ]);
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

test('groups are counted again as rows arrive, but not faster than they can be read', () => {
  const grouped = groupedBy(followedState(rowsOf(0, 30)), 'status');
  const arrived = (rows: ReturnType<typeof rowsOf>) =>
    ({ type: 'tailRead', zone: '1', generation: 1, event: { rows, report: reportOf() } }) as const;
  const soon = played(grouped, arrived(rowsOf(30, 40))).state;
  assert.equal(groupsOf(soon).rows, 30);
  assert.equal(groupsOf(played({ ...soon, now: soon.now + 1000 }, arrived([])).state).rows, 40);
});

const shop = sceneOf('shop-frontend', 4);
const scan = shop.incident('scanner');
const rows = shop.records(scan.from, scan.to).map((record) => ({ record, late: false }));

function bookOf(): LogBook {
  const book = new LogBook({ capacity: 200_000 });
  book.append(rows);
  return book;
}

function tagsOfGroups(...of: Parameters<typeof tagGroups>): GroupTags {
  const work = tagGroups(...of);
  while (!work.step());
  return work.result ?? assert.fail();
}

test('of the groups of addresses the planted scanners and no others are tagged so', () => {
  const book = bookOf();
  const { groups } = book.groupBy(['ip'], 1000);
  const tags = tagsOfGroups(book, ['ip'], groups, 'none');
  const tagged = groups.filter((group) => tagsOf({ by: ['ip'], tags }, group).includes('scanner'));
  assert.deepEqual(new Set(tagged.map(({ key }) => key['ip'])), new Set(scan.cause['ip']));
});

test('a sample is of the group alone, as large as asked at most, and from all over it', () => {
  const book = bookOf();
  const { groups } = book.groupBy(['asn'], 5);
  const work = book.sample(['asn'], groups, 100);
  while (!work.step());
  const samples = (work.result ?? []).map((ids) => ids.map((id) => book.record(id)));
  samples.forEach((sample, index) => {
    const group = groups[index];
    assert.ok(group);
    assert.ok(sample.every(({ asn }) => asn === group.key['asn']));
    assert.ok(sample.length <= 100 && sample.length >= Math.min(group.count, 51));
    const middle = (group.firstSeen + group.lastSeen) / 2;
    const early = sample.filter(({ timestamp }) => timestamp < middle).length;
    const all = rows.filter(({ record }) => record.asn === group.key['asn']);
    const share = all.filter(({ record }) => record.timestamp < middle).length / all.length;
    assert.ok(Math.abs(early / sample.length - share) < 0.1);
  });
});
