import type { Place } from './schema.ts';
import { tableSql } from './schema.ts';
import { allOf, joinedSql, listedSql, name, type Sql, sql, text, whole } from './sql.ts';

/** A row of `spans`. */
export type StoredNote = {
  pullZoneId: string;
  since: number;
  till: number;
  state: string;
  /** -1 = nobody knows. */
  missing: number;
  noted: number;
};

export const NOTE_NAMES = [
  'pullZoneId',
  'since',
  'till',
  'state',
  'missing',
  'noted',
] as const satisfies (keyof StoredNote)[];

const IS_HERE = sql`state IN ('read', 'imported')`;
const IS_DROP = sql`CASE WHEN state IN ('retention', 'expired') THEN 1 ELSE 0 END`;

/** Of notes about one moment the one that comes last here counts: of those with one mark what was dropped. */
export const IN_ORDER = sql`noted, ${IS_DROP}, since, state`;

/** Notes that the one before in `place` may be one with. */
const ALIKE = sql`PARTITION BY pullZoneId, era, kind ORDER BY place, since, state, till`;

/**
 * The notes of a query that has all columns of `spans`, as few as say the same. Between two drops it is all one when a moment was read:
 * what was read or imported there is joined wherever it touches. Of other reasons the last counts, so that those alone are joined that follow
 * each other. A note with a number speaks of its own time, and stays alone.
 */
export function joinedNotes(found: Sql): Sql {
  const kind = sql`CASE WHEN NOT (${IS_HERE}) THEN '' WHEN missing < 0 THEN state ELSE 'numbered' END`;
  const place = sql`CASE WHEN ${IS_HERE} THEN since ELSE noted END`;
  // Those that are dropped by one drop have a number less than it has itself.
  const era = sql`sum(${IS_DROP}) OVER (ORDER BY noted, ${IS_DROP})`;
  const cut = sql`SELECT *, ${kind} AS kind, ${place} AS place, ${era} AS era FROM (${found}) AS found`;
  const goesOn = allOf([
    sql`missing < 0`,
    sql`max(missing) OVER one < 0`,
    sql`state = max(state) OVER one`,
    sql`since <= CASE WHEN kind = '' THEN max(till) OVER one ELSE max(till) OVER earlier END`,
    sql`till >= max(since) OVER one`,
  ]);
  const begun = sql`SELECT *, CASE WHEN ${goesOn} THEN 0 ELSE 1 END AS begins FROM (${cut}) AS cut WINDOW one AS (${ALIKE} ROWS BETWEEN 1 PRECEDING AND 1 PRECEDING), earlier AS (${ALIKE} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)`;
  const runs = sql`SELECT *, sum(begins) OVER (${ALIKE} ROWS UNBOUNDED PRECEDING) AS run FROM (${begun}) AS begun`;
  const joined = sql`SELECT pullZoneId, min(since) AS since0, max(till) AS till0, state, max(missing) AS missing0, max(noted) AS noted0 FROM (${runs}) AS runs GROUP BY pullZoneId, state, era, kind, run`;
  return sql`SELECT pullZoneId, since0 AS since, till0 AS till, state, missing0 AS missing, noted0 AS noted FROM (${joined}) AS joined`;
}

/** Of notes that differ in their ends alone the longest, as `notesInto` takes them. */
export function longestNotes(notes: Sql): Sql {
  return sql`SELECT pullZoneId, since, max(till) AS till0, state, missing, noted FROM (${notes}) AS notes GROUP BY pullZoneId, since, state, missing, noted`;
}

/**
 * Writes all notes of a query, no two of which differ in their ends alone, so that the engine confirms as many. One that is there with the
 * same beginning goes on to the later end: ClickHouse sees to that by itself when it merges, and whoever asks before sees both, which say
 * nothing else.
 */
export function notesInto(place: Place, notes: Sql): Sql {
  const into = sql`INSERT INTO ${tableSql(place, 'spans')} (${listedSql(NOTE_NAMES.map(name))}) SELECT * FROM (${notes}) AS notes`;
  return place.dialect === 'clickhouse'
    ? into
    : sql`${into} ON CONFLICT (pullZoneId, state, noted, since, missing) DO UPDATE SET till = greatest(till, excluded.till)`;
}

/** Notes as a query. */
export function notesSql(notes: readonly StoredNote[]): Sql {
  const rows = notes.map((note) => {
    const values = NOTE_NAMES.map((each) => {
      const value = note[each];
      return sql`${typeof value === 'string' ? text(value) : whole(value)} AS ${name(each)}`;
    });
    return sql`SELECT ${listedSql(values)}`;
  });
  return joinedSql(rows, sql` UNION ALL `);
}
