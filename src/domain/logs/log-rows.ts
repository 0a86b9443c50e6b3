import { type LogRecord, TEXT_NAMES } from '../log.ts';
import type { TimeRange } from '../tail/coverage.ts';
import type { TailReport } from '../tail/tail-report.ts';
import { bufferOf, type CodedRows, createCodedReader } from './columns/coded-rows.ts';

/** Rows in order, each a record or a batch of coded ones: who needs no record makes none. Nobody changes them. */
export type LogRows = readonly (LogRecord | CodedRows)[];

/** Rows as they come to a log. `late`: see `TailReport`; 1 for such a row of a batch, null = none of it is. */
export type ArrivedRow = { record: LogRecord; late: boolean };
export type ArrivedPart = ArrivedRow | { coded: CodedRows; late: Readonly<Uint8Array> | null };

const ZONE = TEXT_NAMES.indexOf('pullZoneId');

export type TailEvent = { rows: readonly ArrivedPart[]; report: TailReport };

export function isBatch(rows: LogRecord | CodedRows): rows is CodedRows {
  return 'texts' in rows;
}

export function countOf(rows: LogRows): number {
  return rows.reduce((sum, each) => sum + (isBatch(each) ? each.count : 1), 0);
}

export function recordsOf(rows: LogRows): readonly LogRecord[] {
  return rows.flatMap((each) => (isBatch(each) ? recordsIn(each) : [each]));
}

export function recordsIn(batch: CodedRows): LogRecord[] {
  const recordOf = createCodedReader(batch);
  return Array.from({ length: batch.count }, (_, row) => recordOf(row));
}

/** Whether all rows of a batch are of this zone and time. */
export function isAllOf({ bytes, texts, times }: CodedRows, zone: string, { from, to }: TimeRange): boolean {
  const { spans = [] } = texts[ZONE] ?? {};
  const isOnlyZone = spans.length === 2 && bufferOf(bytes).toString('latin1', spans[0], spans[1]) === zone;
  return isOnlyZone && times.every((time) => time >= from && time < to);
}

/** The time of the newest row; null without any. Rows without a time of their own do not count. */
export function newestOf(rows: LogRows): number | null {
  let newest = Number.NEGATIVE_INFINITY;
  for (const each of rows) {
    if ('texts' in each) for (const time of each.times) newest = Math.max(newest, time);
    else if (each.raw === null) newest = Math.max(newest, each.timestamp);
  }
  return newest === Number.NEGATIVE_INFINITY ? null : newest;
}

/** The rows as they come to a log, none of them late. */
export function arrivalsOf(rows: LogRows): ArrivedPart[] {
  return rows.map((each) => (isBatch(each) ? { coded: each, late: null } : { record: each, late: false }));
}

export function arrivedCount(arrivals: readonly ArrivedPart[]): number {
  return arrivals.reduce((sum, each) => sum + ('coded' in each ? each.coded.count : 1), 0);
}

/** Each with its record. */
export function arrivedRows(arrivals: readonly ArrivedPart[]): ArrivedRow[] {
  return arrivals.flatMap((each) =>
    'coded' in each
      ? recordsIn(each.coded).map((record, row) => ({ record, late: each.late?.[row] === 1 }))
      : [each],
  );
}
