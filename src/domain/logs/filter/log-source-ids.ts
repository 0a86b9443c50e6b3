import { CHUNK_BITS, CHUNK_ROWS } from '../columns/coded-column.ts';
import type { LogColumns } from '../columns/log-columns.ts';
import { YES } from '../dictionary/dictionary.ts';
import { type ColumnQuestion, codedSource, type Question, UNKNOWN_SHARE } from './column-question.ts';

/** Request ids have no codes: whole ones are looked for as bytes, parts of them in the text that a chunk prints as. */
export function requestIdSource(columns: LogColumns, question: Question): ColumnQuestion {
  const { test, needle, only } = question;
  const { requestId } = columns;
  const odd = codedSource(requestId.odd, question);
  const hex = needle === null || /^[0-9a-f]+$/i.test(needle) ? (needle?.toLowerCase() ?? null) : '';
  return {
    passes: (slot) => (columns.hasPackedId(slot) ? test(columns.idOfRequest(slot)) : odd.passes(slot)),
    share: () => odd.share() || (hex === '' ? 0 : UNKNOWN_SHARE),
    mark: (chunk, hits) => {
      const first = chunk << CHUNK_BITS;
      const end = Math.min(columns.limit - first, CHUNK_ROWS);
      const isPacked = (row: number) => row < end && columns.hasPackedId(first + row);
      for (let row = 0; row < end; row++) {
        if (!isPacked(row) && odd.passes(first + row)) hits[row] = YES;
      }
      if (only !== null) {
        for (const id of only)
          requestId.eachEqual(chunk, id.toLowerCase(), (row) => {
            if (isPacked(row) && test(columns.idOfRequest(first + row))) hits[row] = YES;
          });
      } else if (hex === null) {
        requestId.each(chunk, (row, id) => {
          if (isPacked(row) && test(id)) hits[row] = YES;
        });
      }
      if (hex !== null && hex !== '') {
        requestId.eachContaining(chunk, hex, (row) => {
          if (isPacked(row)) hits[row] = YES;
        });
      }
    },
    close: () => odd.close(),
  };
}
