import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shieldDayPath } from '../../../src/domain/handover/wire-request.ts';

test('a day of events is asked for by its date and the token of the page before, percent-encoded', () => {
  assert.equal(shieldDayPath('7', '2026-11-20', null), '/shield/event-logs/7/11-20-2026');
  assert.equal(shieldDayPath('7', '2026-11-20', 'a/b c'), '/shield/event-logs/7/11-20-2026/a%2Fb%20c');
});

test('a token that no path can hold makes no request, and no exception', () => {
  for (const token of ['.', '..', '\ud800', 'a\udfff']) {
    assert.equal(shieldDayPath('7', '2026-11-20', token), null);
  }
});
