import assert from 'node:assert/strict';
import { test } from 'node:test';
import { folded } from '../../../src/domain/timeline/steps.ts';

const counted = (count: number) => ({
  steps: { from: 1000, step: 10, count },
  counts: Array.from({ length: count }, (_, at) => [1, at]),
});

test('steps that fit stay as they are', () => {
  const all = counted(60);
  assert.equal(folded(all, 60).counts, all.counts);
});

test('neighbours are added up until they fit, in equal numbers where there are such', () => {
  const { steps, counts } = folded(counted(60), 50);
  assert.deepEqual(steps, { from: 1000, step: 20, count: 30 });
  assert.deepEqual(counts.slice(0, 2), [
    [2, 1],
    [2, 5],
  ]);
  // Four and a half times as many: not by five, which would leave a step too long.
  assert.deepEqual(folded(counted(96), 22).steps, { from: 1000, step: 60, count: 16 });
});

test('where no number divides them the last one is of fewer, and nothing is lost', () => {
  const { steps, counts } = folded(counted(7), 4);
  assert.deepEqual(steps, { from: 1000, step: 20, count: 4 });
  assert.deepEqual(
    counts.map(([one]) => one),
    [2, 2, 2, 1],
  );
});
