import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyReport, type SavedReport } from '../../src/domain/logs/saved-report.ts';
import { EMPTY_QUERY, type Query } from '../../src/domain/query/query.ts';
import { parseQuery } from '../../src/domain/query/query-text.ts';
import { subscriptions } from '../../src/loop/subscriptions.ts';
import { openSaved } from '../../src/screens/log/saved.ts';
import { onTop } from '../../src/screens/screens.ts';
import type { State } from '../../src/state/model.ts';
import { shownLog } from '../../src/state/sessions/session.ts';
import { rowsIn } from '../domain/log-rows.ts';
import { gapOf, NOON, played, recordOf, startState } from '../support/state.ts';

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
  const rows = { kind: 'records', records } as const;
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
