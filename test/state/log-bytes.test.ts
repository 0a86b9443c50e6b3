import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LogBook } from '../../src/domain/logs/log-book.ts';
import { sessions } from '../../src/state/logs/session.ts';
import type { State } from '../../src/state/model.ts';
import { anyRecord, RUNS, row } from '../domain/log-rows.ts';
import { fc } from '../support/properties.ts';
import { followedState, played, reportOf } from '../support/state.ts';

const MB = 1024 * 1024;

/** Rows that nothing in them repeats, of 16 kB each. */
function largeRows(from: number, to: number) {
  return Array.from({ length: to - from }, (_, at) => ({
    record: row({
      timestamp: (from + at) * 10,
      path: `/${from + at}-${'p'.repeat(8_000)}`,
      userAgent: `${from + at} ${'u'.repeat(8_000)}`,
    }),
    late: false,
  }));
}

function read(state: State, from: number, to: number): State {
  const event = { rows: largeRows(from, to), report: reportOf() };
  return played(state, { type: 'tailRead', generation: state.session?.generation ?? 0, event }).state;
}

const bytesOf = (state: State) => sessions(state).reduce((sum, { book }) => sum + book.bytes, 0);

test('what the texts of rows take is counted when they come and taken off when they go', () => {
  fc.assert(
    fc.property(
      fc.array(anyRecord, { maxLength: 60 }),
      fc.integer({ min: 1, max: 30 }),
      (records, capacity) => {
        const book = new LogBook({ capacity });
        const empty = book.bytes;
        for (const record of records) book.append([{ record, late: false }]);
        assert.ok(book.size === 0 || book.bytes > empty);
        book.evictDownTo(0);
        assert.equal(book.size, 0);
        assert.equal(book.bytes, empty);
      },
    ),
    { numRuns: RUNS },
  );
});

test('rows of 16 kB each fill a session to its bytes and no further; the oldest go first and are counted', () => {
  let state: State = { ...followedState([]), rowBytes: 32 * MB };
  const ROWS = 6_000;
  for (let from = 0; from < ROWS; from += 500) {
    state = read(state, from, from + 500);
    assert.ok(bytesOf(state) <= 32 * MB, `${bytesOf(state)} bytes after ${from + 500} rows`);
  }
  const book = state.session?.book;
  assert.ok(book);
  assert.ok(book.bytes > 31 * MB, 'and not much less');
  assert.equal(book.size + book.evicted, ROWS);
  const first = book.at(0);
  assert.ok(first?.kind === 'row');
  assert.equal(book.record(first.id).timestamp, (ROWS - book.size) * 10, 'the newest are kept');
});

test('a paused log keeps to its bytes as well', () => {
  const before = read({ ...followedState([]), rowBytes: 8 * MB }, 0, 400);
  const paused = read(played(before, 'pause').state, 400, 2_000);
  assert.ok(bytesOf(paused) <= 8 * MB, `${bytesOf(paused)} bytes`);
  assert.equal((paused.session?.book.size ?? 0) + (paused.session?.book.evicted ?? 0), 2_000);
});

test('small rows are not touched by the bytes', () => {
  const state = { ...followedState([]), rowBytes: 8 * MB };
  const rows = Array.from({ length: 5_000 }, (_, at) => ({ record: row({ timestamp: at }), late: false }));
  const after = played(state, { type: 'tailRead', generation: 1, event: { rows, report: reportOf() } }).state;
  assert.equal(after.session?.book.evicted, 0);
});
