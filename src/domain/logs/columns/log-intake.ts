import type { CodedRows, CodedTexts } from './coded-rows.ts';
import type { CodedColumn } from './value-columns.ts';

/** Statuses are below it. */
const STATUSES = 1000;

/** The codes that a column has for the texts of a batch, by their numbers; the caller owes a row for each use. */
export function interned(
  column: CodedColumn<string>,
  { bytes }: CodedRows,
  { spans, uses }: CodedTexts,
): Uint32Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const codes = new Uint32Array(uses.length);
  let top = 0;
  for (let number = 1; number < uses.length; number++) {
    const [start, end] = [spans[number * 2 - 2] as number, spans[number * 2 - 1] as number];
    const code = column.dictionary.internBytes(text, start, end, uses[number] as number);
    codes[number] = code;
    if (code > top) top = code;
  }
  column.widenFor(top);
  return codes;
}

/** The same for the statuses of a batch, by status. */
export function codesOfStatuses(column: CodedColumn<number>, { statuses, count }: CodedRows): Uint32Array {
  const codes = new Uint32Array(STATUSES);
  for (let i = 0; i < count; i++) {
    const status = statuses[i] as number;
    const known = codes[status] as number;
    if (known === 0) codes[status] = column.dictionary.intern(status);
    else column.dictionary.retain(known);
  }
  column.widenFor(column.dictionary.limit - 1);
  return codes;
}
