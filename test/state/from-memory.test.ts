import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogNeed, Need } from '../../src/domain/inquiry/inquiry.ts';
import type { ArrivedRow } from '../../src/domain/logs/log-rows.ts';
import { emptyReport, type SavedReport } from '../../src/domain/logs/saved-report.ts';
import { EMPTY_QUERY } from '../../src/domain/query/query.ts';
import { parseQuery } from '../../src/domain/query/query-text.ts';
import { planRows } from '../../src/domain/shield/shield-question.ts';
import { NO_ROWS, rowsOfEvents, withRows } from '../../src/domain/shield/shield-rows.ts';
import type { TimeRange } from '../../src/domain/tail/coverage.ts';
import { subscriptions } from '../../src/loop/subscriptions.ts';
import { answerBadge } from '../../src/screens/answer/painting/answer-body.ts';
import { openSaved } from '../../src/screens/log/saved.ts';
import { type AnswerView, askedWords } from '../../src/state/answer-model.ts';
import type { State } from '../../src/state/model.ts';
import { openLog } from '../../src/state/sessions/session.ts';
import type { ShieldRowsView } from '../../src/state/shield-model.ts';
import { topView } from '../../src/state/view-stack.ts';
import { eventWith } from '../support/rows.ts';
import {
  gapOf,
  listedState,
  NOON,
  played,
  recordOf,
  reportOf,
  startState,
  zoneOf,
} from '../support/state.ts';

/** Two rows a second of these seconds from noon on; the origin fails from the tenth minute before noon to the eighth. */
function rows(from: number, to: number): ArrivedRow[] {
  return Array.from({ length: 2 * (to - from) }, (_, n) => {
    const second = from + n / 2;
    const isFailing = second >= -600 && second < -480;
    const over = { timestamp: NOON + second * 1000, statusCode: isFailing ? 502 : 200 };
    return { record: recordOf(10_000 + 2 * from + n, over), late: false };
  });
}

const SHOP = zoneOf('1', 'shop', { shieldZoneId: '9' });

/** Every question that the CDN log can be asked. */
const QUESTIONS = ['compare', 'missLens', 'incidents', 'pivot', 'bypassCheck', 'blastRadius'] as const;

/** A zone's log with these rows, of which all between `read` are there; paused on an address. */
function logOf(held: ArrivedRow[], read: readonly TimeRange[], query = ''): State {
  const parsed = parseQuery(query, 'logs', NOON);
  const opened = openLog(listedState([SHOP]), [SHOP], query !== '' && parsed.ok ? parsed.query : EMPTY_QUERY);
  const report = reportOf({ read, completeTo: read.at(-1)?.to ?? null });
  const generation = opened.session?.generation ?? 0;
  return onAddress(
    played(opened, { type: 'tailRead', zone: '1', generation, event: { rows: held, report } }, 'pause').state,
  );
}

/** Saved logs of so many seconds, read to their end unless told. */
function savedOf(count: number, more: Partial<SavedReport> = {}): State {
  const query = EMPTY_QUERY;
  const opened = openSaved(startState(), { names: ['day.log'], bytesTotal: 1000, follow: false, query });
  const records = rows(-count, 0).map(({ record }) => record);
  const span = { from: NOON - count * 1000, to: NOON - 500 };
  const report = { ...emptyReport(1, 1000), rows: records.length, span, status: 'read' as const, ...more };
  const generation = opened.session?.generation ?? 0;
  const event = { rows: records, report };
  return onAddress(played(opened, { type: 'savedRead', generation, event }).state);
}

function onAddress(state: State): State {
  return played(state, 'up', ...Array.from({ length: 5 }, () => 'right' as const)).state;
}

function answer(state: State): AnswerView {
  const view = topView(state);
  assert.equal(view.kind, 'answer', state.notice?.text);
  return view as AnswerView;
}

