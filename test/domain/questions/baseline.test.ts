import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BASELINES, type BaselineId, baselineOf } from '../../../src/domain/questions/comparison/lenses.ts';
import { fc } from '../../support/properties.ts';
import { RUNS } from '../log-rows.ts';
import { HOUR, MINUTE, NOON } from '../scene.ts';

const EDGE = NOON - 72 * HOUR;
const window = { from: NOON - HOUR, to: NOON };

test('the baseline is the window before, or the same hour one or two days earlier', () => {
  const ranges = (Object.keys(BASELINES) as BaselineId[]).map((id) => baselineOf(window, id, EDGE));
  assert.deepEqual(ranges, [
    { ok: true, range: { from: NOON - 2 * HOUR, to: NOON - HOUR }, lost: 0 },
    { ok: true, range: { from: NOON - 25 * HOUR, to: NOON - 24 * HOUR }, lost: 0 },
    { ok: true, range: { from: NOON - 49 * HOUR, to: NOON - 48 * HOUR }, lost: 0 },
  ]);
});

test('what is kept no longer is cut off and named; a baseline of which little is left is refused', () => {
  const early = { from: EDGE + 30 * MINUTE, to: EDGE + 90 * MINUTE };
  assert.deepEqual(baselineOf(early, 'previous', EDGE), {
    ok: true,
    range: { from: EDGE, to: EDGE + 30 * MINUTE },
    lost: 30 * MINUTE,
  });
  const refused = baselineOf({ from: EDGE + MINUTE, to: EDGE + 61 * MINUTE }, 'previous', EDGE);
  assert.ok(!refused.ok);
  assert.match(refused.why, /older than what is kept/);
});

test('a window longer than a day would be compared with itself, and is refused', () => {
  const refused = baselineOf({ from: NOON - 30 * HOUR, to: NOON }, 'day', EDGE);
  assert.ok(!refused.ok);
  assert.match(refused.why, /1d6h .* 1d earlier overlap/);
});

test('a baseline never touches its window, and is never older than what is kept', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 71 * 60 }),
      fc.integer({ min: 1, max: 30 * 60 }),
      fc.constantFrom<BaselineId>('previous', 'day', 'twoDays'),
      (age, length, id) => {
        const from = NOON - age * MINUTE;
        const to = from + length * MINUTE;
        const baseline = baselineOf({ from, to }, id, EDGE);
        if (!baseline.ok) return;
        assert.ok(baseline.range.to <= from && baseline.range.from >= EDGE);
        assert.equal(baseline.range.to - baseline.range.from + baseline.lost, to - from);
      },
    ),
    { numRuns: RUNS },
  );
});
