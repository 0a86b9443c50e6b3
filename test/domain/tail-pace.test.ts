import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FAILURES, type FailureKind } from '../../src/domain/failure.ts';
import {
  grownSpan,
  headPeriod,
  overlap,
  partsByCause,
  repairShare,
  secondLook,
  shrunkSpan,
  splitOf,
  TAIL_TUNING,
  tuningOf,
  UNWATCHED_TUNING,
  withCause,
} from '../../src/domain/tail/tail-pace.ts';
import { fc } from '../support/properties.ts';

const BUSY = { silence: 0, repairs: 0, rate: 0.02, page: 10_000 };

test('the head is read every 1.1 s, slower while repairs need their share, and every 2 s in an idle zone', () => {
  assert.equal(headPeriod(BUSY, TAIL_TUNING), 1_100);
  assert.equal(headPeriod({ ...BUSY, repairs: repairShare(false, TAIL_TUNING) }, TAIL_TUNING), 1_112);
  assert.equal(headPeriod({ ...BUSY, repairs: repairShare(true, TAIL_TUNING) }, TAIL_TUNING), 1_429);
  assert.equal(headPeriod({ ...BUSY, silence: 12_000 }, TAIL_TUNING), 1_200);
  assert.equal(headPeriod({ ...BUSY, silence: 600_000 }, TAIL_TUNING), 2_000);
});

test('one tail keeps its pace, and each of twelve asks every two and a half seconds', () => {
  assert.deepEqual(tuningOf(1), TAIL_TUNING);
  assert.deepEqual(tuningOf(2), TAIL_TUNING);
  const requests = [3, 4, 5, 6, 12, 500].map((tails) => tuningOf(tails).requests);
  assert.deepEqual(requests, [9, 7, 5, 4, 4, 4]);
  const tuning = tuningOf(12);
  assert.equal(headPeriod(BUSY, tuning), 2_500);
  for (const isOverdue of [false, true]) {
    const repairs = repairShare(isOverdue, tuning);
    assert.ok(repairs > 0 && headPeriod({ ...BUSY, repairs }, tuning) < tuning.behindMost);
  }
});

test('head and repairs together stay below the 14 background requests per 10 s', () => {
  for (const isOverdue of [false, true]) {
    const repairs = repairShare(isOverdue, TAIL_TUNING);
    const heads = TAIL_TUNING.quotaWindow / headPeriod({ ...BUSY, repairs }, TAIL_TUNING);
    assert.ok(heads + repairs <= 13);
  }
});

test('the overlap grows with how late rows come ordinarily, and is bounded by rows', () => {
  const calm = { ordinary: 0, rate: 0.01, page: 10_000, sinceLook: 0 };
  assert.equal(overlap(calm, TAIL_TUNING), 2_000);
  assert.equal(overlap({ ...calm, rate: 0.001 }, TAIL_TUNING), 8_000);
  assert.equal(overlap({ ...calm, ordinary: 20_000 }, TAIL_TUNING), 20_000);
  assert.equal(overlap({ ...calm, ordinary: 20_000, rate: 1 }, TAIL_TUNING), 2_500);
  assert.equal(overlap({ ...calm, ordinary: 20_000, rate: 5 }, TAIL_TUNING), 1_100);
  assert.equal(overlap({ ...calm, ordinary: 10_000_000, rate: 0 }, TAIL_TUNING), TAIL_TUNING.lateness);
});

test('every now and then all is read again that came since, as long as a part of an answer holds it', () => {
  const slow = { ordinary: 0, rate: 0.02, page: 10_000 };
  assert.equal(secondLook(slow, TAIL_TUNING), 100_000);
  assert.equal(secondLook({ rate: 0.001, page: 10_000 }, TAIL_TUNING), 180_000);
  assert.equal(overlap({ ...slow, sinceLook: 99_000 }, TAIL_TUNING), 2_000);
  assert.equal(overlap({ ...slow, sinceLook: 101_000 }, TAIL_TUNING), 101_000);
  assert.equal(overlap({ ...slow, sinceLook: 900_000 }, TAIL_TUNING), 275_000);
});

test('a head that nobody looks at waits until rows have gathered, a quarter of an answer at most, and reads none twice', () => {
  const period = (more: Partial<typeof BUSY>) => headPeriod({ ...BUSY, ...more }, UNWATCHED_TUNING);
  assert.equal(period({}), 8_000);
  assert.equal(period({ rate: 0 }), 8_000);
  assert.equal(period({ rate: 0.5 }), 5_000);
  assert.equal(period({ rate: 0.5, page: 1_000 }), 1_100);
  assert.equal(period({ rate: 100 }), headPeriod(BUSY, TAIL_TUNING));
  assert.ok(period({}) < UNWATCHED_TUNING.behindMost);
  assert.equal(
    overlap({ ordinary: 20_000, rate: 0.02, page: 10_000, sinceLook: 200_000 }, UNWATCHED_TUNING),
    0,
  );
});

test('a split lies within the slice, so that both parts are shorter', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 1_000_000 }), fc.array(fc.nat(1_000_000)), (length, times) => {
      const split = splitOf(
        { from: 0, to: length },
        times.filter((t) => t < length),
      );
      assert.ok(split !== null && split > 0 && split < length);
    }),
  );
  assert.equal(splitOf({ from: 5, to: 6 }, [5, 5]), null);
  assert.equal(splitOf({ from: 0, to: 100 }, []), 50);
});

test('slices grow where rows are few, and shrink where wide ones fail', () => {
  assert.equal(grownSpan(1_000, 9_000, 10_000, TAIL_TUNING), 1_000);
  assert.equal(grownSpan(1_000, 4_000, 10_000, TAIL_TUNING), 2_000);
  assert.equal(grownSpan(1_000, 0, 10_000, TAIL_TUNING), 8_000);
  assert.equal(grownSpan(TAIL_TUNING.spanMost, 0, 10_000, TAIL_TUNING), TAIL_TUNING.spanMost);
  const shrunk = { slow: [200_000, 7_000, 4], large: [200_000, 1_750, 1] };
  for (const kind of Object.keys(FAILURES) as FailureKind[]) {
    const { window } = FAILURES[kind].traits;
    const spans = [800_000, 7_000, 4];
    const expected = window === 'slow' || window === 'large' ? shrunk[window] : spans;
    assert.deepEqual(
      spans.map((span) => shrunkSpan(span, kind, TAIL_TUNING)),
      expected,
      kind,
    );
  }
});

test('time that was missed is divided among its causes', () => {
  let causes = withCause([], 10, 'offline');
  causes = withCause(causes, 20, 'offline');
  causes = withCause(causes, 30, 'slept');
  assert.deepEqual(partsByCause(causes, { from: 5, to: 40 }, 'overload'), [
    { from: 5, to: 30, reason: 'offline' },
    { from: 30, to: 40, reason: 'slept' },
  ]);
  assert.deepEqual(partsByCause([], { from: 5, to: 40 }, 'overload'), [
    { from: 5, to: 40, reason: 'overload' },
  ]);
});
