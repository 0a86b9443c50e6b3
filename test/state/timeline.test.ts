import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LogBook } from '../../src/domain/logs/log-book.ts';
import { emptyReport, type SavedReport } from '../../src/domain/logs/saved-report.ts';
import { EMPTY_QUERY, type Query } from '../../src/domain/query/query.ts';
import { openSaved } from '../../src/screens/log/saved.ts';
import type { State } from '../../src/state/model.ts';
import { API, OFF, openedZones, rowsOfZone, SHOP, toldBy } from '../support/several-zones.ts';
import { inRows, opened } from '../support/shield.ts';
import { followedState, gapOf, NOON, played, recordOf, rowsOf, startState } from '../support/state.ts';
import { drawn, liveLog, seconds, timeline, told } from '../support/timeline.ts';

const DAY = 86_400_000;

function sum(state: State): number {
  return timeline(state).totals.reduce((all, total) => all + total, 0);
}

test('gaps and time that was not read are told apart, and no row that is here is hidden behind them', () => {
  const gaps = [gapOf(6, 10), { ...gapOf(12, 16), reason: 'notRead' as const }];
  const read = [seconds(0, 6), seconds(16, 20)];
  const state = told(liveLog(0), [...rowsOf(0, 6), ...rowsOf(14, 20)], 20, { gaps, read });
  assert.match(drawn(state), /^2 2 2 x x \/ \/ 2\+ 2 2 -/);
});

test('of several zones the times are read that all of them have read, and one that fails holds nothing up', () => {
  const readTo = (from: number, to: number) => ({ read: [seconds(from, to)], completeTo: NOON + to * 1000 });
  let state = openedZones([SHOP, API, OFF]);
  state = played(state, toldBy(state, '1', rowsOfZone('1', 0, 12), readTo(0, 20))).state;
  assert.match(drawn(state), /^2\+ 2\+ 2\+ 2\+ 2\+ 2\+ 0\+ 0\+ 0\+ 0\+ -/, 'the other zone has read nothing');
  state = played(state, toldBy(state, '2', rowsOfZone('2', 4, 8), readTo(4, 8))).state;
  assert.match(drawn(state), /^2\+ 2\+ 4 4 2\+ 2\+ 0\+ 0\+ 0\+ 0\+ -/);
});

test('a pause ends with what was there: rows that are held back are in no count, and the steps stay', () => {
  const paused = played(liveLog(30), 'pause').state;
  const [before, steps] = [drawn(paused), timeline(paused).steps];
  const later = told({ ...paused, now: NOON + 400_000 }, rowsOf(30, 400), 400);
  assert.equal(drawn(later), before);
  assert.deepEqual(timeline(later).steps, steps);
  assert.ok(sum(played(later, 'pause').state) > 300);
});

test('a log that was paused before its first row claims nothing of the time since', () => {
  const paused = played(followedState([]), 'pause').state;
  assert.match(drawn(told(paused, rowsOf(0, 30), 30)), /^- - -/);
});

test('while old rows are dropped the steps stay where they are, but for one jump in eight steps', () => {
  const live = liveLog(1);
  const book = new LogBook({ capacity: 300 });
  let state: State = live.session ? { ...live, session: { ...live.session, book } } : live;
  const places = new Set<number>();
  for (let until = 2; until < 1000; until++) {
    state = told({ ...state, now: NOON + until * 1000 }, rowsOf(until - 1, until), until);
    if (until >= 600) places.add(timeline(state).steps.from);
  }
  const { step } = timeline(state).steps;
  assert.ok(book.evicted > 500);
  assert.ok(places.size <= 400_000 / (8 * step) + 1, `${places.size} places of steps of ${step}`);
  assert.match(drawn(state), /^(\/ )*\d+\+? (5 )+.*5/);
});

test('of a window all is drawn from the start, and what falls out of memory later is not read', () => {
  const window = { kind: 'absolute', ...seconds(0, 60) } as const;
  const query = { ...EMPTY_QUERY, window };
  let state = { ...openedZones([SHOP], {}, query), now: NOON + 90_000 };
  state = played(state, toldBy(state, '1', rowsOfZone('1', 0, 30), { read: [seconds(0, 30)], readShare: 0.5 })).state; // biome-ignore format: one line
  assert.equal(drawn(state), `${'1 '.repeat(30)}${Array.from({ length: 30 }, () => '/').join(' ')}`);
});

test('a window that ends in a minute is ahead until then', () => {
  const query: Query = { ...EMPTY_QUERY, window: { kind: 'absolute', ...seconds(0, 60) } };
  let state = { ...openedZones([SHOP], {}, query), now: NOON + 20_000 };
  state = played(state, toldBy(state, '1', rowsOfZone('1', 0, 20), { read: [seconds(0, 20)] })).state;
  assert.match(drawn(state), /1 -( -){39}$/);
});

/** Files that were read, or are being read. */
function saved(times: readonly number[], more: Partial<SavedReport> = {}, query = EMPTY_QUERY): State {
  const state = openSaved(startState(), { names: ['day.log'], bytesTotal: 1000, follow: false, query });
  const records = times.map((timestamp, at) => recordOf(at, { timestamp }));
  const span = { from: Math.min(...times), to: Math.max(...times) };
  const report: SavedReport = { ...emptyReport(1, 1000), rows: times.length, span, status: 'read', ...more };
  const generation = state.session?.generation ?? 0;
  return played(state, { type: 'savedRead', generation, event: { rows: records, report } }).state; // biome-ignore format: one line
}

const minute = Array.from({ length: 60 }, (_, at) => NOON + at * 1000);

test('a file is drawn from its first row to its last, each a whole step, and is in part while it is read', () => {
  assert.equal(drawn(saved(minute)), Array.from({ length: 60 }, () => '1').join(' '));
  const reading = drawn(saved(minute, { status: 'reading' }));
  assert.equal(reading, Array.from({ length: 60 }, () => '1+').join(' '));
  assert.match(drawn(saved(minute, { status: 'following' })), /1 1\+$/);
});

test('the window of a file is all that is drawn of it: outside of it no row passes', () => {
  const query: Query = { ...EMPTY_QUERY, window: { kind: 'absolute', ...seconds(20, 30) } };
  const { range, steps } = timeline(saved(minute, {}, query));
  assert.deepEqual(range, seconds(20, 30));
  assert.ok(steps.step < 1000);
});

test('a row whose time is years away does not make the others one column', () => {
  for (const astray of [0, Date.UTC(2001, 0, 1), Date.UTC(2038, 0, 1)]) {
    const { range } = timeline(saved([...minute, astray]));
    assert.ok(range.to - range.from <= 60_001, `${range.to - range.from} ms`);
  }
  // Time that has few rows but is not far from the others counts.
  const spread = timeline(saved([...minute, NOON - DAY / 2]));
  assert.equal(spread.range.from, NOON - DAY / 2);
});

test('Shield events are drawn where all are here, are at least where some are, and hatched where none was counted', () => {
  assert.match(drawn(opened), /^\/( \/)*$/);
  const whole = inRows(50);
  assert.deepEqual([sum(whole), timeline(whole).series], [50, 'action']);
  assert.deepEqual(new Set(timeline(whole).cover), new Set(['read']));
  // 200 of 700 are here, all of the newest second.
  const some = timeline(inRows(700));
  assert.equal(some.totals.at(-1), 200);
  assert.deepEqual([some.cover.at(-1), some.cover[0]], ['part', 'unread']);
});
