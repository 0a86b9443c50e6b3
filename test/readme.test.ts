import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { README, renewed } from './support/readme.ts';

test('the README lists keys, fields and cache statuses as the program has them (npm run readme renews it)', () => {
  const text = readFileSync(README, 'utf8');
  assert.equal(text, renewed(text));
});