function asked(state: State): readonly Need[] {
  return subscriptions(state).flatMap((each) => (each.kind === 'inquiry' ? each.needs : []));
}

/** Every need of the question on top answered: there is nothing. */
function metEmpty(state: State): State {
  const met = { kind: 'logs', records: [], hasMore: false } as const;
  return asked(state).reduce(
    (now, need) => played(now, { type: 'needMet', inquiry: answer(now).number, need, met }).state,
    state,
  );
}

const rangesAsked = (state: State) =>
  asked(state).flatMap((need) => (need.kind === 'logs' ? [(need as LogNeed).range] : []));

/** The whole of the quarter of an hour that a live log is asked about. */
const QUARTER = { from: NOON - 900_000, to: NOON };
const whole = () => logOf(rows(-900, 0), [QUARTER]);

for (const command of QUESTIONS) {
  test(`${command} on a live log is answered by the rows that it holds, before any request`, () => {
    const { state } = played(whole(), command);
    assert.equal(answer(state).spent, 0);
    // What is asked for is not in memory: an earlier window, and the half minute after the newest row.
    const isHeld = ({ from, to }: TimeRange) => from >= QUARTER.from && to <= QUARTER.to;
    assert.deepEqual(rangesAsked(state).filter(isHeld), []);
    const { sections, coverage } = answer(state).table;
    assert.ok(sections.some(({ rows }) => rows.length > 0) || /all of this window read/.test(coverage));
  });

  test(`${command} works on saved logs, where nobody can be asked for more`, () => {
    const { state } = played(savedOf(900), command);
    assert.deepEqual([answer(state).stage.kind, answer(state).spent], ['read', 0]);
    const { headline, sections } = answer(state).table;
    // Or it says of which zone there are too few of them.
    assert.ok(
      sections.some(({ rows }) => rows.length > 0) || /too few requests to tell of /.test(headline),
      headline,
    );
    assert.equal(answerBadge(state, answer(state)).text, 'READ');
    assert.deepEqual(asked(played(state, 'refresh').state), []);
  });
}

test('an answer of files that were not read to their end says so and calls nothing good', () => {
  const cut = played(savedOf(900, { status: 'stopped' }), 'missLens').state;
  assert.match(answer(cut).table.headline, /^of what was read of the files: hit ratio/);
  assert.match(answer(cut).table.coverage, /the files were not read to their end$/);
  assert.equal(answer(cut).table.verdict, 'unknown');
  assert.equal(answerBadge(cut, answer(cut)).text, 'PART READ');
  assert.equal(answer(played(savedOf(900), 'missLens').state).table.verdict, 'calm');
});

test('a gap in saved logs is no part of what an answer says was read', () => {
  const cut = played(savedOf(900, { gaps: [gapOf(-600, -510)] }), 'bypassCheck').state;
  assert.match(answer(cut).table.coverage, /^90\.0% of the window read/);
  assert.equal(answerBadge(cut, answer(cut)).text, 'PART READ');
});

test('what memory holds is told at once, and only what it does not is asked for, with its price beside', () => {
  const held = { from: NOON - 300_000, to: NOON };
  const { state } = played(logOf(rows(-300, 0), [held]), 'bypassCheck');
  assert.match(answer(state).table.headline, /^\d+ of 150 requests/);
  assert.equal(answerBadge(state, answer(state)).text, 'ASKING 0 of 1 request');
  assert.deepEqual(rangesAsked(state), [{ from: QUARTER.from, to: held.from }]);
});

