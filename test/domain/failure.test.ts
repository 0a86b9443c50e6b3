import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FAILURES, type FailureRow } from '../../src/domain/failure.ts';
import { sourceFiles } from '../support/source.ts';

test('every failure is meant by a sign of an answer, or made somewhere', () => {
  const sources = sourceFiles('src').filter(({ path }) => path !== 'src/domain/failure.ts');
  const idle = Object.entries<FailureRow>(FAILURES)
    .filter(
      ([kind, { signs = [] }]) =>
        signs.length === 0 && !sources.some(({ text }) => text.includes(`'${kind}'`)),
    )
    .map(([kind]) => kind);
  assert.deepEqual(idle, []);
});
