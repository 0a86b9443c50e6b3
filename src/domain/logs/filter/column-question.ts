import type { LogColumns } from '../columns/log-columns.ts';
import { CHUNK_BITS, CHUNK_ROWS, type CodedColumn, type Codes } from '../columns/value-columns.ts';
import { Memo, NO, UNKNOWN, YES } from '../dictionary/dictionary.ts';

/**
 * What is asked of a value. `needle`: the test is nothing but a search for this text of printable ASCII, ASCII case
 * ignored; `only`: no value passes but one of these, in any case. Null = any other test.
 */
export type Question = {
  test: (value: string | number | null) => boolean;
  needle: string | null;
  only: readonly string[] | null;
};

/** One question about one column of the rows. */
export type ColumnQuestion = {
  passes(slot: number): boolean;
  /**
   * Looks at all values: about which share of them passes, 0…1. 0 = no row kept now does, so that `mark` need not be
   * called.
   */
  share(): number;
  /** After `share`: sets `hits` to YES for each row of a chunk that passes; for free slots it may do anything. */
  mark(chunk: number, hits: Uint8Array): void;
  /** Ends the memory of it. */
  close(): void;
};

/** The share of a source that only its rows can tell. */
export const UNKNOWN_SHARE = 0.1;

export type CodedSource = ColumnQuestion & { memo: Memo };

/** Asked once for each value of a dictionary. */
export function codedSource<V extends string | number>(
  column: CodedColumn<V>,
  question: Question,
): CodedSource {
  const { dictionary } = column;
  const memo = new Memo((code) => (question.test(code === 0 ? null : dictionary.value(code)) ? YES : NO));
  dictionary.watch(memo);
  return {
    memo,
    passes: (slot) => memo.of(column.code(slot)) === YES,
    share: () => {
      memo.reserve(dictionary.limit);
      answerAll(column, question, memo);
      return countOf(memo.data, YES) / (dictionary.size + 1);
    },
    mark: (chunk, hits) => markCodes(column.chunks[chunk] as Codes, memo.data, hits),
    close: () => dictionary.unwatch(memo),
  };
}

/** Sets `hits` to YES where the answer to the code is. */
export function markCodes(codes: Codes, answers: Uint8Array, hits: Uint8Array): void {
  for (let row = 0; row < CHUNK_ROWS; row++) {
    hits[row] = (hits[row] as number) | ((answers[codes[row] as number] as number) & YES);
  }
}

function countOf(data: Uint8Array, answer: number): number {
  let count = 0;
  for (let at = data.indexOf(answer); at >= 0; at = data.indexOf(answer, at + 1)) count++;
  return count;
}

function answerAll<V extends string | number>(column: CodedColumn<V>, question: Question, memo: Memo): void {
  const { test, needle } = question;
  const { data } = memo;
  data[0] = test(null) ? YES : NO;
  if (needle === null) {
    column.dictionary.each((code, value) => {
      if (data[code] === UNKNOWN) data[code] = test(value) ? YES : NO;
    });
    return;
  }
  column.dictionary.eachContaining(needle, (code) => {
    data[code] = YES;
  });
  for (let code = 1; code < column.dictionary.limit; code++) {
    if (data[code] === UNKNOWN && column.dictionary.uses(code) > 0) data[code] = NO;
  }
}

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
