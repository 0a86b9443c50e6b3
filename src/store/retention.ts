import { type TimeRange, without } from '../domain/tail/coverage.ts';
import { DAY, HOUR } from '../text/units.ts';
import type { Engine } from './engines/engine.ts';
import { DIALECTS } from './sql/dialect.ts';
import { takenBefore } from './sql/retention-rules.ts';
import { localName, tableSql } from './sql/schema.ts';
import { sql, text } from './sql/sql.ts';

/** Rows go on to be taken while a question about them runs, ms. */
const LONGEST_QUESTION = HOUR;

/**
 * The time of which the engine may have taken rows by itself, or somebody by hand: what is older than the rules of its table say now, and
 * the days that are over and have no row at all. A file of DuckDB loses nothing that is not noted.
 */
export async function takenTimes(
  { place, ask }: Engine,
  { from, to }: TimeRange,
  signal?: AbortSignal,
): Promise<TimeRange[]> {
  if (place.dialect === 'duckdb') return [];
  const [about, days] = await Promise.all([
    ask(
      sql`SELECT ${DIALECTS.clickhouse.now}, (SELECT any(engine_full) FROM system.tables WHERE database = ${text(place.database)} AND name = ${text(localName(place, 'requests'))})`,
      signal,
    ),
    // Answered from what the parts are named by, and from no row.
    ask(
      sql`SELECT ${DIALECTS.clickhouse.day(sql`timestamp`)} AS day, count() FROM ${tableSql(place, 'requests')} GROUP BY day`,
      signal,
    ),
  ]);
  const [now, definition] = [Number(about.rows[0]?.[0]), String(about.rows[0]?.[1] ?? '')];
  // An account that may not see the table, or a node without it, says nothing of its rules.
  const known = definition === '' ? to : takenBefore(definition, now + LONGEST_QUESTION);
  const before = Math.min(to, known ?? from);
  const over = { from: Math.max(from, before), to: Math.min(to, Math.floor(now / DAY) * DAY) };
  const taken =
    over.from < over.to ? days.rows.map(([day]) => dayRange(Number(day))).reduce(without, [over]) : [];
  return from < before ? [{ from, to: before }, ...taken] : taken;
}

/** The day that a number as 20261001 names. */
function dayRange(day: number): TimeRange {
  const from = Date.UTC(Math.floor(day / 10_000), (Math.floor(day / 100) % 100) - 1, day % 100);
  return { from, to: from + DAY };
}
