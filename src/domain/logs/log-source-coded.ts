import { CHUNK_ROWS, type CodedColumn, type Codes } from './column-codes.ts';
import { Memo, NO, UNKNOWN, YES } from './dictionary.ts';

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
export type Source = {
  passes(slot: number): boolean;
  /** Looks at all values; false = no row kept now passes, so that `mark` need not be called. */
  mayPass(): boolean;
  /** After `mayPass`: sets `hits` to YES for each row of a chunk that passes; for free slots it may do anything. */
  mark(chunk: number, hits: Uint8Array): void;
  /** Ends the memory of it. */
  close(): void;
};

export type CodedSource = Source & { memo: Memo };

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
    mayPass: () => {
      memo.reserve(dictionary.limit);
      answerAll(column, question, memo);
      return memo.data.includes(YES);
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
