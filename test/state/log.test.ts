import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyReport, type SavedReport } from '../../src/domain/logs/saved-report.ts';
import { EMPTY_QUERY, type Query } from '../../src/domain/query/query.ts';
import { parseQuery } from '../../src/domain/query/query-text.ts';
import { subscriptions } from '../../src/loop/subscriptions.ts';
import { openSaved } from '../../src/screens/log/saved.ts';
import { onTop, plainOnTop } from '../../src/screens/screens.ts';
import { listHeight } from '../../src/state/list/screen-layout.ts';
import type { LogView, State } from '../../src/state/model.ts';
import { logWindow, shownLog } from '../../src/state/sessions/session.ts';
import { rowsIn } from '../domain/log-rows.ts';
import {
  followedState,
  gapOf,
  NOON,
  played,
  recordOf,
  reportOf,
  rowsOf,
  startState,
} from '../support/state.ts';

function logOf(state: State): LogView {
  const view = shownLog(state);
  assert.ok(view);
  return view;
}

function bookOf(state: State) {
  assert.ok(state.session);
  return state.session.book;
}

function more(state: State, rows: ReturnType<typeof rowsOf>) {
  const generation = state.session?.generation ?? 0;
  return { type: 'tailRead', zone: '1', generation, event: { rows, report: reportOf() } } as const;
}

/** Paths of the rows on screen, and the one under the cursor. */
function screenOf(state: State): { first: string; last: string; cursor: string } {
  const book = bookOf(state);
  const { top, cursor, length } = logWindow(logOf(state), book, listHeight(state));
  const path = (index: number) => {
    const item = book.at(index);
    return item?.kind === 'row' ? book.record(item.id).path : 'gap';
  };
  return {
    first: path(top),
    last: path(Math.min(length, top + listHeight(state)) - 1),
    cursor: path(cursor),
  };
}

test('moving up pauses: nothing on screen moves, and what arrives is counted exactly', () => {
  const state = played(followedState(rowsOf(0, 100)), 'up').state;
  const before = screenOf(state);
  const later = played(state, more(state, rowsOf(100, 142))).state;
  assert.equal(logOf(later).paused, true);
  assert.deepEqual(screenOf(later), before);
  assert.equal(bookOf(later).backlog, 42);
});

test('a late row above the screen does not move what is looked at', () => {
  const state = played(followedState(rowsOf(0, 100)), 'up', 'up').state;
  const before = screenOf(state);
  const late = { record: recordOf(3, { path: '/late', requestId: 'f'.repeat(32) }), late: true };
  const { state: after } = played(state, more(state, [late]));
  assert.deepEqual(screenOf(after), before);
});

test('rows of another generation are dropped', () => {
  const state = followedState(rowsOf(0, 10));
  const stale = {
    type: 'tailRead',
    zone: '1',
    generation: 99,
    event: { rows: rowsOf(10, 20), report: reportOf() },
  } as const;
  assert.equal(bookOf(played(state, stale).state).size, 10);
});

test('Esc stops the reading of a gap before it is a step back, and Enter on it says what is under way', () => {
  const gap = gapOf(10, 20);
  const paused = played(followedState([...rowsOf(0, 10), ...rowsOf(20, 30)], [gap]), 'first').state;
  const onGap = Array.from({ length: 10 }).reduce<State>((state) => played(state, 'down').state, paused);
  const reading = played(onGap, 'open', {
    type: 'tailRead',
    zone: '1',
    generation: 1,
    event: { rows: [], report: reportOf({ gaps: [gap], reading: [{ from: gap.from, to: gap.to }] }) },
  }).state;
  const again = played(reading, 'open');
  assert.deepEqual(again.effects, []);
  assert.match(again.state.notice?.text ?? '', /being read; Esc stops it/);
  const stopped = played(reading, 'leave');
  assert.deepEqual(stopped.effects, [{ type: 'stopBackfill', generation: 1, zone: '1' }]);
  assert.equal(stopped.state.views.at(-1)?.kind, 'log');
  const idle = { rows: [], report: reportOf({ gaps: [gap] }) };
  const left = played(
    stopped.state,
    { type: 'tailRead', zone: '1', generation: 1, event: idle },
    'leave',
  ).state;
  assert.equal(left.views.at(-1)?.kind, 'zones');
});

