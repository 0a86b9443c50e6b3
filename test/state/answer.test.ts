import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureOf } from '../../src/domain/failure.ts';
import { EMPTY_QUERY } from '../../src/domain/query/query.ts';
import { type AnswerSection, sectionOf, words } from '../../src/domain/questions/inquiry/answer-table.ts';
import type { Need } from '../../src/domain/questions/inquiry/inquiry.ts';
import { SHIELD_DIMENSIONS } from '../../src/domain/shield/shield.ts';
import { resolve } from '../../src/keymap/resolve.ts';
import { subscriptions } from '../../src/loop/subscriptions.ts';
import { update } from '../../src/loop/update.ts';
import { FREE_REQUESTS } from '../../src/screens/answer/answer.ts';
import { answerLineUnder, rowUnder, shownLines } from '../../src/screens/answer/answer-cursor.ts';
import { type AnswerView, askedWords } from '../../src/state/answer-model.ts';
import type { LogView, State } from '../../src/state/model.ts';
import { sessions } from '../../src/state/sessions/session.ts';
import { topView, withTop } from '../../src/state/view-stack.ts';
import { groupOf, rules, answerOf as shieldAnswerOf } from '../support/shield.ts';
import { listedState, NOON, played, recordOf, reportOf, rowsOf, zoneOf } from '../support/state.ts';

/** Rows of one client, of the half minute before noon. */
const past = Array.from({ length: 30 }, (_, n) => ({ record: seen(n - 30), late: false }));

const log = played(
  listedState([zoneOf('1', 'shop')]),
  'open',
  { type: 'tailRead', zone: '1', generation: 1, event: { rows: past, report: reportOf() } },
  'pause',
).state;

const HOUR = 3_600_000;

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

test('a question that costs little is asked at once, and its price is the number of its requests', () => {
  const { state } = played(onAddress, 'bypassCheck');
  assert.equal(answer(state).crumb, 'through? ip');
  assert.equal(asked(state).length, 1);
  const done = met(state);
  assert.equal(answer(done).stage.kind, 'read');
  assert.equal(answer(done).spent, 1);
  assert.deepEqual(asked(done), []);
  assert.match(answer(done).table.headline, /^1 of 1 requests were answered 2xx or 3xx/);
});

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

