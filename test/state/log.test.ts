import assert from 'node:assert/strict';
import { test } from 'node:test';
import { subscriptions } from '../../src/loop/subscriptions.ts';
import { listHeight } from '../../src/state/list/layout.ts';
import { logWindow } from '../../src/state/list/log-window.ts';
import type { LogView, State } from '../../src/state/model.ts';
import { shownLog } from '../../src/state/sessions/session.ts';
import { followedState, gapOf, NOON, played, recordOf, reportOf, rowsOf } from '../support/state.ts';

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

test('the live pane hangs on the newest row', () => {
  const state = played(followedState(rowsOf(0, 100)), more(followedState([]), [])).state;
  assert.equal(screenOf(state).last, '/p/99');
  const grown = played(state, more(state, rowsOf(100, 105))).state;
  assert.equal(screenOf(grown).last, '/p/104');
});

test('moving up pauses: nothing on screen moves, and what arrives is counted exactly', () => {
  const state = played(followedState(rowsOf(0, 100)), 'up').state;
  const before = screenOf(state);
  const later = played(state, more(state, rowsOf(100, 142))).state;
  assert.equal(logOf(later).paused, true);
  assert.deepEqual(screenOf(later), before);
  assert.equal(bookOf(later).backlog, 42);
});

test('moving down at the live end does not pause', () => {
  const { state } = played(followedState(rowsOf(0, 100)), 'down', 'pageDown');
  assert.equal(logOf(state).paused, false);
});

test('G goes live again and shows the backlog', () => {
  const state = played(followedState(rowsOf(0, 100)), 'pause').state;
  const { state: live } = played(state, more(state, rowsOf(100, 110)), 'last');
  assert.equal(bookOf(live).backlog, 0);
  assert.equal(screenOf(live).last, '/p/109');
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

test('Enter on a row opens it, and Esc comes back to the same rows', () => {
  const state = played(followedState(rowsOf(0, 100)), 'up', 'up').state;
  const before = screenOf(state);
  const opened = played(state, 'open').state;
  assert.equal(opened.views.at(-1)?.kind, 'record');
  assert.deepEqual(screenOf(played(opened, 'leave').state), before);
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

test('q leaves a log whose gap is being read', () => {
  const report = reportOf({ gaps: [gapOf(10, 20)], reading: [{ from: NOON, to: NOON + 1 }] });
  const reading = played(followedState(rowsOf(0, 10)), {
    type: 'tailRead',
    zone: '1',
    generation: 1,
    event: { rows: [], report },
  });
  assert.equal(played(reading.state, 'back').state.views.at(-1)?.kind, 'zones');
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

test('an exclusion runs here: the server is not asked anew', () => {
  const { state } = played(followedState(rowsOf(0, 100)), 'up', 'filterOut', 'last');
  assert.equal(state.session?.generation, 1);
  assert.equal(bookOf(state).hidden, 66);
});

test('+ and - on the same value never stand side by side', () => {
  const { state } = played(followedState(rowsOf(0, 100)), 'up', 'filterIn', 'filterOut');
  assert.deepEqual(logOf(state).query.terms, [
    { kind: 'field', field: 'cache', op: 'eq', values: ['HIT'], negated: true },
  ]);
});

test('x drops the last filter, X all of them', () => {
  const { state } = played(followedState(rowsOf(0, 100)), 'up', 'filterOut', 'right', 'filterIn');
  assert.equal(logOf(state).query.terms.length, 2);
  assert.equal(logOf(played(state, 'dropFilter').state).query.terms.length, 1);
  assert.equal(logOf(played(state, 'dropFilters').state).query.terms.length, 0);
});

test('a search finds, counts, goes on and wraps', () => {
  const state = played(followedState(rowsOf(0, 30)), 'first').state;
  const { state: found } = played(state, 'find', { type: 'typed', text: '/p/2' }, { type: 'submitted' });
  assert.deepEqual(logOf(found).search, { needle: '/p/2', at: { index: 1, total: 11 } });
  assert.equal(screenOf(found).cursor, '/p/2');
  const { state: next } = played(found, 'findNext');
  assert.equal(screenOf(next).cursor, '/p/20');
  const { state: wrapped } = played(found, 'findPrevious');
  assert.equal(screenOf(wrapped).cursor, '/p/29');
  assert.match(wrapped.notice?.text ?? '', /round the end/);
});

test('& turns the search into a filter', () => {
  const { state } = played(
    followedState(rowsOf(0, 30)),
    'find',
    { type: 'typed', text: '/p/2' },
    { type: 'submitted' },
    'findToFilter',
  );
  assert.deepEqual(logOf(state).query.terms, [{ kind: 'text', value: '/p/2', negated: false }]);
  assert.equal(bookOf(state).size - bookOf(state).hidden, 11);
});

test('a search for nothing that is there says so and moves nothing', () => {
  const state = played(followedState(rowsOf(0, 30)), 'pause').state;
  const { state: found } = played(state, 'find', { type: 'typed', text: 'nowhere' }, { type: 'submitted' });
  assert.match(found.notice?.text ?? '', /'nowhere' is not in the 30 rows/);
  assert.deepEqual(screenOf(found), screenOf(state));
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

test('Esc leaves the query as it was', () => {
  const start = played(followedState(rowsOf(0, 30)), 'up', 'filterOut').state;
  const { state } = played(start, 'editQuery', { type: 'typed', text: ' status:404' }, { type: 'cancelled' });
  assert.equal(state.prompt, null);
  assert.deepEqual(logOf(state).query, logOf(start).query);
});

test('leaving the log hangs up its tail', () => {
  const { state } = played(followedState(rowsOf(0, 10)), 'leave', 'follow');
  assert.deepEqual(subscriptions(state), []);
  assert.equal(state.session, null);
});

test('a window asks anew from its start', () => {
  const { state } = played(
    followedState(rowsOf(0, 10)),
    'chooseWindow',
    { type: 'typed', text: 'last:5m' },
    { type: 'submitted' },
  );
  assert.equal(state.session?.from, NOON - 300_000);
  assert.equal(state.session?.generation, 2);
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

test('Z asks for a longer window and z for a shorter one', () => {
  const { state } = played(followedState(rowsOf(0, 10)), 'zoomOut');
  assert.deepEqual(logOf(state).query.window, { kind: 'last', duration: 3_600_000 });
  assert.deepEqual(logOf(played(state, 'zoomIn', 'zoomIn').state).query.window, {
    kind: 'last',
    duration: 300_000,
  });
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

test('1 hangs the log up: the picker follows nothing', () => {
  const { state } = played(followedState(rowsOf(0, 30)), 'zonesScreen', 'follow');
  assert.deepEqual([state.session, state.views.length], [null, 1]);
  assert.deepEqual(subscriptions(state), []);
});

test('a window that became smaller still shows the row under the cursor', () => {
  const tall = played(followedState(rowsOf(0, 300)), { type: 'resized', columns: 80, rows: 60 }, 'up').state;
  const { state } = played(tall, { type: 'resized', columns: 80, rows: 24 });
  const { top, cursor } = logWindow(logOf(state), bookOf(state), listHeight(state));
  assert.equal(cursor - top, listHeight(state) - 1);
  const again = played(state, { type: 'resized', columns: 80, rows: 60 }).state;
  assert.deepEqual(screenOf(again), screenOf(tall));
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
