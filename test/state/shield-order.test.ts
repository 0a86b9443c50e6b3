import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ShieldContext, ShieldGroup } from '../../src/domain/shield/shield.ts';
import type { State } from '../../src/state/model.ts';
import { answered, answerOf, groupOf, groups, inGroups, opened, rules, searches } from '../support/shield.ts';
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

test('s goes through the orders, each by its own figure, and asks nothing', () => {
  let state = three;
  const seen = [`${groups(state).sort} ${order(state)}`];
  for (let i = 0; i < 7; i++) {
    state = played(state, 'sort').state;
    seen.push(`${groups(state).sort} ${order(state)}`);
  }
  assert.deepEqual(seen, [
    'count CAB',
    'blocked ABC',
    'challenged BCA',
    'logged CAB',
    'last BAC',
    'first CAB',
    'key ABC',
    'count CAB',
  ]);
  assert.deepEqual(searches(state), []);
});

test('S turns the order round and back, the next order begins the right way', () => {
  const reversed = played(three, 'reverse').state;
  assert.deepEqual([order(reversed), groups(reversed).isReversed], ['BAC', true]);
  assert.equal(order(played(reversed, 'reverse').state), 'CAB');
  const next = played(reversed, 'sort').state;
  assert.deepEqual([order(next), groups(next).isReversed], ['ABC', false]);
});

test('an order holds for pages that come later, and for what is asked instead', () => {
  const state = played(inGroups(1, 826), 'reverse', 'last').state;
  const page = answerOf({ groups: [groupOf({ ruleId: 'few' }, 1)], total: 826, totalPages: 2, page: 1 });
  assert.equal(groups(answered(state, page)).table.groups[0]?.key['ruleId'], 'few');
  const asked = played(state, 'zoomOut').state;
  assert.deepEqual([groups(asked).sort, groups(asked).isReversed], ['count', true]);
});

test('c chooses the columns, which stay for other questions and zones', () => {
  // Wide enough for the bar.
  const picking = played({ ...three, size: { columns: 96, rows: 24 } }, 'chooseColumns').state;
  assert.deepEqual(picking.overlay?.kind === 'shieldColumns' && picking.overlay.chosen, [
    'share',
    'bar',
    'blocked',
    'challenged',
    'logged',
    'last',
  ]);
  const left = played(picking, 'pause', 'leave').state;
  assert.deepEqual([left.overlay, left.shield?.columns], [null, null]);
  const chosen = played(picking, 'pause', 'down', 'pause', 'open').state;
  assert.deepEqual(chosen.shield?.columns, ['blocked', 'challenged', 'logged', 'last']);
  assert.deepEqual(played(chosen, 'zoomOut').state.shield?.columns, chosen.shield?.columns);
  assert.deepEqual(searches(chosen), []);
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
