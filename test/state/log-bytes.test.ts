import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { LogBook } from '../../src/domain/logs/log-book.ts';
import { stripped } from '../../src/paint/row.ts';
import { createLook } from '../../src/paint/theme.ts';
import type { State } from '../../src/state/model.ts';
import { sessions } from '../../src/state/sessions/session.ts';
import { count } from '../../src/text/units.ts';
import { chromeLines } from '../../src/ui/chrome.ts';
import { anyRecord, RUNS, row } from '../domain/log-rows.ts';
import { fc } from '../support/properties.ts';
import { followedState, played, reportOf } from '../support/state.ts';

const MB = 1024 * 1024;
const LOOK = createLook('default', false, true);

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
  return played(state, { type: 'tailRead', zone: '1', generation: state.session?.generation ?? 0, event })
    .state;
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
  const ROWS = 3_000;
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

test('eight hours paused at rows of 16 kB keep to the bytes, hold nothing of what went, and say how much that is', () => {
  const [BUDGET, EVERY, HOURS] = [16 * MB, 8, 8];
  const before = read({ ...followedState([]), rowBytes: BUDGET }, 0, 400);
  let state = played(before, 'pause').state;
  const held = [1, 2].map((half) => {
    const until = (half * HOURS * 3_600) / EVERY / 2;
    for (let rows = total(state); rows < until; rows += 100) {
      state = read(state, rows, Math.min(until, rows + 100));
      assert.ok(bytesOf(state) <= BUDGET, `${bytesOf(state)} bytes after ${rows} rows`);
    }
    return heapInUse();
  });
  assert.equal(total(state), (HOURS * 3_600) / EVERY);
  assert.ok(
    (held[1] ?? 0) - (held[0] ?? 0) < BUDGET / 2,
    `${held} bytes are held after four and eight hours`,
  );
  assert.equal(state.session?.book.isFrozen, true);
  const { head } = chromeLines({ ...state, size: { columns: 120, rows: 40 } }, LOOK);
  const told = `${count(state.session?.book.evicted ?? 0)} older dropped`;
  assert.ok(
    head.lines.some((line) => stripped(line).includes(told)),
    head.lines.map(stripped).join('\n'),
  );
});

function total({ session }: State): number {
  return session === null ? 0 : session.book.size + session.book.evicted;
}

/** Bytes that are reachable, after a full collection. */
function heapInUse(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}

test('small rows are not touched by the bytes', () => {
  const state = { ...followedState([]), rowBytes: 8 * MB };
  const rows = Array.from({ length: 5_000 }, (_, at) => ({ record: row({ timestamp: at }), late: false }));
  const after = played(state, {
    type: 'tailRead',
    zone: '1',
    generation: 1,
    event: { rows, report: reportOf() },
  }).state;
  assert.equal(after.session?.book.evicted, 0);
});
