import assert from 'node:assert/strict';
import { test } from 'node:test';
import { savedRange } from '../../src/domain/logs/saved-window.ts';

const MINUTE = 60_000;
const span = { from: 0, to: 60 * MINUTE - 1 };
const last = (minutes: number) => ({ kind: 'last', duration: minutes * MINUTE }) as const;
const absolute = (from: number, to: number | null) =>
  ({ kind: 'absolute', from: from * MINUTE, to: to === null ? null : to * MINUTE }) as const;

test('last: counts from the newest row of the files, and has no end', () => {
  assert.deepEqual(savedRange(last(15), span), { from: 45 * MINUTE - 1, to: Number.POSITIVE_INFINITY });
  assert.equal(savedRange(last(15), null), null);
  assert.equal(savedRange(null, span), null);
});

test('from: and to: are times of rows', () => {
  assert.deepEqual(savedRange(absolute(10, 20), span), { from: 10 * MINUTE, to: 20 * MINUTE });
  assert.equal(savedRange(absolute(10, null), span)?.to, Number.POSITIVE_INFINITY);
});
