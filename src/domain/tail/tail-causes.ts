import type { GapReason, TimeRange } from './coverage.ts';

/** Why the head does not keep up, from a time (Unix ms) until the next cause. */
export type LagCause = { from: number; reason: GapReason };

/** The cause of everything since `from`, unless it goes on from before. */
export function withCause(causes: readonly LagCause[], from: number, reason: GapReason): readonly LagCause[] {
  const before = causes.filter((cause) => cause.from < from);
  return before.at(-1)?.reason === reason ? before : [...before, { from, reason }];
}

/** The range in parts of one cause each. The first cause holds for what lies before it too; without any, `otherwise` does. */
export function partsByCause(
  causes: readonly LagCause[],
  range: TimeRange,
  otherwise: GapReason,
): (TimeRange & { reason: GapReason })[] {
  if (causes.length === 0) return [{ ...range, reason: otherwise }];
  return causes
    .map(({ from, reason }, i) => ({
      from: i === 0 ? range.from : Math.max(range.from, Math.floor(from)),
      to: Math.min(range.to, Math.floor(causes[i + 1]?.from ?? range.to)),
      reason,
    }))
    .filter((part) => part.from < part.to);
}
