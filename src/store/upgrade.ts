import type { Engine } from './engines/engine.ts';
import { tableSql, upgradedTo } from './sql/schema.ts';
import { joinedNotes, longestNotes, notesInto } from './sql/spans.ts';
import { among, sql, text } from './sql/sql.ts';

/** Notes that are joined at once: a note a minute of many zones would take an engine gigabytes. Those of one zone are joined together. */
const NOTES_AT_ONCE = 2_000_000;
const ZONES_AT_ONCE = 500;

/** Makes the tables of an older version those of this one, beside which they are. Cut off at any moment it can be begun again. */
export async function upgradeTables(engine: Engine, signal: AbortSignal): Promise<void> {
  const { place } = engine;
  const former = tableSql(place, 'coverage');
  const there = await engine.ask(
    sql`SELECT count(*) FROM information_schema.tables WHERE table_schema = ${text(place.dialect === 'duckdb' ? 'main' : place.database)} AND table_name = 'coverage'`,
    signal,
  );
  if (Number(there.rows[0]?.[0]) > 0) {
    const { rows } = await engine.ask(
      sql`SELECT pullZoneId, count(*) FROM ${former} GROUP BY pullZoneId`,
      signal,
    );
    for (const zones of fewAtOnce(rows.map(([zone, notes]) => [String(zone), Number(notes)]))) {
      // What was dropped of all zones cuts the notes of each.
      const found = sql`SELECT * FROM ${former} WHERE ${among(sql`pullZoneId`, ['', ...zones].map(text))}`;
      await engine.run(notesInto(place, longestNotes(joinedNotes(found))), signal);
    }
  }
  for (const each of upgradedTo(place)) await engine.run(each, signal);
}

function fewAtOnce(zones: readonly (readonly [zone: string, notes: number])[]): string[][] {
  const groups: string[][] = [];
  let left = 0;
  for (const [zone, notes] of zones) {
    left -= notes;
    const group = groups.at(-1);
    if (group !== undefined && left >= 0 && group.length < ZONES_AT_ONCE) group.push(zone);
    else {
      groups.push([zone]);
      left = NOTES_AT_ONCE - notes;
    }
  }
  return groups;
}
