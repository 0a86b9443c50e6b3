import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cursorKey } from '../../src/across/beside/detail.ts';
import { valueLines } from '../../src/across/beside/top-values.ts';
import { printQuery } from '../../src/domain/query/query-text.ts';
import { resolve } from '../../src/keymap/resolve.ts';
import { subscriptions } from '../../src/loop/subscriptions.ts';
import { update } from '../../src/loop/update.ts';
import { workOf } from '../../src/loop/work.ts';
import type { TopValues } from '../../src/state/beside-model.ts';
import { VALUE_FIELDS } from '../../src/state/beside-model.ts';
import { listColumns, listHeight } from '../../src/state/list/screen-layout.ts';
import type { State } from '../../src/state/model.ts';
import { topView } from '../../src/state/view-stack.ts';
import { pressed } from '../support/pressed.ts';
import { inRows } from '../support/shield.ts';
import { followedState, played, recordOf, reportOf, rowsOf, startState } from '../support/state.ts';

const WIDE = { columns: 200, rows: 60 };

function sized(state: State, columns: number, rows: number): State {
  return played(state, { type: 'resized', columns, rows }).state;
}

function valuesOf(state: State, field: string): TopValues {
  const values = state.beside.values.find((each) => each.field === field);
  assert.ok(values, field);
  return values;
}

function arrived(state: State, from: number, to: number, after: number): State {
  return played({ ...state, now: state.now + after }, read(state, from, to)).state;
}

function read(state: State, from: number, to: number) {
  const generation = state.session?.generation ?? 0;
  return {
    type: 'tailRead',
    zone: '1',
    generation,
    event: { rows: rowsOf(from, to), report: reportOf() },
  } as const;
}

/** The timers that wait for the cursor to rest. */
function rests(state: State): string[] {
  return subscriptions(state).flatMap(({ key }) => (key.startsWith('rest ') ? [key] : []));
}

function queryOf(state: State): string {
  const view = topView(state);
  return 'query' in view ? printQuery(view.query) : '';
}

test('they are those of the view: a filter counts them anew, and what is kept back by a pause is in none', () => {
  const wide = sized(followedState(rowsOf(0, 100)), 200, 60);
  const filtered = pressed(wide, '<Space>+');
  assert.equal(queryOf(filtered), 'cache:MISS');
  const misses = filtered.session?.book.rowsInView;
  assert.ok(misses && misses < 100);
  for (const field of VALUE_FIELDS) assert.equal(valuesOf(filtered, field).rows, misses);
  const paused = pressed(sized(followedState(rowsOf(0, 100)), 200, 60), 'Space');
  const held = arrived(paused, 100, 200, 60_000);
  assert.equal(valuesOf(held, 'cache').rows, 100);
  const [come] = update(held, read(held, 200, 300), held.now + 60_000);
  assert.equal(workOf(come), null, 'what is not in view is no reason to count again');
});

test('while rows come one field a second is counted again, and none before it is 8 s old', () => {
  const wide = sized(followedState(rowsOf(0, 100)), 200, 60);
  const soon = arrived(wide, 100, 200, 7000);
  assert.deepEqual(new Set(soon.beside.values.map(({ rows }) => rows)), new Set([100]));
  const first = arrived(soon, 200, 300, 1000);
  assert.deepEqual(first.beside.values.filter(({ rows }) => rows === 300).length, 1);
  const same = arrived(first, 300, 400, 999);
  assert.equal(same.beside.values.filter(({ rows }) => rows > 100).length, 1);
  const second = arrived(same, 400, 500, 1);
  assert.equal(second.beside.values.filter(({ rows }) => rows > 100).length, 2);
});

test('nothing is counted that is not on screen', () => {
  const log = followedState(rowsOf(0, 100));
  assert.equal(workOf(log), null);
  const [wide] = update(log, { type: 'resized', ...WIDE }, log.now);
  assert.equal(workOf(wide), 'values');
  const hidden = pressed(sized(log, 200, 60), '<:values><:values>');
  const [late] = update(hidden, { type: 'worked' }, hidden.now);
  assert.equal(workOf({ ...late, now: late.now + 60_000 }), null);
  const [help] = update(wide, resolve(wide, '?'), wide.now);
  assert.equal(workOf(help), null);
});

