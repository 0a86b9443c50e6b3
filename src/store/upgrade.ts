import { HOUR } from '../text/units.ts';
import type { Engine } from './engines/engine.ts';
import { nextMark, note, underMark } from './noted-coverage.ts';
import { takenTimes } from './retention.ts';
import { DIALECTS, inTime } from './sql/dialect.ts';
import { formerInto } from './sql/former-rows.ts';
import {
  formerRows,
  localName,
  rowsPutAside,
  schemaOf,
  tableSql,
  upgradeBegun,
  upgradedTo,
} from './sql/schema.ts';
import { joinedNotes, longestNotes, notesInto } from './sql/spans.ts';
import { among, sql, text, whole } from './sql/sql.ts';

/** Notes that are joined at once: a note a minute of many zones would take an engine gigabytes. Those of one zone are joined together. */
const NOTES_AT_ONCE = 2_000_000;
const ZONES_AT_ONCE = 500;

/** Makes the tables of an older version those of this one, beside which they are. Cut off at any moment it can be begun again. */
export async function upgradeTables(engine: Engine, signal: AbortSignal): Promise<void> {
  const { place } = engine;
  await engine.run(upgradeBegun(place), signal);
  if (await hasColumn(engine, 'coverage', 'since', signal)) await joinNotes(engine, signal);
  if (await hasColumn(engine, localName(place, 'requests'), 'twin', signal)) {
    await noteTaken(engine, signal);
    for (const each of rowsPutAside(place)) await engine.run(each, signal);
  }
  for (const each of schemaOf(place)) await engine.run(each, signal);
  if (await hasColumn(engine, localName(place, 'former_requests'), 'twin', signal))
    await moveRows(engine, signal);
  for (const each of upgradedTo(place)) await engine.run(each, signal);
}

async function hasColumn(
  { place, ask }: Engine,
  table: string,
  column: string,
  signal: AbortSignal,
): Promise<boolean> {
  const database = place.dialect === 'duckdb' ? 'main' : place.database;
  const { rows } = await ask(
    sql`SELECT count(*) FROM information_schema.columns WHERE table_schema = ${text(database)} AND table_name = ${text(table)} AND column_name = ${text(column)}`,
    signal,
  );
  return Number(rows[0]?.[0]) > 0;
}

async function joinNotes(engine: Engine, signal: AbortSignal): Promise<void> {
  const { place } = engine;
  const former = tableSql(place, 'coverage');
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

/** The rules by which the engine took rows end with their table: what they may have taken is said before. */
async function noteTaken(engine: Engine, signal: AbortSignal): Promise<void> {
  const taken = await takenTimes(engine, { from: 0, to: Number.MAX_SAFE_INTEGER }, signal);
  const notes = taken.map((time) => ({ zone: '', ...time, state: 'expired' as const, missing: null }));
  await note(engine, underMark(notes, await nextMark(engine, signal)), signal);
}

/** Hour by hour, each of which is in one of the two tables, or in ClickHouse in both, where a row that came twice is one. */
async function moveRows(engine: Engine, signal: AbortSignal): Promise<void> {
  const { place } = engine;
  const dialect = DIALECTS[place.dialect];
  const former = formerRows(place);
  const hour = dialect.quotient(dialect.ms(sql`timestamp`), whole(HOUR));
  const { rows } = await engine.ask(
    sql`SELECT DISTINCT ${hour} AS hour FROM ${former} ORDER BY hour`,
    signal,
  );
  for (const [of] of rows) {
    const time = { from: Number(of) * HOUR, to: (Number(of) + 1) * HOUR };
    const into = formerInto(place, time);
    if (place.dialect === 'clickhouse') await engine.run(into, signal);
    else {
      const gone = sql`DELETE FROM ${former} WHERE ${inTime(dialect, sql`timestamp`, time.from, time.to)}`;
      for (const each of [sql`BEGIN TRANSACTION`, into, gone, sql`COMMIT`]) await engine.run(each, signal);
    }
  }
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
