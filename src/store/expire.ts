import { DAY } from '../text/units.ts';
import type { Engine } from './engines/engine.ts';
import { nextMark, note, underMark } from './noted-coverage.ts';
import { DIALECTS, inTime } from './sql/dialect.ts';
import { dropBefore, tableSql } from './sql/schema.ts';
import { sql } from './sql/sql.ts';

/** Takes the rows that a file of DuckDB keeps no longer, day by day: it does not by itself. ClickHouse does by the rule of its table. */
export async function expireRows(engine: Engine, now: number, signal?: AbortSignal): Promise<void> {
  const { place } = engine;
  if (place.dialect === 'clickhouse' || place.days === null) return;
  const before = (Math.floor(now / DAY) - place.days) * DAY;
  const older = inTime(DIALECTS.duckdb, sql`timestamp`, 0, before);
  const { rows } = await engine.ask(
    sql`SELECT count(*) FROM ${tableSql(place, 'requests')} WHERE ${older}`,
    signal,
  );
  if (Number(rows[0]?.[0] ?? 0) === 0) return;
  const expired = { zone: '', from: 0, to: before, state: 'expired', missing: null } as const;
  // Said first: whoever ends in between leaves a gap that has its rows.
  await note(engine, underMark([expired], await nextMark(engine, signal)), signal);
  for (const each of dropBefore(place, before, [])) await engine.run(each, signal);
}
