import type { LogRecord } from '../../log.ts';
import { CHUNK_BITS, CHUNK_ROWS } from '../columns/coded-column.ts';
import type { LogColumns } from '../columns/log-columns.ts';
import { YES } from '../dictionary/dictionary.ts';
import { type ColumnQuestion, codedSource, type Question, UNKNOWN_SHARE } from './column-question.ts';
import { requestIdSource } from './log-source-ids.ts';
import { urlSource } from './url-question.ts';

/** The same question of several columns; a row passes when any of them does. */
export function sourcesOf(
  columns: LogColumns,
  fields: readonly (keyof LogRecord)[],
  question: Question,
): ColumnQuestion[] {
  const isSearchInPath = question.needle !== null && fields.includes('path');
  const path = isSearchInPath ? codedSource(columns.coded.path, question) : null;
  return fields.map((field) => {
    if (field === 'path' && path !== null) return path;
    return field === 'url' ? urlSource(columns, question, path) : sourceOf(columns, field, question);
  });
}

function sourceOf(
  columns: LogColumns,
  column: Exclude<keyof LogRecord, 'url'>,
  question: Question,
): ColumnQuestion {
  const { test } = question;
  switch (column) {
    case 'timestamp':
      return rowSource(columns, (slot) => test(columns.time(slot)));
    case 'bytesSent':
    case 'bodyBytesSent':
      return rowSource(columns, (slot) => test(columns[column].value(slot)));
    case 'requestId':
      return requestIdSource(columns, question);
    case 'statusCode':
      return codedSource(columns.coded.statusCode, question);
    default:
      return codedSource(columns.coded[column], question);
  }
}

/** Asked once for each row: numbers of which nearly every row has another. */
function rowSource(columns: LogColumns, passes: (slot: number) => boolean): ColumnQuestion {
  return {
    passes,
    share: () => UNKNOWN_SHARE,
    mark: (chunk, hits) => {
      const first = chunk << CHUNK_BITS;
      const end = Math.min(columns.limit - first, CHUNK_ROWS);
      for (let row = 0; row < end; row++) if (passes(first + row)) hits[row] = YES;
    },
    close: () => {},
  };
}
