import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  blame,
  type Cover,
  type CoverState,
  type GapReason,
  gapsOf,
  type Ledger,
  markFinal,
  markRead,
  openLedger,
  paint,
  segmentsIn,
  type TimeRange,
} from '../../src/domain/tail/coverage.ts';
import { fc, runs } from '../support/properties.ts';

const ORIGIN = 100;
const LENGTH = 60;
const REASONS = ['failed', 'offline'] as const;

type Step = {
  act: 'read' | 'finalize' | 'gap' | 'blame';
  from: number;
  to: number;
  reason: (typeof REASONS)[number];
};

const step: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom('read', 'finalize', 'gap', 'blame'),
  from: fc.integer({ min: ORIGIN - 5, max: ORIGIN + LENGTH }),
  to: fc.integer({ min: ORIGIN - 5, max: ORIGIN + LENGTH }),
  reason: fc.constantFrom(...REASONS),
});

test('after any marks the ledger is a partition that says of each ms what the marks say', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      let ledger = openLedger(ORIGIN);
      const cells: Cover[] = Array.from({ length: LENGTH + 5 }, () => ({ state: 'unknown', reason: null }));
      for (const s of steps) {
        ledger = applied(ledger, s);
        for (let t = Math.max(ORIGIN, s.from); t < s.to; t += 1) {
          cells[t - ORIGIN] = cellAfter(cells[t - ORIGIN] as Cover, s);
        }
        assertPartition(ledger);
      }
      for (const [i, cell] of cells.entries()) {
        const [segment] = segmentsIn(ledger, { from: ORIGIN + i, to: ORIGIN + i + 1 });
        assert.equal(segment?.state, cell.state);
        if (segment !== undefined && 'reason' in segment && 'reason' in cell)
          assert.equal(segment.reason, cell.reason);
      }
    }),
    { numRuns: runs(25) * 8 },
  );
});

test('a gap keeps its id while it grows, shrinks or gets another reason', () => {
  let ledger = markGap(openLedger(0), { from: 10, to: 20 }, 'offline', ['unknown']);
  const [first] = gapsOf(ledger);
  ledger = markGap(ledger, { from: 20, to: 25 }, 'offline', ['unknown']);
  assert.deepEqual(gapsOf(ledger), [{ id: first?.id, from: 10, to: 25, reason: 'offline', rows: null }]);
  ledger = markRead(ledger, { from: 10, to: 12 });
  assert.equal(gapsOf(ledger)[0]?.id, first?.id);
  ledger = markGap(ledger, { from: 12, to: 25 }, 'refused', ['gap']);
  assert.deepEqual(gapsOf(ledger), [{ id: first?.id, from: 12, to: 25, reason: 'refused', rows: null }]);
});

function markGap(ledger: Ledger, range: TimeRange, reason: GapReason, over: readonly CoverState[]): Ledger {
  return paint(ledger, range, ({ state }) => (over.includes(state) ? { state: 'gap', reason } : null));
}

function applied(ledger: Ledger, s: Step): Ledger {
  if (s.act === 'read') return markRead(ledger, s);
  if (s.act === 'finalize') return markFinal(ledger, s);
  return s.act === 'blame'
    ? blame(ledger, s, s.reason)
    : markGap(ledger, s, s.reason, ['unknown', 'read', 'gap']);
}

function cellAfter(before: Cover, s: Step): Cover {
  if (s.act === 'finalize') return { state: 'final' };
  if (before.state === 'final') return before;
  if (s.act === 'gap') return { state: 'gap', reason: s.reason };
  if (s.act === 'blame') return before.state === 'unknown' ? { state: 'unknown', reason: s.reason } : before;
  return { state: 'read' };
}

function assertPartition({ segments }: Ledger): void {
  assert.equal(segments[0]?.from, ORIGIN);
  assert.equal(segments.at(-1)?.to, Number.POSITIVE_INFINITY);
  assert.equal(segments.at(-1)?.state, 'unknown');
  const ids = segments.filter((s) => s.state === 'gap').map((s) => s.id);
  assert.equal(new Set(ids).size, ids.length);
  for (const [i, segment] of segments.entries()) {
    assert.ok(segment.from < segment.to);
    assert.equal(segment.id !== null, segment.state === 'gap');
    if (i > 0) assert.equal(segments[i - 1]?.to, segment.from);
  }
}
