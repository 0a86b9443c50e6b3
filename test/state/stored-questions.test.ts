import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseQuery } from '../../src/domain/query/query-text.ts';
import type { Need } from '../../src/domain/questions/inquiry/inquiry.ts';
import type { State } from '../../src/state/model.ts';
import type { AnswerView } from '../../src/state/questions/answer-model.ts';
import { subscriptions } from '../../src/state/subscriptions.ts';
import { update } from '../../src/state/update.ts';
import { topView, withTop } from '../../src/state/view-stack.ts';
import { countsOf } from '../support/counts.ts';
import { listedState, NOON, played, recordOf, zoneOf } from '../support/state.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const to = NOON - 5 * DAY;
const range = { from: to - 30 * MINUTE, to };

/** The log of a zone at a window that the platform keeps no more, with a store behind it. */
function scene(): State {
  const state = { ...listedState([zoneOf('1', 'shop')]), history: { engine: 'duckdb', name: 'main' } };
  const log = played(state, 'open').state;
  const query = parseQuery('status:5xx', 'logs', NOON);
  assert.ok(query.ok);
  const view = topView(log);
  assert.ok(view.kind === 'log');
  const window = { kind: 'absolute', ...range } as const;
  return withTop(log, { ...view, query: { ...query.query, window } });
}

function answer(state: State): AnswerView {
  const view = topView(state);
  assert.ok(view.kind === 'answer');
  return view;
}

function asked(state: State): readonly Need[] {
  return subscriptions(state).flatMap((each) => (each.kind === 'inquiry' ? each.needs : []));
}

const rows = Array.from({ length: 3_600 }, (_, n) => {
  const timestamp = range.from - 30 * MINUTE + n * 1_000;
  const isNew = timestamp >= range.from && n % 2 === 0;
  return recordOf(n, { timestamp, statusCode: 503, userAgent: isNew ? 'bot/1' : 'browser' });
});

/** Every need met by what a store counts. */
function met(state: State): State {
  return asked(state).reduce((now, need) => {
    assert.ok(need.kind === 'logs' && need.counts, 'nothing is read row by row');
    const counts = countsOf(rows, [need.range], need.counts);
    const inquiry = answer(now).number;
    const covered = [need.range];
    return update(now, { type: 'needMet', inquiry, need, met: { kind: 'counts', covered, counts } }, NOON)[0];
  }, state);
}

test('an older window is compared by what a store counts, by one request for each window', () => {
  const priced = played(scene(), 'compare').state;
  assert.equal(answer(priced).choices[0]?.price, 2);
  const read = met(played(priced, 'open').state);
  const { table, stage } = answer(read);
  assert.equal(stage.kind, 'read');
  assert.match(table.headline, /bot\/1.* is new: 50\.0% \(900\); the total is as before/);
  assert.match(
    table.coverage,
    /^all of this window read, .*; 3,600 rows, 3,600 of them counted by the store/,
  );
});

test('misses of an older window are counted by a store, by one request for each window', () => {
  const priced = played(scene(), 'missLens').state;
  // Should they be needed: values by name in each window, the parameters of pages that explode, why the origin fails.
  assert.equal(answer(priced).choices[0]?.price, 6);
  const read = met(played(priced, 'open').state);
  const { table } = answer(read);
  // All of its rows were answered 5xx: what is left to ask is why.
  assert.deepEqual(
    asked(read).map(({ kind }) => kind),
    ['originErrors'],
  );
  assert.match(
    table.coverage,
    /^all of this window read, .*; 3,600 rows, 3,600 of them counted by the store/,
  );
});

test('what stood out is asked of the window on screen where a store has it', () => {
  const priced = played(scene(), 'incidents').state;
  const [first] = answer(priced).choices;
  assert.equal(first?.title, 'window on screen');
  assert.equal(first?.price, 9, 'a sample of each step');
  const begun = played(priced, 'open').state;
  const read = asked(begun).reduce((now, need) => {
    assert.ok(need.kind === 'logs' && need.counts === undefined);
    const { from, to } = need.range;
    const records = rows.filter(({ timestamp }) => timestamp >= from && timestamp < to);
    return update(
      now,
      { type: 'needMet', inquiry: answer(now).number, need, met: { kind: 'logs', records, hasMore: false } },
      NOON,
    )[0];
  }, begun);
  assert.match(answer(read).table.coverage, /^9 of 9 samples, one every 4m; /);
});