test('Enter and + keep the value under the cursor, - hides it, = keeps nothing else, x takes it back, b groups by it', () => {
  const values = pressed(sized(followedState(rowsOf(0, 100)), 150, 40), '<:values>j');
  assert.equal(queryOf(pressed(values, '<Enter>')), 'status:503');
  assert.equal(queryOf(pressed(values, '+')), 'status:503');
  assert.equal(queryOf(pressed(values, '-')), '-status:503');
  assert.equal(queryOf(pressed(values, '-jj<:only>')), 'cache:MISS');
  assert.equal(queryOf(pressed(values, '-x')), '');
  assert.equal(queryOf(pressed(values, 'b')), 'by:status');
  assert.equal(pressed(values, '-').overlay?.kind, 'topValues');
  assert.equal(pressed(values, '-').session?.book.rowsInView, 90);
});

test('a page goes a field further, and rows that come leave the values under a cursor alone', () => {
  const values = pressed(sized(followedState(rowsOf(0, 100)), 150, 40), '<:values>');
  assert.equal(queryOf(pressed(values, '<PgDn>+')), 'cache:HIT');
  const later = arrived(values, 100, 400, 60_000);
  assert.equal(valuesOf(later, 'status').rows, 100);
});

test('a field that no row has a value of leaves its lines to the others', () => {
  const listed = (remoteIp: string | null) => {
    const rows = rowsOf(0, 20).map(({ record, late }) => ({ record: { ...record, remoteIp }, late }));
    const wide = sized(followedState(rows), 200, 60);
    return valueLines(wide, 60).flatMap((line) => (line.kind === 'field' ? [line.of.field] : []));
  };
  assert.ok(listed('192.0.2.1').includes('net'));
  assert.ok(!listed(null).includes('net'));
});

test('the line that a cursor rests on is told in full, and a held key tells none on its way', () => {
  const log = sized(followedState(rowsOf(0, 100)), 200, 60);
  assert.deepEqual(rests(log), []);
  const paused = pressed(log, 'k');
  const one = pressed(paused, 'k');
  assert.equal(one.beside.detail, null);
  assert.deepEqual(rests(one), [`rest ${cursorKey(one)}`]);
  assert.notDeepEqual(rests(one), rests(paused));
  const rested = played(one, { type: 'ticked', now: 0 }).state;
  assert.equal(rested.beside.detail, cursorKey(one));
  assert.deepEqual(rests(rested), []);
  const moving = pressed(rested, 'kkk');
  assert.equal(moving.beside.detail, rested.beside.detail);
});

test('a tall screen has it below the list, a small one has it nowhere', () => {
  const log = followedState(rowsOf(0, 100));
  const tall = sized(log, 120, 45);
  assert.equal(listHeight(sized(log, 120, 44)) - listHeight(tall), 10);
  assert.equal(listColumns(tall), 120);
  assert.equal(rests(pressed(tall, 'k')).length, 1);
  assert.deepEqual(rests(pressed(log, 'k')), []);
  const events = sized(inRows(20), 160, 40);
  assert.ok(listColumns(events) < 160);
  assert.equal(rests(events).length, 1);
});

test('a counting that is under way does not keep the rows of a log that was left', () => {
  const rows = rowsOf(0, 100).map(({ record }, at) => ({ record: recordOf(at, { ...record }), late: false }));
  const [wide] = update(followedState(rows), { type: 'resized', ...WIDE }, startState().now);
  const of = {
    generation: wide.session?.generation ?? 0,
    query: { window: null, terms: [], groupBy: [] },
    version: 0,
  };
  assert.ok(wide.session);
  const work = { field: 'page', of, work: wide.session.book.countGroups(['page'], 1) };
  const counting = { ...wide, beside: { ...wide.beside, work } };
  const [left] = update(counting, { type: 'commanded', command: 'zonesScreen' }, counting.now);
  assert.equal(left.session, null);
  assert.equal(left.beside.work, null);
});
