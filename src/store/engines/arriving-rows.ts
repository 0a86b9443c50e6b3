import { COLUMN_NAMES, COLUMNS, column, typeOf } from '../sql/columns.ts';
import { DIALECTS } from '../sql/dialect.ts';
import { listedSql, type Param, type Sql, sql, text } from '../sql/sql.ts';
import type { StoredRow } from '../sql/stored-row.ts';

/** The first sign that parts the values of a column, where no value has it. */
const PARTING = 0x1f;

/**
 * Rows as a query for DuckDB: a text for each column, which the engine takes apart in threads of its own. Handed over value by value they cost
 * this thread more than anything else of an import.
 */
export function arrivingRows(rows: readonly StoredRow[]): Sql {
  return sql`SELECT ${listedSql(COLUMN_NAMES.map((name) => sql`${columnOf(rows, name)} AS ${column(name)}`))}`;
}

function columnOf(rows: readonly StoredRow[], name: keyof StoredRow): Sql {
  const values = rows.map((row) => String(row[name]));
  const [first = ''] = values;
  // Of many columns all values of a batch are one.
  if (values.every((value) => value === first)) return storedAs(name, text(first));
  const sign = text(signFor(values));
  return storedAs(name, sql`unnest(string_split(${text(values.join(sign.value as string))}, ${sign}))`);
}

function signFor(values: readonly string[]): string {
  for (let code = PARTING; ; code++) {
    const sign = String.fromCharCode(code);
    if (!values.some((value) => value.includes(sign))) return sign;
  }
}

function storedAs(name: keyof StoredRow, value: Sql | Param): Sql {
  const type = COLUMNS[name];
  if (type === 'text' || type === 'word') return sql`${value}`;
  if (type === 'id' || type === 'address') return DIALECTS.duckdb.bytesOf(value, type);
  if (type === 'time') return sql`epoch_ms(CAST(${value} AS BIGINT))`;
  return sql`CAST(${value} AS ${typeOf(name, 'duckdb')})`;
}