test('the window before is what is meant, and is read at once; the other ways are offered after it with their price', () => {
  const { state } = played(whole(), 'compare');
  assert.equal(askedWords(answer(state)), 'compared with the window before');
  assert.match(answer(state).table.coverage, /all of this window read, 0% of the window before read/);
  assert.equal(answerBadge(state, answer(state)).text, 'ASKING 0 of 6 requests');
  const done = metEmpty(state);
  assert.deepEqual([answer(done).stage.kind, answer(done).spent], ['read', 6]);
  const { state: ways } = played(done, 'refresh');
  assert.deepEqual(
    answer(ways).choices.map(({ title, price }) => [title, price]),
    [
      ['the window before', 0],
      ['a day earlier', 6],
      ['two days earlier', 6],
      ['this time of both days before', 6],
      ['the half before', 0],
    ],
  );
  assert.deepEqual([answer(played(ways, 'leave').state).stage.kind, asked(ways)], ['read', []]);
  const { state: chosen } = played(ways, 'down', 'open');
  assert.equal(asked(chosen).length, 6);
  assert.ok(rangesAsked(chosen).every(({ to }) => to <= QUARTER.from));
  const { state: halves } = played(ways, 'last', 'open');
  assert.match(answer(halves).table.coverage, /all of this window read, all of the half before read/);
});

test('rows that were dropped, and those of the question before, are not held', () => {
  const full = whole();
  full.session?.book.evictDownTo((full.session.book.bytes * 2) / 3);
  const dropped = played(full, 'bypassCheck').state;
  const [left] = rangesAsked(dropped);
  assert.ok(left && left.from === QUARTER.from && left.to > QUARTER.from && left.to < NOON);
  const { session } = whole();
  assert.ok(session);
  const replaced = played({ ...whole(), session: { ...session, replacing: true } }, 'bypassCheck').state;
  assert.deepEqual([answer(replaced).stage.kind, asked(replaced).length], ['asking', 1]);
});

test('rows of a filtered log do not answer a wider question', () => {
  const own = rows(-900, 0).filter(({ record }) => record.remoteIp === '192.0.2.1');
  const { state } = played(logOf(own, [QUARTER], 'ip:192.0.2.1'), 'compare');
  assert.match(answer(state).table.coverage, /all of this window read/);
  const wider = played(logOf(own, [QUARTER], 'ip:192.0.2.1'), 'blastRadius').state;
  assert.equal(answer(wider).stage.kind, 'priced');
});

test('the events of a list that is whole, and the rows of the log beneath, answer which rules stop good clients', () => {
  const log = whole();
  const range = { from: NOON - 900_000, to: NOON };
  const three = played(log, 'shieldScreen').state;
  const groups = three.views.at(-1);
  assert.ok(three.shield && groups?.kind === 'shieldGroups');
  const events = Array.from({ length: 30 }, (_, n) =>
    eventWith({
      logId: `e${n}`,
      timestamp: NOON - 500_000 + n,
      fields: { ruleId: '942100', ip: `192.0.2.${n % 4}`, action: 'Blocked' },
    }),
  );
  const reading = {
    ...groups.reading,
    range,
    isWhole: true,
    strays: null,
    isRefresh: false,
    loading: { kind: 'read' } as const,
    total: 30,
  };
  const { table: _, ...base } = groups;
  const plan = planRows(EMPTY_QUERY);
  const list: ShieldRowsView = {
    ...base,
    kind: 'shieldRows',
    query: EMPTY_QUERY,
    reading: { ...reading, plan: { ...reading.plan, ...plan } },
    rows: withRows(NO_ROWS, rowsOfEvents(events), []),
    fresh: [],
    day: null,
    histogram: null,
  };
  const onRows = {
    ...three,
    shield: { ...three.shield, shieldZoneId: '9' },
    views: [...three.views.slice(0, -1), list],
  };
  const { state } = played(onRows, 'suspectRules');
  assert.deepEqual([answer(state).stage.kind, answer(state).spent, asked(state)], ['read', 0, []]);
  assert.match(answer(state).table.coverage, /^all 30 events; 2xx: all of the window read; [\d,]+ rows$/);
  const unheld = { ...onRows, session: null };
  assert.notEqual(answer(played(unheld, 'suspectRules').state).stage.kind, 'read');
});
