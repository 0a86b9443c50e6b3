import type { FailureKind } from '../failure.ts';
import type { GapReason } from './coverage.ts';
import type { TailStatus } from './tail-report.ts';

/** `pauses`: ms before each next try, the last one for ever. */
export type TailFaultRow = {
  status: TailStatus & ('offline' | 'rateLimited' | 'failed');
  reason: GapReason;
  pauses: readonly number[];
};

const PASSING = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000];
/** Only the user can end these; they are asked for now and then because he may do so elsewhere. */
const LASTING = [30_000, 60_000];

const OFFLINE: TailFaultRow = { status: 'offline', reason: 'offline', pauses: PASSING };
const BROKEN: TailFaultRow = { status: 'failed', reason: 'failed', pauses: PASSING };
const REFUSED: TailFaultRow = { status: 'failed', reason: 'refused', pauses: LASTING };

/** What each failure means for the tail. */
export const TAIL_FAULTS = {
  noKey: REFUSED,
  refusedKey: REFUSED,
  forbidden: REFUSED,
  suspended: REFUSED,
  loggingDisabled: REFUSED,
  rateLimited: { status: 'rateLimited', reason: 'rateLimited', pauses: PASSING },
  windowRefused: REFUSED,
  invalidRequest: REFUSED,
  notFound: REFUSED,
  noShield: REFUSED,
  serverError: BROKEN,
  dns: OFFLINE,
  refusedConnection: OFFLINE,
  tls: REFUSED,
  proxy: OFFLINE,
  timeout: OFFLINE,
  connectionLost: OFFLINE,
  redirected: REFUSED,
  insecure: REFUSED,
  wrongType: BROKEN,
  tooLarge: BROKEN,
  unreadable: BROKEN,
  emptyAnswer: BROKEN,
  noData: BROKEN,
  errorInside: BROKEN,
  wrongShape: BROKEN,
  readOnly: REFUSED,
  notRecorded: BROKEN,
  circuitOpen: OFFLINE,
  cancelled: OFFLINE,
} as const satisfies Record<FailureKind, TailFaultRow>;

/** A pause before try number `failures` + 1 (counted from 1), ms. */
export function pauseAfter(kind: FailureKind, failures: number): number {
  const { pauses }: TailFaultRow = TAIL_FAULTS[kind];
  return pauses[Math.min(failures, pauses.length) - 1] ?? 30_000;
}
