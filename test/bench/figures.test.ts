import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Figures } from './figures.ts';

test('the ratios of a chart are medians over the rounds, of all that were asked for and measured', () => {
  const figures = new Figures();
  const ratios = [
    ['ours', 'theirs'],
    ['ours', 'absent'],
  ] as const;
  for (const [ours, theirs] of [
    [1, 2],
    [3, 3],
    [8, 2],
  ])
    figures.add('work', 'ms', { ours: ours as number, theirs: theirs as number }, ratios);
  assert.deepEqual(figures.ratios(), [{ label: 'work: ours/theirs', value: 1 }]);
});
