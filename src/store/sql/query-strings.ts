import { column } from './columns.ts';
import type { Asking } from './questions.ts';
import { allOf, among, type Sql, sql, text, whole } from './sql.ts';

/**
 * The pages with most different query strings: the page, its rows, how many different query strings these have, and how many pages have
 * any. Null: pages are not stored as they are derived now.
 */
export function queriesOf(where: Sql, { dialect, table, derivedAsNow }: Asking, most: number): Sql | null {
  if (!derivedAsNow) return null;
  const [page, path] = [column('page'), column('path')];
  // Of one page two paths differ where their query strings do.
  const paths = sql`SELECT ${page}, ${path}, count(*) AS n FROM ${dialect.settled(table)} WHERE ${where} GROUP BY ${page}, ${path}`;
  const pages = sql`SELECT ${page}, ${dialect.sum(sql`n`)} AS requests, ${dialect.countIf(sql`${path} <> ${page}`)} AS d FROM (${paths}) AS paths GROUP BY ${page}`;
  return sql`SELECT ${page}, requests, d, count(*) OVER () FROM (${pages}) AS pages WHERE d > 0 ORDER BY d DESC, ${page} LIMIT ${whole(most)}`;
}

/** How many different values each parameter has in the query strings of these pages: the page, the parameter, its values. Null: as above. */
export function parametersOf(
  where: Sql,
  { dialect, table, derivedAsNow }: Asking,
  pages: readonly string[],
): Sql | null {
  if (!derivedAsNow) return null;
  const [page, path] = [column('page'), column('path')];
  const query = dialect.from(path, sql`length(${page}) + 2`);
  const chosen = allOf([where, among(page, pages.map(text)), sql`${path} <> ${page}`]);
  const queries = sql`SELECT DISTINCT ${page}, ${query} AS query FROM ${dialect.settled(table)} WHERE ${chosen}`;
  const parts = sql`SELECT DISTINCT ${page}, ${dialect.partsOf(sql`query`, text('&'))} AS part FROM (${queries}) AS queries`;
  const named = sql`SELECT ${page}, ${dialect.before(sql`part`, text('='))} AS parameter FROM (${parts}) AS parts`;
  return sql`SELECT ${page}, parameter, count(*) AS d FROM (${named}) AS named WHERE parameter <> '' GROUP BY ${page}, parameter ORDER BY d DESC, parameter LIMIT ${whole(MOST_PARAMETERS)}`;
}

/** Strangers choose the names. */
const MOST_PARAMETERS = 1_000;