test('Enter on a gap reads it, and its rows show even while paused', () => {
  const gap = gapOf(10, 20);
  const paused = played(followedState([...rowsOf(0, 10), ...rowsOf(20, 30)], [gap]), 'first').state;
  const onGap = Array.from({ length: 10 }).reduce<State>((state) => played(state, 'down').state, paused);
  assert.equal(screenOf(onGap).cursor, 'gap');
  const { state, effects } = played(onGap, 'open');
  assert.deepEqual(effects, [
    { type: 'backfill', generation: 1, zone: '1', range: { from: gap.from, to: gap.to } },
  ]);
  const filled = played(state, more(state, rowsOf(10, 20))).state;
  assert.equal(bookOf(filled).length, 30);
  assert.equal(logOf(filled).paused, true);
});

test('a filter on the value under the cursor acts at once, and while paused asks nothing', () => {
  const state = played(followedState(rowsOf(0, 100)), 'up').state;
  const { state: filtered, effects } = played(state, 'filterIn');
  assert.deepEqual(logOf(filtered).query.terms, [
    { kind: 'field', field: 'cache', op: 'eq', values: ['HIT'], negated: false },
  ]);
  assert.equal(bookOf(filtered).hidden, 34);
  assert.deepEqual(effects, []);
  assert.equal(filtered.session?.generation, 1);
});

test('going live with a filter set while paused asks the server for it', () => {
  const { state } = played(followedState(rowsOf(0, 100)), 'up', 'filterIn', 'last');
  assert.equal(state.session?.generation, 2);
  assert.deepEqual(state.session?.tails[0]?.filter, { cacheStatus: ['HIT'] });
  assert.equal(subscriptions(state).filter((each) => each.kind === 'tail').length, 1);
});

test('a new question keeps the old rows on screen until its first answer', () => {
  const { state } = played(followedState(rowsOf(0, 100)), 'up', 'filterIn', 'last');
  assert.equal(bookOf(state).size, 100);
  const { state: answered } = played(state, more(state, rowsOf(1, 3)));
  assert.equal(bookOf(answered).size, 2);
});

test('a query that cannot be read stays in the line with its error, and nothing is sent', () => {
  const { state } = played(
    followedState(rowsOf(0, 30)),
    'editQuery',
    { type: 'typed', text: 'statsu:5xx' },
    { type: 'submitted' },
  );
  assert.equal(state.prompt?.field.text, 'statsu:5xx');
  assert.equal(state.prompt?.error?.column, 0);
  assert.equal(state.session?.generation, 1);
});

test('{ asks for the window before, as a closed one, and } comes back to following', () => {
  const { state } = played(followedState(rowsOf(0, 10)), 'earlier');
  const quarter = 15 * 60_000;
  assert.deepEqual(logOf(state).query.window, {
    kind: 'absolute',
    from: NOON - 1.5 * quarter,
    to: NOON - 0.5 * quarter,
  });
  assert.equal(state.session?.to, NOON - 0.5 * quarter);
  assert.deepEqual(logOf(played(state, 'later').state).query.window, { kind: 'last', duration: quarter });
});

test('the window of drilled rows cannot be moved, and the notice says where it can', () => {
  const { state } = played(followedState(rowsOf(0, 10)), 'chooseGroups', 'open', 'open', 'earlier');
  assert.match(state.notice?.text ?? '', /the log below/);
});

