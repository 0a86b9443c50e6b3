import type { Cover, GapReason } from './coverage.ts';

/**
 * The decisions on which the truth of the tail rests, each a small pure function, so that a test can put a wrong one in
 * its place and show that it is noticed. All times are Unix ms.
 */
export type TailPolicy = {
  /** What counts as now. `bound`: lower bound of the server's clock; `newestRow`: time of the newest row that came. */
  now: (bound: number, newestRow: number | null) => number;
  /** End of the time that a complete answer, asked for at `sentAt`, may seal when rows come up to `lateness` ms late. */
  sealedBy: (sentAt: number, lateness: number) => number;
  /** Whether `waiting` ms of read time, all old enough to be sealed, are worth a request. */
  isSweepDue: (waiting: number, chunk: number) => boolean;
  /** Which of the equal rows of one answer this is, from 0. */
  occurrence: (n: number) => number;
  /** Whether a row goes on to the screen. */
  isNew: (isKnown: boolean) => boolean;
  /** What becomes of time that is given up. */
  skipped: (reason: GapReason) => Cover;
  /** Whether the keys of the rows of a stretch of time may be forgotten. */
  mayForget: (stretch: { isSealed: boolean; isBelowMargin: boolean }) => boolean;
};

export const TAIL_POLICY: TailPolicy = {
  now: (bound) => bound,
  sealedBy: (sentAt, lateness) => sentAt - lateness,
  isSweepDue: (waiting, chunk) => waiting >= chunk,
  occurrence: (n) => n,
  isNew: (isKnown) => !isKnown,
  skipped: (reason) => ({ state: 'gap', reason }),
  mayForget: ({ isSealed, isBelowMargin }) => isSealed && isBelowMargin,
};
