import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSequence } from '../../src/time/turns.ts';

test('pieces of work run one after the other, and one that fails ends nothing but itself', async () => {
  const inTurn = createSequence();
  const seen: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = inTurn(async () => {
    seen.push('first begins');
    await gate.promise;
    throw new Error('first');
  });
  const second = inTurn(async () => void seen.push('second'));
  await new Promise(setImmediate);
  assert.deepEqual(seen, ['first begins']);
  gate.resolve();
  await assert.rejects(first, /first/);
  await second;
  assert.deepEqual(seen, ['first begins', 'second']);
});
