import type { Predicate } from '../../query/match.ts';
import type { LogColumns } from '../columns/log-columns.ts';
import { CHUNK_BITS, CHUNK_ROWS, type CodedColumn, type Codes } from '../columns/value-columns.ts';
import { type Dictionary, Memo, NO, UNKNOWN, YES } from '../dictionary/dictionary.ts';

/** One question about one column of the rows. */
export type ColumnQuestion = {
  passes(slot: number): boolean;
  /**
   * Tests all values: the approximate share that passes, 0…1. 0 = no kept row passes, and `mark` need not be called.
   */
  share(): number;
  /** After `share`: sets `hits` to YES for each row of a chunk that passes; free slots may get anything. */
  mark(chunk: number, hits: Uint8Array): void;
  /** Frees its memo. */
  close(): void;
};

/** The assumed share where only the rows can tell. */
export const UNKNOWN_SHARE = 0.1;

export type CodedSource = ColumnQuestion & { memo: Memo };

/** Tests each value of a dictionary once. */
export function codedSource<V extends string | number>(
  column: CodedColumn<V>,
  predicate: Predicate,
): CodedSource {
  const { dictionary } = column;
  const memo = new Memo((code) => (predicate.test(code === 0 ? null : dictionary.value(code)) ? YES : NO));
  dictionary.watch(memo);
  return {
    memo,
    passes: (slot) => memo.of(column.code(slot)) === YES,
    share: () => {
      memo.reserve(dictionary.limit);
      answerAll(column.dictionary, predicate, memo);
      return countOf(memo.data, YES) / (dictionary.size + 1);
    },
    mark: (chunk, hits) => markCodes(column.chunks[chunk] as Codes, memo.data, hits),
    close: () => dictionary.unwatch(memo),
  };
}

/** Sets `hits` to YES where the answer to the code is. */
function markCodes(codes: Codes, answers: Uint8Array, hits: Uint8Array): void {
  for (let row = 0; row < CHUNK_ROWS; row++) {
    hits[row] = (hits[row] as number) | ((answers[codes[row] as number] as number) & YES);
  }
}

function countOf(data: Uint8Array, answer: number): number {
  let count = 0;
  for (let at = data.indexOf(answer); at >= 0; at = data.indexOf(answer, at + 1)) count++;
  return count;
}

function answerAll<V extends string | number>(
  dictionary: Dictionary<V>,
  predicate: Predicate,
  memo: Memo,
): void {
  const { test, needle } = predicate;
  const { data } = memo;
  data[0] = test(null) ? YES : NO;
  if (needle === null) {
    dictionary.each((code, value) => {
      if (data[code] === UNKNOWN) data[code] = test(value) ? YES : NO;
    });
    return;
  }
  dictionary.eachContaining(needle.text, (code) => {
    if (data[code] === UNKNOWN) data[code] = needle.isAll || test(dictionary.value(code)) ? YES : NO;
  });
  for (let code = 1; code < dictionary.limit; code++) {
    if (data[code] === UNKNOWN && dictionary.uses(code) > 0) data[code] = NO;
  }
}

/** Request ids have no codes: what they hold is searched for in the hex text of a chunk. */
export function requestIdSource(columns: LogColumns, predicate: Predicate): ColumnQuestion {
  const { test, needle } = predicate;
  const { requestId } = columns;
  const odd = codedSource(requestId.odd, predicate);
  const hex = needle?.text.toLowerCase() ?? '';
  const mayBePacked = /^[0-9a-f]*$/.test(hex);
  const passes = (slot: number) =>
    columns.hasPackedId(slot) ? test(columns.idOfRequest(slot)) : odd.passes(slot);
  return {
    passes,
    share: () => odd.share() || (mayBePacked ? UNKNOWN_SHARE : 0),
    mark: (chunk, hits) => {
      const first = chunk << CHUNK_BITS;
      const end = Math.min(columns.limit - first, CHUNK_ROWS);
      for (let row = 0; row < end; row++) {
        const isSearched = columns.hasPackedId(first + row) && hex !== '';
        if (!isSearched && passes(first + row)) hits[row] = YES;
      }
      if (hex === '' || !mayBePacked) return;
      requestId.eachContaining(chunk, hex, (row) => {
        const isPacked = row < end && columns.hasPackedId(first + row);
        if (isPacked && (needle?.isAll || passes(first + row))) hits[row] = YES;
      });
    },
    close: () => odd.close(),
  };
}