test('the keys for the history go through the queries of a log, and a new one forgets what lay ahead', () => {
  const terms = (state: State) => logOf(state).query.terms.length;
  const start = played(followedState(rowsOf(0, 100)), 'up').state;
  const twice = played(start, 'filterIn', 'right', 'filterIn').state;
  assert.equal(terms(twice), 2);
  const back = played(twice, 'historyBack', 'historyBack').state;
  assert.equal(terms(back), 0);
  assert.equal(bookOf(back).hidden, 0);
  const atStart = played(back, 'historyBack').state;
  assert.match(atStart.notice?.text ?? '', /no query before/);
  const ahead = played(back, 'historyForward').state;
  assert.equal(terms(ahead), 1);
  assert.equal(terms(played(ahead, 'historyForward').state), 2);
  const other = played(ahead, 'dropFilters', 'historyForward').state;
  assert.equal(terms(other), 0);
  assert.match(other.notice?.text ?? '', /no query after/);
  assert.equal(terms(played(other, 'historyBack').state), 1);
});

test('a query of the history is asked of the server where it has to be', () => {
  const live = played(followedState(rowsOf(0, 100)), 'up', 'filterIn', 'last').state;
  assert.equal(live.session?.generation, 2);
  const back = played(live, 'historyBack').state;
  assert.equal(back.session?.generation, 3);
  assert.deepEqual(back.session?.tails[0]?.filter, {});
});

test('a changed question that is paused before its answer shows the rows of that answer', () => {
  const asked = played(followedState(rowsOf(0, 100)), 'up', 'filterIn', 'last').state;
  const answered = played(asked, 'up', more(asked, rowsOf(1, 3))).state;
  assert.equal(logOf(answered).paused, true);
  assert.deepEqual(screenOf(answered), { first: '/p/1', last: '/p/2', cursor: '/p/2' });
  const later = played(answered, more(answered, rowsOf(4, 6))).state;
  assert.equal(bookOf(later).backlog, 2);
  assert.deepEqual(screenOf(later), screenOf(answered));
});

test('bare text is the rows from the cursor on, a gap and what was not understood as they are', () => {
  const raw = { record: recordOf(2, { raw: '{"odd":1}' }), late: false };
  const log = played(followedState([...rowsOf(0, 2), raw], [gapOf(5, 9)]), 'up', 'first').state;
  const [first = '', ...more] = plainOnTop(log);
  assert.match(first, /^2026-11-20T12:00:00\.000Z MISS 503 .* https:\/\/shop\.example\.com\/p\/0 /);
  assert.equal(more.length, 3);
  assert.match(more[1] ?? '', /^not understood: \{"odd":1\}$/);
  assert.match(more[2] ?? '', /^gap 2026-11-20T12:00:05\.000Z to .*: failed$/);
  assert.deepEqual(plainOnTop(played(log, 'down').state), more);
});

function queryOf(text: string): Query {
  const parsed = parseQuery(text, 'logs', NOON);
  assert.ok(parsed.ok);
  return parsed.query;
}

function opened(query: Query = EMPTY_QUERY, follow = false): State {
  return openSaved(startState(), { names: ['day.log'], bytesTotal: 1000, follow, query });
}

/** Rows `from`, `from + 1`, … `to - 1` have been read. */
function read(state: State, from: number, to: number, more: Partial<SavedReport> = {}): State {
  const records = Array.from({ length: to - from }, (_, i) => recordOf(from + i));
  const span = { from: recordOf(0).timestamp, to: recordOf(to - 1).timestamp };
  const report = { ...emptyReport(1, 1000), rows: to, bytesRead: 430, span, ...more };
  const rows = records;
  return played(state, {
    type: 'savedRead',
    generation: state.session?.generation ?? 0,
    event: { rows, report },
  }).state;
}

const idsInView = (state: State) =>
  [...(state.session ? rowsIn(state.session.book) : [])].map(({ record }) =>
    Number.parseInt(record.requestId ?? '', 16),
  );

