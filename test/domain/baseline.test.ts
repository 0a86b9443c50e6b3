import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  BASELINES,
  type BaselineId,
  baselineOf,
  logsPrice,
  shieldPrice,
} from '../../src/domain/questions/baseline.ts';
import { RUNS } from './log-rows.ts';
import { HOUR, MINUTE, NOON } from './scene.ts';

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

test('a comparison of nine dimensions costs two requests each at least', () => {
  assert.deepEqual(shieldPrice(9, 4), { least: 18, most: 72, why: '9 dimensions × 2 windows × 1…4 pages' });
});

/** Reads slices as the program does: one with too many rows is halved. */
function requestsOf(span: number, perSecond: number, limit: number, spanMost: number): number {
  const read = (ms: number): number => 1 + ((ms * perSecond) / 1000 > limit ? 2 * read(ms / 2) : 0);
  const slices = Math.ceil(span / spanMost);
  return slices * read(span / slices);
}

test('reading logs costs between the two bounds that were named', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 600 }), fc.integer({ min: 0, max: 3000 }), (minutes, perSecond) => {
      const tuning = { limit: 10_000, spanMost: HOUR };
      const price = logsPrice([{ from: 0, to: minutes * MINUTE }], perSecond, tuning);
      const paid = requestsOf(minutes * MINUTE, perSecond, tuning.limit, tuning.spanMost);
      assert.ok(price.least <= paid, `${price.least} <= ${paid}`);
      assert.ok(paid <= (price.most ?? 0), `${paid} <= ${price.most}`);
    }),
    { numRuns: RUNS },
  );
  const unknown = logsPrice([{ from: 0, to: 2 * HOUR }], null, { limit: 10_000, spanMost: HOUR });
  assert.deepEqual([unknown.least, unknown.most], [2, null]);
});