test('a baseline that is no longer kept is named with the reason and cannot be asked', () => {
  const window = { kind: 'absolute', from: NOON - 40 * HOUR, to: NOON - 30 * HOUR } as const;
  const views = log.views.map((view) =>
    view.kind === 'log' ? { ...view, query: { ...view.query, window } } : view,
  );
  const { state } = played({ ...log, views }, 'compare');
  assert.deepEqual(
    answer(state).choices.map(({ inquiry, why }) => [inquiry !== null, why]),
    [
      [true, ''],
      [true, ''],
      [false, 'two days earlier is older than what is kept'],
    ],
  );
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

test('what one answer cannot hold is read on by itself, as far as requests are free', () => {
  let { state } = played(onAddress, 'bypassCheck');
  for (let at = 0; at < FREE_REQUESTS; at++) {
    const [need] = asked(state);
    assert.ok(need?.kind === 'logs', `${at}`);
    const cut = { kind: 'logs', records: [seen(at - 100)], hasMore: true } as const;
    [state] = update(state, { type: 'needMet', inquiry: answer(state).number, need, met: cut }, NOON);
  }
  assert.deepEqual(
    [answer(state).stage.kind, answer(state).spent, asked(state)],
    ['read', FREE_REQUESTS, []],
  );
  assert.equal(answer(state).inquiry.rest().length, 1);
  const short = played(onAddress, 'bypassCheck').state;
  const [need] = asked(short);
  assert.ok(need);
  const failed = { kind: 'failed', failure: failureOf('serverError', {}) } as const;
  const [after] = update(short, { type: 'needMet', inquiry: answer(short).number, need, met: failed }, NOON);
  // What failed once is not asked for again and again.
  assert.equal(answer(after).stage.kind, 'read');
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

const NAME = [words('name', 'NAME', 10, (name: string) => name)];

/** Two tables of two rows, of which the second of each leads to the log, and one that leads nowhere. */
function tabled(state: State, more: readonly AnswerSection[] = []): State {
  const section = (title: string, isLeading: boolean) =>
    sectionOf('names', title, [`${title} 1`, `${title} 2`], {
      sentence: (name) => name,
      columns: NAME,
      row: (_, at) => (isLeading && at === 1 ? { leads: { subject: 'logs', query: EMPTY_QUERY } } : {}),
    });
  const view = answer(state);
  const sections = [section('first', true), section('second', true), section('third', false), ...more];
  return withTop(state, { ...view, table: { ...view.table, sections } });
}

/** The text of the line under the cursor. */
function lineUnder(state: State): string | undefined {
  const line = answerLineUnder(state, answer(state));
  return line?.kind === 'row' ? line.row.cells[0] : line?.kind === 'title' ? line.text : line?.kind;
}

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

test('Tab goes to the first line of the next table that leads somewhere, else to its title, Shift-Tab back', () => {
  const start = tabled(met(played(onAddress, 'bypassCheck').state));
  const first = played(start, 'first').state;
  const [one, two, three] = [1, 2, 3].map(
    (times) => played(first, ...Array.from({ length: times }, () => 'nextTable' as const)).state,
  ) as [State, State, State];
  assert.deepEqual([one, two].map(lineUnder), ['second 2', 'third']);
  assert.match(three.notice?.text ?? '', /the last table/);
  assert.equal(lineUnder(three), 'third');
  const back = played(two, 'previousTable').state;
  assert.equal(lineUnder(back), 'second 2');
  assert.equal(lineUnder(played(back, 'previousTable').state), 'first 2');
  assert.match(played(first, 'previousTable').state.notice?.text ?? '', /the first table/);
  const priced = resolve(played(rules, 'compare').state, 'Tab');
  assert.match(priced.type === 'refused' ? priced.why : '', /nothing was asked yet/);
});

test('a table that was out of sight comes with its title', () => {
  const rows = Array.from({ length: 30 }, (_, n) => `row ${n}`);
  const more = [sectionOf('names', 'long', rows, { sentence: (name) => name, columns: NAME })];
  const end = played(tabled(met(played(onAddress, 'bypassCheck').state), more), 'last').state;
  const back = played(end, 'previousTable', 'previousTable').state;
  assert.equal(lineUnder(back), 'second 2');
  const lines = shownLines(answer(back).table, 80);
  const title = lines.findIndex((line) => line.kind === 'title' && line.text === 'second');
  assert.ok(answer(end).top > title);
  assert.ok(answer(back).top <= title);
});

test('Enter on a row opens its log over the answer, and a step back finds answer and log as they were', () => {
  const done = met(played(onAddress, 'bypassCheck').state);
  const over = played(done, 'open').state;
  assert.equal(topView(over).kind, 'log');
  assert.equal(sessions(over).length, 2);
  const tails = subscriptions(over).filter((each) => each.kind === 'tail');
  assert.equal(new Set(tails.map((each) => each.generation)).size, 2);
  const beneath = log.session?.generation ?? -1;
  const [fed] = update(
    over,
    { type: 'tailRead', zone: '1', generation: beneath, event: { rows: rowsOf(0, 7), report: reportOf() } },
    NOON,
  );
  const back = played(fed, 'leave', 'leave').state;
  assert.equal(topView(back), topView(onAddress));
  assert.equal(back.session?.book.backlog, 7);
  assert.equal(sessions(back).length, 1);
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

test('the Shield comparison asks each dimension in both windows once, and counts what rose', () => {
  const { state } = played(rules, 'compare', 'open');
  const needs = asked(state);
  assert.equal(needs.length, 2 * SHIELD_DIMENSIONS.length);
  const done = needs.reduce((now, need) => {
    assert.ok(need.kind === 'shield');
    const [dimension = ''] = need.ask.groupBy;
    const groups = [
      groupOf({ [dimension]: 'x' }, need.side === 'now' ? 90 : 10),
      groupOf({ [dimension]: 'y' }, 10),
    ];
    const answered = shieldAnswerOf({ groups, total: 2 });
    return update(
      now,
      { type: 'needMet', inquiry: answer(now).number, need, met: { kind: 'shield', answer: answered } },
      NOON,
    )[0];
  }, state);
  const [first] = answer(done).table.sections;
  assert.equal(answer(done).stage.kind, 'read');
  assert.equal(first?.rows.length, 9);
  // 90 of 100 now, half of them before: 40 more than that share.
  assert.deepEqual(first?.rows[0]?.cells.slice(1, 5), ['x', '40', '90', '10']);
});

test('the miss lens asks six requests, and once more the key takes the next baseline', () => {
  const { state } = played(log, 'missLens');
  assert.equal(asked(state).length, 6);
  assert.equal(answer(state).variant, 'misses previous');
  const next = played(met(state), 'missLens').state;
  assert.equal(answer(next).variant, 'misses day');
  assert.equal(next.views.length, state.views.length);
});

test('a busy log is asked for in more pieces, the first ones far apart, after the price', () => {
  const busy = Array.from({ length: 9000 }, (_, n) => ({
    record: seen(Math.floor(n / 300) - 30),
    late: false,
  }));
  const followed = played(
    listedState([zoneOf('1', 'shop')]),
    'open',
    { type: 'tailRead', zone: '1', generation: 1, event: { rows: busy, report: reportOf() } },
    'pause',
    { type: 'commanded', command: 'missLens' },
  ).state;
  assert.equal(answer(followed).stage.kind, 'priced');
  const needs = asked(played(followed, 'open').state);
  const starts = needs.flatMap((each) => (each.kind === 'logs' && each.side === 'now' ? each.range : []));
  assert.equal(needs.length, 2 * starts.length);
  const first = Math.min(...starts.map(({ from }) => from));
  assert.equal(starts[0]?.from, first);
  assert.ok((starts[1]?.from ?? 0) - first >= (NOON - first) / 3, 'the second lies at the middle');
});

test('at the live end the first press stops at a row', () => {
  const live = played(log, 'follow').state;
  const { state } = played(live, 'bypassCheck');
  assert.equal(topView(state).kind, 'log');
  assert.match(state.notice?.text ?? '', /then the same again/);
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
