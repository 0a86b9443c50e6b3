import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LogBook } from '../../src/domain/logs/log-book.ts';
import { stripped } from '../../src/paint/row.ts';
import { createLook } from '../../src/paint/theme.ts';
import { groupsCounted, openGroups } from '../../src/screens/log/groups.ts';
import { type GroupTags, tagGroups, tagsOf } from '../../src/state/group-tags.ts';
import type { GroupsView, State } from '../../src/state/model.ts';
import { withTop } from '../../src/state/view-stack.ts';
import { bodyLines } from '../../src/ui/body.ts';
import { bottomLines } from '../../src/ui/bottom-line.ts';
import { sceneOf } from '../domain/scene.ts';
import { followedState, NOON, played, reportOf, workedOff } from '../support/state.ts';

const shop = sceneOf('shop-frontend', 4);
const scan = shop.incident('scanner');
const rows = shop.records(scan.from, scan.to).map((record) => ({ record, late: false }));
const look = createLook('mono', false, true);

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

function groupsOf(state: State): GroupsView {
  const view = state.views.at(-1);
  assert.ok(view?.kind === 'groups');
  return view;
}

test('of the groups of addresses the planted scanners and no others are tagged so', () => {
  const book = bookOf();
  const { groups } = book.groupBy(['ip'], 1000);
  const tags = tagsOfGroups(book, ['ip'], groups, 'none');
  const tagged = groups.filter((group) => tagsOf({ by: ['ip'], tags }, group).includes('scanner'));
  assert.deepEqual(new Set(tagged.map(({ key }) => key['ip'])), new Set(scan.cause['ip']));
});

test('groups of what is no sender, and groups too small to tell, are not looked at', () => {
  const book = bookOf();
  assert.equal(tagsOfGroups(book, ['status'], book.groupBy(['status'], 9).groups, 'none').size, 0);
  const { groups } = book.groupBy(['ip'], 1000);
  const few = groups.filter(({ count }) => count < 50);
  assert.ok(few.length > 0);
  assert.equal(tagsOfGroups(book, ['ip'], few, 'none').size, 0);
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

test('the tag stands in a column where the screen is wide, else beside the hints; it is looked at anew after 5 s', () => {
  const opened = workedOff(openGroups(followedState([...rows]), ['asn']));
  const at = groupsOf(opened).groups.findIndex(({ key }) => key['asn'] === scan.cause['asn']?.[0]);
  const state = played(opened, ...Array.from({ length: at }, () => 'down' as const)).state;
  assert.match(stripped(bottomLines(state, look).join('')), /^ looks like scanner \(a: why\)/);
  const wide = { ...state, size: { columns: 120, rows: 24 } };
  assert.doesNotMatch(stripped(bottomLines(wide, look).join('')), /looks like/);
  const lines = (bodyLines(wide, look) ?? []).map(stripped);
  assert.match(lines[0] ?? '', / LOOKS /);
  assert.match(lines.find((line) => line.startsWith('▌')) ?? '', / scanner +$/);
  assert.ok(lines.every((line) => line.length <= 120));
  const view = groupsOf(state);
  const at4999 = { ...state, now: NOON + 4999 };
  const at5000 = { ...state, now: NOON + 5000 };
  const tagsAt = (then: State) => groupsOf(workedOff(withTop(then, groupsCounted(then, view)))).tags;
  assert.equal(tagsAt(at4999), view.tags);
  assert.notEqual(tagsAt(at5000), view.tags);
});

test('groups of a window that was read to its end are looked at once more, however soon that is', () => {
  const early = workedOff(openGroups(followedState(rows.slice(0, 60)), ['asn']));
  const view = groupsOf(early);
  const isTagged = (state: State) =>
    groupsOf(state).groups.some((group) => tagsOf(groupsOf(state), group).includes('scanner'));
  assert.ok(!isTagged(early));
  const event = { rows: rows.slice(60), report: reportOf({ status: 'stopped' }) };
  const read = played(early, {
    type: 'tailRead',
    zone: '1',
    generation: early.session?.generation ?? 0,
    event,
  }).state;
  assert.equal(groupsOf(read).rows, rows.length);
  assert.equal(read.now - view.taggedAt, 0);
  assert.ok(isTagged(read));
});
