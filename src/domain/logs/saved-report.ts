import type { LogRecord } from '../log.ts';
import type { Gap, TimeRange } from '../tail/coverage.ts';
import type { CodedRows } from './columns/coded-rows.ts';

/**
 * `reading`: there is more to read. `read`: to the end of every file. `following`: the same, and what is added to the
 * files is read. `stopped`: the user ended the reading before the end of the files.
 */
type SavedStatus = 'reading' | 'read' | 'following' | 'stopped';

/** What is to be said about a file, in words for the user. `isLoss`: not all of it was read. */
export type SavedTrouble = { file: string; what: string; isLoss: boolean };

/** What is known of the reading of saved logs. */
export type SavedReport = {
  status: SavedStatus;
  /** Bytes as they are on the disk; the total is null where standard input does not tell it. */
  bytesRead: number;
  bytesTotal: number | null;
  /** Rows read, those not understood among them. */
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

/** Rows of saved logs in the order of the file: coded where they have a known shape, else one by one. */
export type SavedRows = { kind: 'coded'; rows: CodedRows } | { kind: 'records'; records: LogRecord[] };

/** Coded rows are good until the reducer returns: their bytes are then read over. */
export type SavedEvent = { rows: SavedRows | null; report: SavedReport };

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
