import type { LogRecord } from '../log.ts';
import type { ShieldRow } from '../shield/shield-rows.ts';
import { rowKey } from '../tail/coverage-keys.ts';
import { oneLogSheet, type Sheet, shieldEventSheet } from './sheet.ts';

/** Identifies a row wherever it is read again. Rows that are equal in every field are one. */
type MarkKey = number | string;

/** A marked row as it was then: it stays when the row leaves memory. `at`: event time, Unix ms. */
export type Mark = { key: MarkKey; at: number; zone: string } & (
  | { kind: 'row'; record: LogRecord }
  | { kind: 'event'; row: ShieldRow }
);

/** In the order in which they were set. */
export type Marks = ReadonlyMap<MarkKey, Mark>;

/** With records of some kB this is a few MB. */
export const MOST_MARKS = 1000;

export function markOfRecord(record: LogRecord, zone: string): Mark {
  return { kind: 'row', key: rowKey(record), at: record.timestamp, zone, record };
}

export function markOfEvent(row: ShieldRow, zone: string): Mark {
  return { kind: 'event', key: row.id, at: row.at, zone, row };
}

/** Asked for every painted row, mostly before anything is marked. */
export function isMarked(marks: Marks, record: LogRecord): boolean {
  return marks.size > 0 && marks.has(rowKey(record));
}

/** The newest last, as a log has them. */
export function byTime(marks: Marks): readonly Mark[] {
  return [...marks.values()].toSorted((a, b) => a.at - b.at);
}

/** Marked rows of both logs, each as its own view would hand it over. */
export function markSheet(marks: Marks): Sheet {
  const parts = byTime(marks).map((mark) =>
    mark.kind === 'row' ? oneLogSheet(mark.record) : shieldEventSheet([mark.row]),
  );
  return {
    what: 'rows',
    rows: parts.length,
    columns: [...new Set(parts.flatMap((part) => part.columns))],
    brief: [...new Set(parts.flatMap((part) => part.brief))],
    missing: [],
    of: null,
    *lines(from, to) {
      for (const part of parts.slice(from, to)) yield* part.lines();
    },
  };
}
