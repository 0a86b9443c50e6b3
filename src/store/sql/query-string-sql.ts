import { column, pageText } from './columns.ts';
import { allOf, among, type Sql, sql, text, whole } from './sql.ts';
import type { Asking } from './statements.ts';

/**
 * The pages with most different query strings: the page, its rows, how many different query strings these have, and how many pages have
 * any.
 */
export function queriesOf(where: Sql, { dialect, table }: Asking, most: number): Sql {
  const [page, path] = [sql`page`, column('path')];
  // Of one page two paths differ where their query strings do.
  const paths = sql`SELECT ${path}, ${pageText(dialect)} AS page, count(*) AS n FROM ${dialect.settled(table)} WHERE ${where} GROUP BY ${path}`;
  const pages = sql`SELECT ${page}, ${dialect.sum(sql`n`)} AS requests, ${dialect.countIf(sql`${path} <> ${page}`)} AS d FROM (${paths}) AS paths GROUP BY ${page}`;
  return sql`SELECT ${page}, requests, d, count(*) OVER () FROM (${pages}) AS pages WHERE d > 0 ORDER BY d DESC, ${page} LIMIT ${whole(most)}`;
}

/** How many different values each parameter has in the query strings of these pages: the page, the parameter, its values. */
export function parametersOf(where: Sql, { dialect, table }: Asking, pages: readonly string[]): Sql {
  const [page, path] = [sql`page`, column('path')];
  const query = dialect.from(path, sql`length(${page}) + 2`);
  const paths = sql`SELECT DISTINCT ${path}, ${pageText(dialect)} AS page FROM ${dialect.settled(table)} WHERE ${where}`;
  const chosen = allOf([among(page, pages.map(text)), sql`${path} <> ${page}`]);
  const queries = sql`SELECT ${page}, ${query} AS query FROM (${paths}) AS paths WHERE ${chosen}`;
  const parts = sql`SELECT DISTINCT ${page}, ${dialect.partsOf(sql`query`, text('&'))} AS part FROM (${queries}) AS queries`;
  const named = sql`SELECT ${page}, ${dialect.before(sql`part`, text('='))} AS parameter FROM (${parts}) AS parts`;
  return sql`SELECT ${page}, parameter, count(*) AS d FROM (${named}) AS named WHERE parameter <> '' GROUP BY ${page}, parameter ORDER BY d DESC, parameter LIMIT ${whole(MOST_PARAMETERS)}`;
}

/** Strangers choose the names. */
const MOST_PARAMETERS = 1_000;