test('a file is shown from its first row, and stands still while the rest is read', () => {
  const first = read(opened(), 0, 50);
  assert.deepEqual([shownLog(first)?.cursor, shownLog(first)?.paused], [first.session?.book.at(0), true]);
  const more = read(first, 50, 90);
  assert.deepEqual(shownLog(more)?.cursor, shownLog(first)?.cursor);
  assert.equal(more.session?.book.length, 90);
});

test('the reader runs until the files are read, and goes on only with follow', () => {
  const kinds = (state: State) => subscriptions(state).map((each) => each.kind);
  assert.deepEqual(kinds(opened()), ['saved']);
  assert.deepEqual(kinds(read(opened(), 0, 5, { status: 'read' })), []);
  assert.deepEqual(kinds(read(opened(EMPTY_QUERY, true), 0, 5, { status: 'following' })), ['saved']);
});

test('Esc ends the reading, keeps what was read, and calls it stopped', () => {
  const stopped = played(read(opened(), 0, 50), 'leave').state;
  assert.equal(stopped.session?.source.kind === 'files' && stopped.session.source.report.status, 'stopped');
  assert.deepEqual([subscriptions(stopped), stopped.session?.book.size, stopped.leaving], [[], 50, false]);
  assert.equal(read(stopped, 50, 60).session?.book.size, 50, 'what still arrives is dropped');
});

test('last: moves with the newest row while a file is read, but at most once a second, and is exact at the end', () => {
  let state = read(opened(queryOf('last:10s')), 0, 20);
  state = read(state, 20, 50);
  assert.equal(idsInView(state)[0], 9);
  state = read({ ...state, now: NOON + 1000 }, 50, 60);
  assert.equal(idsInView(state)[0], 49);
  assert.equal(idsInView(read(state, 60, 80, { status: 'read' }))[0], 69);
});

test('nothing is asked of the platform on any way back', () => {
  const { state, effects } = played(
    read(opened(), 0, 50, { status: 'read' }),
    'open',
    'leave',
    'chooseGroups',
    'open',
    'open',
    'leave',
    'leave',
  );
  assert.deepEqual([effects, state.views.length], [[], 1]);
});

test('a saved gap is a row that cannot be read any more', () => {
  const state = read(opened(), 5, 9, { gaps: [gapOf(0, 4)], status: 'read' });
  const { state: asked, effects } = played(state, 'first', 'open');
  assert.match(asked.notice?.text ?? '', /when the log was saved/);
  assert.deepEqual(effects, []);
});

test('what a file would not give is said when it is known', () => {
  const troubles = [{ file: 'day.log', what: 'is cut off', isLoss: true }];
  const state = read(opened(), 0, 5, { status: 'read', troubles });
  const of = (told: typeof state) => told.remarks.map(({ tone, remark }) => `${tone}: ${remark}`);
  assert.deepEqual(of(state), ['warning: day.log is cut off']);
  const names = ['a.log', 'b.log', 'c.log', 'd.log'];
  const more = names.map((file) => ({ file, what: 'is cut off', isLoss: true }));
  const later = read(state, 5, 6, { status: 'read', troubles: [...troubles, ...more] });
  const words = 'd.log is cut off; c.log is cut off; b.log is cut off; and 2 more';
  assert.deepEqual(of(later), [`warning: ${words}`]);
});

test('what was handed over says what of the files was not read', () => {
  const troubles = [{ file: 'day.log', what: 'is cut off', isLoss: true }];
  const state = read(opened(), 0, 60, { status: 'read', troubles, bad: 2, gaps: [gapOf(1, 2)] });
  assert.deepEqual(onTop(state, 'coverage'), [
    'saved rows from 2026-11-20T12:00:00.000Z to 2026-11-20T12:00:59.000Z',
    'day.log is cut off',
    '2 rows were not understood',
    'gap 2026-11-20 12:00:01.000 to 12:00:02.000: failed',
  ]);
  const stopped = onTop(played(read(opened(), 0, 60), 'leave').state, 'coverage');
  assert.ok(stopped.includes('the files were not read to their end'));
});
