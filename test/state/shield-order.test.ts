import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ShieldContext, ShieldGroup } from '../../src/domain/shield/shield.ts';
import type { State } from '../../src/state/model.ts';
import { answered, answerOf, groupOf, groups, opened, rules, searches } from '../support/shield.ts';
import { NOON, played } from '../support/state.ts';

function partOf(
  ruleId: string,
  count: number,
  context: Partial<ShieldContext>,
  seconds: number,
): ShieldGroup {
  const group = groupOf({ ruleId }, count);
  const at = NOON - seconds * 1000;
  return { ...group, firstSeen: at - 1000, lastSeen: at, context: { ...group.context, ...context } };
}

/** Three rules of which each comes first by something else. */
const three = answered(
  opened,
  answerOf({
    groups: [
      partOf('C', 9, { blocked: 1, challenged: 2, logged: 6 }, 30),
      partOf('A', 8, { blocked: 7, challenged: 0, logged: 1 }, 20),
      partOf('B', 7, { blocked: 2, challenged: 5, logged: 0 }, 10),
    ],
    total: 3,
  }),
);

const order = (state: State) =>
  groups(state)
    .table.groups.map((group) => group.key['ruleId'])
    .join('');

test('S turns the order round and back, the next order begins the right way', () => {
  const reversed = played(three, 'reverse').state;
  assert.deepEqual([order(reversed), groups(reversed).reversed], ['BAC', true]);
  assert.equal(order(played(reversed, 'reverse').state), 'CAB');
  const next = played(reversed, 'sort').state;
  assert.deepEqual([order(next), groups(next).reversed], ['ABC', false]);
});

test('w asks for all dimensions in one table, and Enter there goes to the events', () => {
  const unfolded = played(three, 'unfold').state;
  assert.deepEqual(searches(unfolded)[0]?.ask.groupBy, ['ruleId', 'asn', 'ip']);
  const key = { ruleId: 'A', asn: '1', ip: '192.0.2.1' };
  const inside = played(answered(unfolded, answerOf({ groups: [groupOf(key, 4)], total: 1 })), 'open').state;
  assert.deepEqual(
    searches(inside).map(({ ask }) => [
      ask.groupBy,
      ask.filters.map(({ field, value }) => [field, ...value]),
    ]),
    [
      [
        [],
        [
          ['ruleId', 'A'],
          ['asn', '1'],
          ['ip', '192.0.2.1'],
        ],
      ],
    ],
  );
  assert.deepEqual(searches(played(unfolded, 'unfold').state)[0]?.ask.groupBy, ['ruleId']);
  const one = played(
    rules,
    'editQuery',
    { type: 'edited', edit: 'killLeft' },
    { type: 'typed', text: 'by:ip' },
  );
  const only = played(one.state, { type: 'submitted' }, 'unfold').state;
  assert.match(only.notice?.text ?? '', /only one dimension/);
});

test('a group that was not understood stands raw below the others whatever the order, counts no event, and leads nowhere', () => {
  const raw = groupOf({}, 0, { raw: '{"key":7}' });
  const state = answered(
    opened,
    answerOf({
      groups: [raw, groupOf({ ruleId: 'A' }, 5), groupOf({ ruleId: 'B' }, 3), raw],
      total: 4,
      bad: 2,
    }),
  );
  const { table } = groups(state);
  assert.deepEqual([table.bad, table.events, table.groups.length], [2, 8, 4]);
  for (const turned of [state, played(state, 'reverse').state, played(state, 'sort', 'sort').state]) {
    assert.deepEqual(
      groups(turned)
        .table.groups.slice(2)
        .map((group) => group.raw),
      [raw.raw, raw.raw],
    );
  }
  const refused = played(state, 'last', 'open').state;
  assert.match(refused.notice?.text ?? '', /was not understood/);
  assert.deepEqual(searches(refused), []);
  assert.match(played(state, 'last', 'filterOut').state.notice?.text ?? '', /was not understood/);
});
