import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ratioChart } from './chart.ts';
import { Figures } from './figures.ts';

test('a bar goes to the left for what is cheaper and to the right for what is dearer, by powers of two', () => {
  const lines = ratioChart([
    { label: 'half', value: 0.5 },
    { label: 'the same', value: 1 },
    { label: 'four times', value: 4 },
    { label: 'far more', value: 1e6 },
  ]).split('\n');
  assert.deepEqual(lines, [
    `half        ${' '.repeat(16)}████│${' '.repeat(20)}  0.5×`,
    `the same    ${' '.repeat(20)}│${' '.repeat(20)}  1×`,
    `four times  ${' '.repeat(20)}│████████${' '.repeat(12)}  4×`,
    `far more    ${' '.repeat(20)}│${'█'.repeat(20)}  1000000×`,
  ]);
});

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
