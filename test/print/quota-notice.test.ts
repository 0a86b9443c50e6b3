import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import type { RequestEvent } from '../../src/domain/request-event.ts';
import { withQuotaNotice } from '../../src/print/output.ts';

test('a pipe is told once that the quota is not shared, and again after it was', () => {
  const stderr = new PassThrough();
  let degraded = false;
  let passed = 0;
  const snapshot = () => ({ used: 0, cap: 30, isSpent: false, frozenUntil: null, degraded });
  const notice = withQuotaNotice({ snapshot }, stderr, () => {
    passed += 1;
  });
  for (const now of [false, true, true, false, true]) {
    degraded = now;
    notice({} as RequestEvent);
  }
  assert.equal(passed, 5);
  assert.match(String(stderr.read()), /^(edgescope: [^\n]*keeps to an eighth\n){2}$/);
});
