import { LogBook } from '../../domain/logs/log-book.ts';
import { emptyReport, SAVED_CAPACITY, type SavedReport } from '../../domain/logs/saved-report.ts';
import type { Clock } from '../../time/clock.ts';
import type { SavedInput } from './saved-input.ts';
import { readSavedLogs } from './saved-logs.ts';

/** Reads saved logs into a book. A reading that the signal ends is `stopped`. */
export async function readSavedBook(o: {
  inputs: readonly SavedInput[];
  clock: Clock;
  signal: AbortSignal;
  said: (report: SavedReport) => void;
}): Promise<{ book: LogBook; report: SavedReport }> {
  const { inputs, clock, signal, said } = o;
  const book = new LogBook({ capacity: SAVED_CAPACITY });
  let report = emptyReport(inputs.length, null);
  await readSavedLogs({
    inputs,
    follow: false,
    clock,
    signal,
    emit({ rows, report: now }) {
      if (rows?.kind === 'coded') book.appendCoded(rows.rows);
      if (rows?.kind === 'records') book.append(rows.records.map((record) => ({ record, late: false })));
      report = now;
      said(now);
    },
  });
  book.settle();
  return { book, report: report.status === 'reading' ? { ...report, status: 'stopped' } : report };
}
