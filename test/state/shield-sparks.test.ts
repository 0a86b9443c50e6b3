import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureOf } from '../../src/domain/failure.ts';
import { sparkLevels } from '../../src/domain/shield/shield-buckets.ts';
import type { State } from '../../src/state/model.ts';
import { topView } from '../../src/state/view-stack.ts';
import { answered, answerOf, groupOf, groups, opened, requestOf, searches } from '../support/shield.ts';
import { played } from '../support/state.ts';

const REFUSED = failureOf('invalidRequest', { status: 400 });

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
