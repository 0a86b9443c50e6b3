import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Gap } from '../../src/domain/tail/coverage.ts';
import { GapLines } from '../../src/print/follow/followed-output.ts';
import { fc } from '../support/properties.ts';

const gap = (from: number, to: number): Gap => ({ id: `${from}`, from, to, reason: 'offline', rows: null });

/** Moments that the ranges cover, and how often. */
function moments(gaps: readonly Gap[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { from, to } of gaps) {
    for (let at = from; at < to; at++) counts.set(at, (counts.get(at) ?? 0) + 1);
  }
  return counts;
}

test('a gap that stands still is told after two seconds, one that grows piece by piece every ten', () => {
  const lines = new GapLines();
  assert.deepEqual(lines.due([gap(0, 50)], 0), []);
  assert.deepEqual(lines.due([gap(0, 50)], 1_999), []);
  assert.deepEqual(lines.due([gap(0, 50)], 2_000), [gap(0, 50)]);
  const told: Gap[] = [];
  for (let second = 3; second <= 40; second++) told.push(...lines.due([gap(0, 50 + second)], second * 1_000));
  told.push(...lines.rest([gap(0, 90)]));
  assert.ok(told.length <= 5, `${told.length} lines`);
  assert.deepEqual(
    told.map(({ from }, at) => from === (told[at - 1]?.to ?? 50)),
    told.map(() => true),
  );
  assert.equal(told.at(-1)?.to, 90);
});

test('however gaps grow, every moment of them is told exactly once in the end', () => {
  const piece = fc.tuple(fc.nat(60), fc.integer({ min: 1, max: 20 }), fc.nat(4_000));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
      const lines = new GapLines();
      const told: Gap[] = [];
      const all = new Set<number>();
      let now = 0;
      const standing = () => {
        const sorted = [...all].sort((a, b) => a - b);
        const gaps: Gap[] = [];
        for (const at of sorted) {
          const last = gaps.at(-1);
          if (last?.to === at) last.to = at + 1;
          else gaps.push(gap(at, at + 1));
        }
        return gaps;
      };
      for (const [from, length, pause] of pieces) {
        for (let at = from; at < from + length; at++) all.add(at);
        now += pause;
        told.push(...lines.due(standing(), now));
      }
      told.push(...lines.rest(standing()));
      const counts = moments(told);
      assert.deepEqual(
        [...counts.keys()].sort((a, b) => a - b),
        [...all].sort((a, b) => a - b),
      );
      assert.ok([...counts.values()].every((count) => count === 1));
    }),
  );
});
