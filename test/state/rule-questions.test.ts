import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Need } from '../../src/domain/inquiry/inquiry.ts';
import { parseQuery } from '../../src/domain/query/query-text.ts';
import { subscriptions } from '../../src/loop/subscriptions.ts';
import type { AnswerView } from '../../src/state/answer-model.ts';
import type { State } from '../../src/state/model.ts';
import { topView } from '../../src/state/view-stack.ts';
import { answered, answerOf, groupOf, opened, PAIRS, rules } from '../support/shield.ts';
import { listedState, NOON, played, recordOf, reportOf, zoneOf } from '../support/state.ts';

const HOUR = 3_600_000;

/** A zone with Shield followed, paused on its newest row. */
function logWith(text: string, pairs: readonly (typeof PAIRS)[number][] | null = PAIRS): State {
  const { state } = played(
    listedState([zoneOf('1', 'shop')]),
    ...(pairs ? [{ type: 'shieldMapped', pairs } as const] : []),
    'open',
    {
      type: 'tailRead',
      zone: '1',
      generation: 1,
      event: { rows: [{ record: recordOf(0, { remoteIp: '192.0.2.7' }), late: false }], report: reportOf() },
    },
    'pause',
  );
  const parsed = parseQuery(text, 'logs', NOON);
  assert.ok(parsed.ok);
  const { query } = parsed;
  const views = state.views.map((view) => (view.kind === 'log' ? { ...view, query } : view));
  return { ...state, views };
}

function answer(state: State): AnswerView {
  const view = topView(state);
  assert.equal(view.kind, 'answer', state.notice?.text);
  return view as AnswerView;
}

function asked(state: State): readonly Need[] {
  return subscriptions(state).flatMap((each) => (each.kind === 'inquiry' ? each.needs : []));
}

function rowsOf(state: State, title: RegExp): readonly (readonly string[])[] {
  return (
    answer(state)
      .table.sections.find((each) => title.test(each.title))
      ?.rows.map(({ cells }) => cells) ?? []
  );
}

/** Every need of the inquiry on top met by nothing. */
function met(state: State): State {
  return asked(state).reduce((now, need) => {
    const nothing =
      need.kind === 'logs'
        ? { kind: 'logs' as const, records: [], hasMore: false }
        : { kind: 'shield' as const, answer: answerOf({ kind: 'rows' }) };
    return played(now, { type: 'needMet', inquiry: answer(now).number, need, met: nothing }).state;
  }, state);
}

test('the filter as a rule says the price of each length of time, asks it on Enter, and no more', () => {
  const { state } = played(logWith('asn:64500 status:5xx'), 'blastRadius');
  assert.deepEqual(
    answer(state).choices.map(({ title, inquiry }) => [title, inquiry?.needs.length]),
    [
      ['window on screen', 5],
      ['the last hour', 5],
      ['the last 6 hours', 9],
      ['the last day', 13],
    ],
  );
  assert.deepEqual(asked(state), []);
  const going = played(state, 'down', 'down', 'open').state;
  assert.equal(asked(going).length, 9);
  const ranges = asked(going).flatMap((need) => (need.kind === 'logs' ? [need.range] : []));
  assert.equal(ranges[0]?.from, NOON - 6 * HOUR);
  assert.equal(ranges.at(-1)?.to, NOON);
  assert.deepEqual(answer(going).query.window, { kind: 'absolute', from: NOON - 6 * HOUR, to: NOON });
  const done = met(going);
  assert.equal(answer(done).spent, 9);
  assert.deepEqual(rowsOf(done, /^the filter as a rule/), [['whose asn is 64500']]);
  assert.equal(rowsOf(done, /cannot be part of a rule/)[0]?.[0], 'status:5xx');
});

test('rules that stop good clients are asked at once for few events, and after the price for many', () => {
  const few = played(rules, 'suspectRules').state;
  assert.equal(asked(few).length, 5);
  assert.equal(answer(few).subject, 'shield');
  const many = answered(opened, answerOf({ groups: [groupOf({ ruleId: 'A' }, 6000)], total: 1 }));
  const priced = played(many, 'suspectRules').state;
  assert.equal(answer(priced).stage.kind, 'priced');
  assert.deepEqual(asked(priced), []);
  const going = played(priced, 'open').state;
  assert.equal(asked(going).length, 16);
  assert.deepEqual(
    asked(going).flatMap((need) => (need.kind === 'shield' ? [need.ask.page] : [])),
    Array.from({ length: 12 }, (_, page) => page),
  );
  assert.equal(answer(met(going)).spent, 16);
});

test('of more events than are read each rule is asked for, from pages that lie evenly in its list, within the price said', () => {
  const priced = played(logWith(''), 'suspectRules').state;
  assert.equal(answer(priced).stage.kind, 'priced');
  assert.equal(answer(priced).choices[0]?.price, 25);
  const first = played(priced, 'open').state;
  assert.equal(asked(first).length, 5);
  const groups = [groupOf({ ruleId: 'A' }, 30_000), groupOf({ ruleId: 'B' }, 40)];
  const named = asked(first).reduce(
    (now, need) =>
      played(now, {
        type: 'needMet',
        inquiry: answer(now).number,
        need,
        met:
          need.kind === 'logs'
            ? { kind: 'logs', records: [], hasMore: false }
            : { kind: 'shield', answer: answerOf({ groups, total: 2 }) },
      }).state,
    first,
  );
  assert.equal(answer(named).stage.kind, 'asking');
  const keysOf = (state: State) =>
    subscriptions(state).flatMap((each) => (each.kind === 'inquiry' ? each.key : []));
  assert.notDeepEqual(keysOf(named), keysOf(first), 'the next requests are an order of their own');
  assert.deepEqual(
    asked(named).map((need) => need.kind === 'shield' && [need.ask.filters[0]?.value[0], need.ask.page]),
    [
      ['A', 10],
      ['A', 30],
      ['A', 50],
      ['B', 0],
    ],
  );
  const done = met(named);
  assert.deepEqual([answer(done).stage.kind, answer(done).spent], ['read', 9]);
  assert.deepEqual(
    rowsOf(done, /^rules by/).map((cells) => cells.slice(0, 3)),
    [
      ['A', '30,000', 'none'],
      ['B', '40', 'none'],
    ],
  );
});
