import { FAILURES, type FailureKind, type FailureRow } from '../failure.ts';
import type { GapReason } from './coverage.ts';
import type { TailStatus } from './tail-report.ts';

/** `pauses`: ms before each next try, the last one for ever. */
type TailFaultRow = {
  status: TailStatus & ('offline' | 'rateLimited' | 'failed');
  reason: GapReason;
  pauses: readonly number[];
};

const PASSING = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000];
/** Only the user can end these; they are asked for now and then because he may do so elsewhere. */
const LASTING = [30_000, 60_000];

/** The ways in which a tail goes on after a failure; `denied` = the key or the zone must change. */
const TAIL_FAULTS = {
  offline: { status: 'offline', reason: 'offline', pauses: PASSING },
  rateLimited: { status: 'rateLimited', reason: 'rateLimited', pauses: PASSING },
  failing: { status: 'failed', reason: 'failed', pauses: PASSING },
  refused: { status: 'failed', reason: 'refused', pauses: LASTING },
  denied: { status: 'failed', reason: 'refused', pauses: LASTING },
} as const satisfies Record<FailureRow['outcome']['tail'], TailFaultRow>;

export function tailFaultOf(kind: FailureKind): TailFaultRow {
  return TAIL_FAULTS[FAILURES[kind].outcome.tail];
}

/** A pause before try number `failures` + 1 (counted from 1), ms. */
export function pauseAfter(kind: FailureKind, failures: number): number {
  const { pauses } = tailFaultOf(kind);
  return pauses[Math.min(failures, pauses.length) - 1] ?? 30_000;
}
