import type { Gap, TimeRange } from '../tail/coverage.ts';
import type { LogRows } from './log-rows.ts';

/**
 * `reading`: there is more to read. `read`: every file to its end. `following`: the same, and additions are read.
 * `stopped`: the user ended the reading before the end.
 */
type SavedStatus = 'reading' | 'read' | 'following' | 'stopped';

/** A problem with a file, in words for the user. `isLoss`: not all of it was read. */
export type SavedTrouble = { file: string; what: string; isLoss: boolean };

/** The state of a reading of saved logs. */
export type SavedReport = {
  status: SavedStatus;
  /** Bytes on disk; the total is null for standard input of unknown length. */
  bytesRead: number;
  bytesTotal: number | null;
  /** Rows read, including those not understood. */
  rows: number;
  /** Rows without a known shape, shown as they came. */
  bad: number;
  /** Lines that were too long and were cut. */
  cut: number;
  /** Lines with bytes that are no UTF-8. */
  notText: number;
  files: number;
  /** Files read to their end. */
  filesRead: number;
  gaps: readonly Gap[];
  /** From the oldest to the newest row; null before the first. */
  span: TimeRange | null;
  troubles: readonly SavedTrouble[];
};

/** Rows kept of saved logs; at some 170 bytes a row they take 350 MB at most. The oldest beyond it go, counted. */
export const SAVED_CAPACITY = 2_000_000;

/** What saved logs lack, a sentence each. */
export function savedMissing({ status, troubles }: Pick<SavedReport, 'status' | 'troubles'>): string[] {
  return [
    ...(status === 'reading' ? ['the files were still being read'] : []),
    ...(status === 'stopped' ? ['the files were not read to their end'] : []),
    ...troubles.filter((trouble) => trouble.isLoss).map(({ file, what }) => `${file} ${what}`),
  ];
}

/** Rows in the order of the file. Coded ones are valid until the reducer returns: their memory is then reused. */
export type SavedEvent = { rows: LogRows | null; report: SavedReport };

export function emptyReport(files: number, bytesTotal: number | null): SavedReport {
  return {
    status: 'reading',
    bytesRead: 0,
    bytesTotal,
    rows: 0,
    bad: 0,
    cut: 0,
    notText: 0,
    files,
    filesRead: 0,
    gaps: [],
    span: null,
    troubles: [],
  };
}
