import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BASELINES, type BaselineId, earlierLens } from '../../../src/domain/questions/comparison/lenses.ts';
import type { TimeRange } from '../../../src/domain/tail/coverage.ts';
import { HOUR, MINUTE, NOON } from '../scene.ts';

const EDGE = NOON - 72 * HOUR;
const window = { from: NOON - HOUR, to: NOON };
const baselineOf = (of: TimeRange, id: BaselineId) => earlierLens(of, { id, ...BASELINES[id] }, EDGE);

test('the baseline is the window before, or the same hour one or two days earlier', () => {
  const ranges = (Object.keys(BASELINES) as BaselineId[]).map((id) => baselineOf(window, id));
  assert.deepEqual(
    ranges.map(({ before, why }) => [before, why]),
    [
      [[{ from: NOON - 2 * HOUR, to: NOON - HOUR }], ''],
      [[{ from: NOON - 25 * HOUR, to: NOON - 24 * HOUR }], ''],
      [[{ from: NOON - 49 * HOUR, to: NOON - 48 * HOUR }], ''],
    ],
  );
});

test('what is kept no longer is cut off and named; a baseline of which little is left is refused', () => {
  const early = { from: EDGE + 30 * MINUTE, to: EDGE + 90 * MINUTE };
  const cut = baselineOf(early, 'previous');
  assert.deepEqual(cut.before, [{ from: EDGE, to: EDGE + 30 * MINUTE }]);
  assert.match(cut.why, /^its beginning is no longer kept/);
  const refused = baselineOf({ from: EDGE + MINUTE, to: EDGE + 61 * MINUTE }, 'previous');
  assert.equal(refused.before, null);
  assert.match(refused.why, /older than what is kept/);
});

test('a window longer than a day would be compared with itself, and is refused', () => {
  const refused = baselineOf({ from: NOON - 30 * HOUR, to: NOON }, 'day');
  assert.equal(refused.before, null);
  assert.match(refused.why, /1d6h .* 1d earlier overlap/);
});
