import type { LogRecord } from '../../src/domain/log.ts';
import { COLUMN_NAMES, isNumber } from '../../src/store/sql/columns.ts';
import {
  type ArrivingRows,
  StoredColumns,
  type StoredNumber,
  type StoredText,
} from '../../src/store/sql/stored-columns.ts';
import { rowHash, type StoredRow, twinOf } from '../../src/store/sql/stored-row.ts';

/** Records as they come of a source in which no two without an id are equal. */
export function arriving(records: readonly LogRecord[]): ArrivingRows {
  return { rows: records, numbered: (record) => twinOf(rowHash(record), 0) };
}

export function storedColumns(records: readonly LogRecord[]): StoredColumns {
  const columns = new StoredColumns(records.length);
  columns.take(arriving(records));
  return columns;
}

export function rowsOf({ count, ids, texts, numbers }: StoredColumns): StoredRow[] {
  return Array.from({ length: count }, (_, row) => {
    const stored = (name: keyof StoredRow) => {
      if (name === 'id') return ids.toString('hex', row * 16, row * 16 + 16);
      if (isNumber(name)) return numbers[name as StoredNumber][row];
      const { words, codes } = texts[name as StoredText];
      return words[codes[row] as number];
    };
    return Object.fromEntries(COLUMN_NAMES.map((name) => [name, stored(name)])) as StoredRow;
  });
}

export function storedRow(record: LogRecord): StoredRow {
  return rowsOf(storedColumns([record]))[0] as StoredRow;
}
