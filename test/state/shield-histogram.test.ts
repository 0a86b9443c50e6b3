import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Failure, failureOf } from '../../src/domain/failure.ts';
import type { ShieldAnswer } from '../../src/domain/shield/shield.ts';
import { sparkLevels } from '../../src/domain/shield/shield-buckets.ts';
import type { State } from '../../src/state/model.ts';
import { timelineOf } from '../../src/state/timeline/timeline.ts';
import { topView } from '../../src/state/view-stack.ts';
import {
  answered,
  answerOf,
  groupOf,
  groups,
  opened,
  requestOf,
  rules,
  searches,
} from '../support/shield.ts';
import { NOON, played } from '../support/state.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;

/** At 80 columns an hour is 60 steps. */
const STEPS = 60;
const REFUSED = failureOf('invalidRequest', { status: 400 });

const asked = played(rules, 'timelineSize').state;

/** Events of one action: so many in some steps, none in the others. */
function actionOf(action: string, steps: Readonly<Record<number, number>>, length = STEPS) {
  const sparkline = Array.from({ length }, (_, at) => steps[at] ?? 0);
  return groupOf(
    { action },
    sparkline.reduce((sum, each) => sum + each, 0),
    { sparkline },
  );
}

function failed(state: State, failure: Failure): State {
  return played(state, { type: 'shieldFailed', request: requestOf(state), failure }).state;
}

/** Answers all searches that are left with one blocked event each; how many these were. */
function counted(state: State): { state: State; cost: number } {
  const one = answerOf({ groups: [groupOf({ action: 'blocked' }, 1)], total: 1 });
  let [at, cost] = [state, 0];
  for (; searches(at).length > 0; cost++) at = answered(at, one);
  return { state: at, cost };
}

const bucketsOf = (state: State) => searches(state).map(({ ask }) => ask.buckets);

test('one search asks for all steps of the timeline, which end with the window', () => {
  assert.deepEqual(
    searches(asked).map(({ ask }) => ask),
    [
      {
        from: NOON - HOUR,
        to: NOON,
        query: null,
        filters: [],
        groupBy: ['action'],
        page: 0,
        pageSize: 500,
        buckets: STEPS,
      },
    ],
  );
  const blocked = actionOf('blocked', { 0: 3, 59: 2 });
  const logged = actionOf('logged', { 59: 7 });
  const state = answered(asked, answerOf({ groups: [blocked, logged], total: 2 }));
  const timeline = timelineOf(state);
  assert.deepEqual(timeline?.steps, { from: NOON - HOUR, step: MINUTE, count: STEPS });
  assert.deepEqual(timeline?.counts[0], [3, 0, 0, 0]);
  assert.deepEqual(timeline?.counts[59], [2, 0, 7, 0]);
  assert.deepEqual(timeline?.totals.filter(Boolean), [3, 9]);
  assert.ok(timeline?.cover.every((each) => each === 'read'));
  assert.deepEqual([searches(state), groups(state).histogram?.loading.kind], [[], 'read']);
});

test('a server that refuses is asked part by part, for the same time, and never the new way again', () => {
  const refused = failed(asked, REFUSED);
  assert.deepEqual(
    searches(refused).map(({ ask }) => ask),
    [
      {
        from: NOON - HOUR,
        to: NOON - HOUR + 5 * MINUTE,
        query: null,
        filters: [],
        groupBy: ['action'],
        page: 0,
        pageSize: 500,
      },
    ],
  );
  const { state, cost } = counted(refused);
  assert.equal(cost, 12);
  assert.deepEqual(timelineOf(state)?.totals, Array(12).fill(1));
  const elsewhere = answered(
    played(state, 'open').state,
    answerOf({ groups: [groupOf({ asn: '1' }, 1)], total: 1 }),
  );
  const again = played(elsewhere, 'timelineSize').state;
  assert.deepEqual(bucketsOf(again), [undefined]);
  assert.equal(counted(again).cost, 12);
});

test('what was refused is known in the explorer of another zone, too', () => {
  const { state } = counted(failed(asked, REFUSED));
  const closed = played(state, 'zonesScreen', 'shieldScreen').state;
  const opened = answered(closed, answerOf({ groups: [groupOf({ ruleId: 'A' }, 1)], total: 1 }));
  assert.deepEqual(bucketsOf(played(opened, 'timelineSize').state), [undefined]);
});

const whole = actionOf('blocked', { 3: 5 });
const ODD: readonly [string, Partial<ShieldAnswer>][] = [
  ['no steps', { groups: [groupOf({ action: 'blocked' }, 5)] }],
  ['no steps of one group', { groups: [whole, groupOf({ action: 'logged' }, 5)] }],
  ['a step less', { groups: [actionOf('blocked', { 3: 5 }, STEPS - 1)] }],
  ['a step more', { groups: [actionOf('blocked', { 3: 5 }, STEPS + 1)] }],
  ['fewer events than the group has', { groups: [{ ...whole, count: 6 }] }],
  ['more events than the group has', { groups: [{ ...whole, count: 4 }] }],
  [
    'rows where groups were asked for',
    { kind: 'rows', events: [{ logId: 'a', timestamp: NOON, fields: {}, log: null, raw: null }] },
  ],
];

