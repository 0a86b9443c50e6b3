import type { LogRecord } from '../../log.ts';
import type { CauseOf } from '../../origin-cause.ts';
import type { LogField } from '../../query/fields.ts';
import { LIVE, type LogColumns } from '../columns/log-columns.ts';
import { CHUNK_BITS, CHUNK_ROWS, type CodedColumn, type Codes } from '../columns/value-columns.ts';

/** A column as grouping sees it: a code for each live row of a chunk, and the value of the code. */
export type LogDimension = {
  codes(chunk: number): Codes;
  /** All codes so far are below it. */
  limit(): number;
  value(code: number): string | null;
  /** The cost of a row, of the chunk read last where it differs: see `Part`. */
  readonly cost: number;
};

/** The cost of making a code: for a number, and for an id, a new text in every row. */
const NUMBER_COST = 40;
const ID_COST = 120;
/** The cost of folding a value, once for each. */
const FOLD_COST = 300;

/**
 * The dimensions whose codes together tell a field's values apart; a URL is stored in parts. `causeOf`: the known
 * origin errors.
 */
export function dimensionsOf(
  columns: LogColumns,
  { column, derive }: LogField,
  causeOf: CauseOf,
): LogDimension[] {
  if (column === null) return [rowDimension(columns, NUMBER_COST, (slot) => columns.told(slot, causeOf))];
  if (derive && column === 'url')
    return [rowDimension(columns, ID_COST, (slot) => derive(columns.url(slot)))];
  const dimensions = dimensionsOfColumn(columns, column);
  return derive ? dimensions.map((each) => foldedDimension(each, columns, derive)) : dimensions;
}

function dimensionsOfColumn(columns: LogColumns, column: keyof LogRecord): LogDimension[] {
  const c = columns.coded;
  switch (column) {
    case 'timestamp':
      return [rowDimension(columns, NUMBER_COST, (slot) => String(columns.time(slot)))];
    case 'bytesSent':
    case 'bodyBytesSent':
      return [rowDimension(columns, NUMBER_COST, (slot) => columns[column].value(slot)?.toString() ?? null)];
    case 'requestId':
      return [rowDimension(columns, ID_COST, (slot) => columns.idOfRequest(slot))];
    case 'url':
      return [
        codedDimension(c.url),
        codedDimension(c.scheme),
        codedDimension(c.host),
        codedDimension(c.path),
      ];
    case 'statusCode':
      return [codedDimension(c.statusCode)];
    default:
      return [codedDimension(c[column])];
  }
}

function codedDimension<V extends string | number>(column: CodedColumn<V>): LogDimension {
  return {
    codes: (chunk) => column.chunks[chunk] as Codes,
    limit: () => column.dictionary.limit,
    value: (code) => (code === 0 ? null : String(column.dictionary.value(code))),
    cost: 1,
  };
}

/** Values that `fold` makes equal share a code; it is called once per value. */
function foldedDimension(
  of: LogDimension,
  columns: LogColumns,
  fold: (value: string) => string | null,
): LogDimension {
  const values: (string | null)[] = [];
  const codes = new Map<string | null, number>();
  let folded = new Int32Array(of.limit()).fill(-1);
  const buffer = new Uint32Array(CHUNK_ROWS);
  let foldedLast = 0;
  const codeOf = (value: string | null): number => {
    const known = codes.get(value);
    if (known !== undefined) return known;
    codes.set(value, values.length);
    return values.push(value) - 1;
  };
  return {
    codes: (chunk) => {
      const states = columns.states[chunk] as Uint8Array;
      const own = of.codes(chunk);
      foldedLast = 0;
      for (let row = 0; row < CHUNK_ROWS; row++) {
        if (((states[row] as number) & LIVE) === 0) continue;
        const code = own[row] as number;
        if (code >= folded.length) {
          // Codes made while rows are read.
          const longer = new Int32Array(2 * code + 2).fill(-1);
          longer.set(folded);
          folded = longer;
        }
        if ((folded[code] as number) < 0) {
          foldedLast++;
          const value = of.value(code);
          folded[code] = codeOf(value === null ? null : fold(value));
        }
        buffer[row] = folded[code] as number;
      }
      return buffer;
    },
    // Folding adds no codes beyond these.
    limit: () => of.limit(),
    value: (code) => values[code] ?? null,
    get cost() {
      return of.cost + 1 + (FOLD_COST * foldedLast) / CHUNK_ROWS;
    },
  };
}

/** Codes made while rows are read, for columns without codes. */
function rowDimension(
  columns: LogColumns,
  cost: number,
  read: (slot: number) => string | null,
): LogDimension {
  const values: (string | null)[] = [];
  const codes = new Map<string | null, number>();
  const buffer = new Uint32Array(CHUNK_ROWS);
  return {
    codes: (chunk) => {
      const states = columns.states[chunk] as Uint8Array;
      for (let row = 0; row < CHUNK_ROWS; row++) {
        if (((states[row] as number) & LIVE) === 0) continue;
        const value = read((chunk << CHUNK_BITS) + row);
        let code = codes.get(value);
        if (code === undefined) {
          code = values.push(value) - 1;
          codes.set(value, code);
        }
        buffer[row] = code;
      }
      return buffer;
    },
    limit: () => values.length,
    value: (code) => values[code] ?? null,
    cost,
  };
}
