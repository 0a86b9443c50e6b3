import assert from 'node:assert/strict';
import { test } from 'node:test';
import { savedRange, shiftedSaved, zoomedSaved } from '../../src/domain/logs/saved-window.ts';

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

test('a window moves by half its length until the rows end', () => {
  assert.deepEqual(shiftedSaved(absolute(10, 20), -1, span), absolute(5, 15));
  assert.deepEqual(shiftedSaved(absolute(10, 20), 1, span), absolute(15, 25));
  assert.deepEqual(shiftedSaved(absolute(0, 10), -1, span), null);
  assert.deepEqual(shiftedSaved(absolute(50, 60), 1, span), null);
  assert.deepEqual(shiftedSaved(null, -1, span), null);
});

test('zooming goes in about the row under the cursor, and out to all rows', () => {
  assert.deepEqual(zoomedSaved(null, 'in', span, 20 * MINUTE), absolute(5, 35));
  assert.deepEqual(zoomedSaved(null, 'in', span, 0), absolute(0, 30));
  assert.deepEqual(zoomedSaved(null, 'in', span, null), absolute(30, 60));
  assert.deepEqual(zoomedSaved(absolute(20, 30), 'out', span, null), absolute(15, 35));
  assert.equal(zoomedSaved(absolute(5, 55), 'out', span, null), null);
  assert.equal(zoomedSaved(null, 'out', span, null), undefined);
  assert.equal(zoomedSaved({ kind: 'absolute', from: 0, to: 1000 }, 'in', span, null), undefined);
});