for (const [name, answer] of ODD)
  test(`an answer with ${name} is none: the parts are counted, now and later`, () => {
    const odd = answered(asked, answerOf({ total: 1, ...answer }));
    assert.deepEqual(bucketsOf(odd), [undefined]);
    const { state, cost } = counted(odd);
    assert.deepEqual([cost, state.knowsBuckets], [12, false]);
    assert.deepEqual(timelineOf(state)?.totals, Array(12).fill(1));
  });

test('an answer without a group counts nothing, and tells nothing of the server', () => {
  const state = answered(asked, answerOf({ total: 0 }));
  assert.deepEqual([searches(state), state.knowsBuckets], [[], null]);
  assert.ok(timelineOf(state)?.cover.every((each) => each === 'read'));
  assert.equal(answered(asked, answerOf({ groups: [whole], total: 1 })).knowsBuckets, true);
});

test('a server that refuses the first part too was not asked about the steps', () => {
  const state = failed(failed(asked, REFUSED), REFUSED);
  assert.deepEqual([searches(state), groups(state).histogram?.loading.kind], [[], 'failed']);
  assert.deepEqual(bucketsOf(played(state, 'timelineSize').state), [STEPS]);
  const later = failed(answered(failed(asked, REFUSED), answerOf({ total: 0 })), REFUSED);
  assert.deepEqual(bucketsOf(played(later, 'timelineSize').state), [undefined]);
});

test('any other failure is one, and H asks the same again', () => {
  for (const failure of [
    failureOf('serverError', { status: 500 }),
    failureOf('windowRefused', { status: 400 }),
  ]) {
    const state = failed(asked, failure);
    assert.deepEqual([searches(state), groups(state).histogram?.loading.kind], [[], 'failed']);
    assert.deepEqual(bucketsOf(played(state, 'timelineSize').state), [STEPS]);
  }
});

test('of times that are gone by when it leaves nothing is told, and the other steps stay where they are', () => {
  const gone = { from: NOON - HOUR, to: NOON - HOUR + 90_000 };
  const left = actionOf('blocked', { 0: 4, 57: 1 }, STEPS - 2);
  const state = answered(asked, answerOf({ groups: [left], total: 1, gone }));
  const timeline = timelineOf(state);
  assert.deepEqual(timeline?.totals.slice(0, 3), [0, 0, 4]);
  assert.deepEqual(timeline?.totals.at(-1), 1);
  assert.deepEqual(timeline?.cover.slice(0, 3), ['unread', 'unread', 'read']);
});

test('a group that was not understood makes the counts at least', () => {
  const raw = groupOf({}, 0, { raw: '7' });
  const state = answered(asked, answerOf({ groups: [whole, raw], total: 2, bad: 1 }));
  assert.deepEqual([searches(state), groups(state).histogram?.isPartial], [[], true]);
});

test('counting that was left under way is asked for in the way that is known when it comes back', () => {
  const away = played(asked, 'open').state;
  const other = answered(away, answerOf({ groups: [groupOf({ asn: '1' }, 1)], total: 1 }));
  const back = (knowsBuckets: boolean | null) => played({ ...other, knowsBuckets }, 'historyBack').state;
  const counting = (state: State) => searches(state).filter(({ ask }) => ask.groupBy[0] === 'action');
  assert.deepEqual(
    counting(back(null)).map(({ ask }) => ask.buckets),
    [STEPS],
  );
  assert.deepEqual(
    counting(back(false)).map(({ ask }) => [ask.buckets, ask.to - ask.from]),
    [[undefined, 5 * MINUTE]],
  );
});

function refused(state: State): State {
  return played(state, { type: 'shieldFailed', request: requestOf(state), failure: REFUSED }).state;
}

const sparksOf = (state: State) => searches(state).map(({ ask }) => ask.sparks);

test('a server that refuses the steps is asked without them at once, and for the rest of the session', () => {
  const again = refused(opened);
  assert.deepEqual([sparksOf(again), groups(again).reading.loading.kind], [[undefined], 'asking']);
  const read = answered(again, answerOf({ groups: [groupOf({ ruleId: '1' }, 2)], total: 1 }));
  assert.equal(read.knowsBuckets, false);
  assert.deepEqual(sparksOf(played(read, 'refresh').state), [undefined]);
});

test('a search for events carries no steps, so that its refusal is told at once and says nothing of them', () => {
  const read = answered(opened, answerOf({ groups: [groupOf({ ruleId: '1' }, 2)], total: 1 }));
  const asked = played(read, 'chooseGroups', 'last', 'open').state;
  assert.deepEqual([topView(asked).kind, sparksOf(asked)], ['shieldRows', [undefined]]);
  const failed = refused(asked);
  assert.deepEqual([searches(failed), failed.knowsBuckets], [[], read.knowsBuckets]);
});

test('steps that do not add up to the events of their group draw nothing', () => {
  assert.equal(sparkLevels({ count: 6, sparkline: [1, 4] }), null);
  assert.equal(sparkLevels({ count: 0, sparkline: [0, 0] }), null);
  assert.equal(sparkLevels({ count: 6 }), null);
});
