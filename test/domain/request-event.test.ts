import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type QuotaSnapshot, tightestQuota } from '../../src/domain/request-event.ts';

function quotaOf(more: Partial<QuotaSnapshot>): QuotaSnapshot {
  return { used: 0, cap: 30, isSpent: false, frozenUntil: null, degraded: false, ...more };
}

test('of several quotas the one with the least left is told, and a frozen one before all', () => {
  const [little, much, frozen] = [
    quotaOf({ used: 3 }),
    quotaOf({ used: 17 }),
    quotaOf({ used: 1, frozenUntil: 5 }),
  ];
  assert.equal(tightestQuota([little, much]), much);
  assert.equal(tightestQuota([much, frozen, little]), frozen);
  assert.equal(tightestQuota([]), null);
});
