import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureOf } from '../../src/domain/failure.ts';
import type { Need } from '../../src/domain/inquiry/inquiry.ts';
import { subscriptions } from '../../src/loop/subscriptions.ts';
import { update } from '../../src/loop/update.ts';
import { rowUnder, shownLines } from '../../src/screens/answer/answer-cursor.ts';
import { type AnswerView, askedWords } from '../../src/state/answer-model.ts';
import type { LogView, State } from '../../src/state/model.ts';
import { topView } from '../../src/state/view-stack.ts';
import { rules } from '../support/shield.ts';
import { listedState, NOON, played, recordOf, reportOf, rowsOf, zoneOf } from '../support/state.ts';

/** Rows of one client, of the half minute before noon. */
const past = Array.from({ length: 30 }, (_, n) => ({ record: seen(n - 30), late: false }));

const log = played(
  listedState([zoneOf('1', 'shop')]),
  'open',
  { type: 'tailRead', zone: '1', generation: 1, event: { rows: past, report: reportOf() } },
  'pause',
).state;

/** On the address of a row. */
const onAddress = played(log, ...Array.from({ length: 5 }, () => 'right' as const)).state;

function seen(second: number) {
  return recordOf(second, { remoteIp: '192.0.2.7', statusCode: 200 });
}

function answer(state: State): AnswerView {
  const view = topView(state);
  assert.equal(view.kind, 'answer');
  return view as AnswerView;
}

function asked(state: State): readonly Need[] {
  return subscriptions(state).flatMap((each) => (each.kind === 'inquiry' ? each.needs : []));
}

/** Every need of the inquiry on top met by these rows, or by nothing. */
function met(state: State, rows = [seen(-3)]): State {
  return asked(state).reduce((now, need) => {
    const inRange =
      need.kind === 'logs'
        ? rows.filter((row) => row.timestamp >= need.range.from && row.timestamp < need.range.to)
        : [];
    return update(
      now,
      {
        type: 'needMet',
        inquiry: answer(now).number,
        need,
        met: { kind: 'logs', records: inRange, hasMore: false },
      },
      NOON,
    )[0];
  }, state);
}

test('a question that costs more says its price and asks nothing before Enter', () => {
  const { state } = played(rules, 'compare');
  assert.equal(answer(state).stage.kind, 'priced');
  assert.deepEqual(asked(state), []);
  assert.match(answer(state).table.headline, /\?$/);
  assert.deepEqual(
    answer(state).choices.map(({ title, inquiry }) => [title, inquiry?.needs.length]),
    [
      ['the window before', 18],
      ['a day earlier', 18],
      ['two days earlier', 18],
    ],
  );
  const { state: going } = played(state, 'down', 'open');
  assert.equal(askedWords(answer(going)), 'compared with a day earlier');
  assert.equal(asked(going).length, 18);
  assert.equal(played(state, 'leave').state.views.length, rules.views.length);
});

test('an answer to a question that was left or cancelled is dropped', () => {
  const { state } = played(onAddress, 'bypassCheck');
  const [need] = asked(state);
  assert.ok(need);
  const late = {
    type: 'needMet',
    inquiry: answer(state).number,
    need,
    met: { kind: 'logs', records: [seen(-3)], hasMore: false },
  } as const;
  const left = played(state, 'leave').state;
  assert.deepEqual(update(left, late, NOON)[0], left);
  const [cancelled] = update(state, { type: 'commanded', command: 'leave' }, NOON + 500);
  assert.equal(answer(cancelled).stage.kind, 'cancelled');
  assert.deepEqual(asked(cancelled), []);
  assert.equal(update(cancelled, late, NOON + 600)[0].views, cancelled.views);
});

test('what no answer covered is asked for again on order, and only that', () => {
  const { state } = played(onAddress, 'bypassCheck');
  const [need] = asked(state);
  assert.ok(need?.kind === 'logs');
  const failed = { kind: 'failed', failure: failureOf('serverError', {}) } as const;
  const [after] = update(state, { type: 'needMet', inquiry: answer(state).number, need, met: failed }, NOON);
  assert.equal(answer(after).failures, 1);
  const again = played(after, 'refresh').state;
  assert.deepEqual(
    asked(again).map((each) => each.kind === 'logs' && each.range),
    [need.range],
  );
  const cut = { kind: 'logs', records: [seen(-20), seen(-10)], hasMore: true } as const;
  const [anew = need] = asked(again);
  const told = { type: 'needMet', inquiry: answer(again).number, need: anew, met: cut } as const;
  const [partly] = update(again, told, NOON);
  // One request was said, and is spent.
  assert.deepEqual([answer(partly).stage.kind, asked(partly)], ['read', []]);
  const rest = asked(played(partly, 'refresh').state);
  assert.deepEqual(
    rest.map((each) => each.kind === 'logs' && each.range),
    [{ from: NOON - 10_000, to: need.range.to }],
  );
});

test('a nothing is only said of a window that was read whole', () => {
  const { state } = played(onAddress, 'bypassCheck');
  const [need] = asked(state);
  assert.ok(need?.kind === 'logs');
  const cut = { kind: 'logs', records: [], hasMore: true } as const;
  const [partly] = update(state, { type: 'needMet', inquiry: answer(state).number, need, met: cut }, NOON);
  assert.match(answer(partly).table.headline, /in what was read so far$/);
  assert.match(answer(met(state, [])).table.headline, /^no request of this client$/);
});

test('the cursor begins on the first line that leads somewhere, also when rows come, until it is moved', () => {
  const { state } = played(log, 'missLens');
  const done = met(state);
  const leading = (each: State) => rowUnder(each, answer(each))?.leads;
  assert.ok(leading(done));
  const lines = shownLines(answer(done).table, 80);
  assert.equal(
    answer(done).cursor,
    lines.findIndex((line) => line.kind === 'row' && line.row.leads !== undefined),
  );
  const [first, ...others] = asked(state);
  assert.ok(first);
  const moved = played(state, 'down', 'up').state;
  assert.equal(answer(moved).cursor, 0);
  assert.equal(others.length, 5);
  assert.equal(answer(met(moved)).cursor, 0);
});

test('a gap that was asked for is shown as soon as it is read, also where its paused log is parked behind the explorer', () => {
  const [root, under, above, over] = played(met(played(onAddress, 'bypassCheck').state), 'open').state.views;
  assert.ok(root && above && under?.kind === 'log' && over?.kind === 'log' && over.beneath);
  const waiting = {
    ...over.beneath,
    tails: over.beneath.tails.map((tail) => ({ ...tail, isAwaited: true })),
  };
  waiting.book.freeze();
  const generation = waiting.generation;
  const event = { rows: rowsOf(0, 7), report: reportOf() };
  const opened = played(onAddress, 'bypassCheck').state;
  const state: State = {
    ...opened,
    session: null,
    views: [root, above, { ...over, beneath: waiting }],
    parked: [root, { ...under, paused: true }],
  };
  const [fed] = update(state, { type: 'tailRead', zone: '1', generation, event }, NOON);
  const book = (fed.views.at(-1) as LogView).beneath?.book;
  assert.deepEqual([book?.backlog, (book?.length ?? 0) >= 7], [0, true]);
});

test('an answer that was parked while it was asked goes on where it was left, and counts no reply twice', () => {
  const { state } = played(onAddress, 'bypassCheck');
  const [need] = asked(state);
  assert.ok(need);
  const reply = {
    type: 'needMet',
    inquiry: answer(state).number,
    need,
    met: { kind: 'logs', records: [seen(-3)], hasMore: true },
  } as const;
  const [once] = update(state, reply, NOON);
  // It reads on what the answer left, and nothing before it.
  assert.deepEqual(
    asked(once).map((each) => each.kind === 'logs' && each.range.from),
    [NOON - 3000],
  );
  assert.equal(update(once, reply, NOON)[0].views, once.views);
});
