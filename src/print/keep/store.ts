import type { CommandLine } from '../../config/command/command-line.ts';
import type { StoreAccess } from '../../config/settings/configured-stores.ts';
import type { Engine } from '../../store/engines/engine.ts';
import { placeOf } from '../../store/engines/open-store.ts';
import { StoreFailure } from '../../store/engines/store-failure.ts';
import { openHistory } from '../../store/history.ts';
import { nextMark, note, underMark } from '../../store/noted-coverage.ts';
import { STORED_FIELD } from '../../store/sql/columns.ts';
import { DIALECTS } from '../../store/sql/dialect.ts';
import {
  aboutRows,
  dropBefore,
  localName,
  type Place,
  schemaOf,
  tableSql,
  UPGRADED,
} from '../../store/sql/schema.ts';
import { name, type Sql, sql, statementOf, text } from '../../store/sql/sql.ts';
import { upgradeTables } from '../../store/upgrade.ts';
import { bytes, count, counted, isoSecond } from '../../text/units.ts';
import { endOf, type Printer, type StoreOpener, wrongUsage } from '../printer.ts';
import { atStore } from '../store-guard.ts';

type StorePrinter = Omit<Printer, 'client'>;

/** What `store` is to do. `name`: that of the store. */
type StoreTask = { name: string; place: Place; open: StoreOpener } & (
  | { verb: 'check' }
  | { verb: 'init'; isDry: boolean }
  | { verb: 'drop-before'; day: string; confirm: string | null }
);

/** What a command line asks of a store. */
export function storeTask(line: CommandLine, access: StoreAccess, open: StoreOpener): StoreTask {
  const of = { name: access.name, place: placeOf(access), open };
  if (line.word === 'check') return { ...of, verb: 'check' };
  if (line.word === 'init') return { ...of, verb: 'init', isDry: line['dry-run'] };
  return { ...of, verb: 'drop-before', day: line.files[0] ?? '', confirm: line.confirm };
}

/** `store check`, `init` and `drop-before`; resolves to the exit code. */
export async function printStore(o: StorePrinter, task: StoreTask): Promise<number> {
  const { signal } = endOf(o);
  if (task.verb === 'init' && task.isDry) {
    const statements = schemaOf(task.place).map((each) => `${textOf(each, task.place)};\n`);
    await o.write(statements.join(''));
    return 0;
  }
  if (task.verb === 'drop-before' && task.confirm !== task.name)
    return wrongUsage(o, 'what is dropped is gone for good', `to do it, add --confirm ${task.name}`);
  return atStore(
    o,
    () => task.open(task.verb !== 'check'),
    (engine) => {
      if (task.verb === 'init') return init(o, engine, signal);
      return task.verb === 'check' ? check(o, engine, signal) : drop(o, engine, task.day, signal);
    },
  );
}

async function init(o: StorePrinter, engine: Engine, signal: AbortSignal): Promise<number> {
  const { place, store } = engine;
  for (const each of schemaOf(place)) await engine.run(each, signal);
  const about = DIALECTS[place.dialect].settled(tableSql(place, 'about'));
  const known = await engine.ask(sql`SELECT value FROM ${about} WHERE name = 'schema'`, signal);
  const schema = known.rows[0]?.[0];
  const isUpgraded = UPGRADED.includes(String(schema));
  if (schema === undefined) await engine.run(aboutRows(place), signal);
  if (isUpgraded) await upgradeTables(engine, signal);
  // Tables of another version keep saying so.
  await openHistory(engine, signal);
  const done = schema === undefined ? 'made' : isUpgraded ? 'upgraded' : 'found';
  await o.write(`${done} the tables of the store ${store}\n`);
  return 0;
}

async function check(o: StorePrinter, engine: Engine, signal: AbortSignal): Promise<number> {
  const { place } = engine;
  const dialect = DIALECTS[place.dialect];
  const line = (name: string, found: string) => o.write(`${name.padEnd(8)} ${found}\n`);
  const [version = ''] = (await engine.ask(sql`SELECT version()`, signal)).rows[0] ?? [];
  await line('engine', `${place.dialect} ${version}`);
  const history = await openHistory(engine, signal);
  await line(
    'tables',
    history.derivedAsNow ? 'of this version' : `of this version; ${STORED_FIELD} of another`,
  );
  const table = dialect.settled(tableSql(place, 'requests'));
  const time = dialect.ms(sql`timestamp`);
  const { rows } = await engine.ask(
    sql`SELECT count(*), count(DISTINCT pullZoneId), min(${time}), max(${time}) FROM ${table}`,
    signal,
  );
  const [all = 0, zones = 0, first = 0, last = 0] = (rows[0] ?? []).map(Number);
  const span = all === 0 ? '' : `, ${isoSecond(first)} to ${isoSecond(last)}`;
  await line('rows', `${count(all)} of ${counted(zones, 'zone')}${span}`);
  const size = await sizeOf(engine, signal);
  const each = all === 0 || size === null ? '' : `, ${count(size / all)} a row`;
  await line(
    'bytes',
    size === null ? 'unknown: the account may not read the tables of the system' : `${bytes(size)}${each}`,
  );
  return 0;
}

/** Bytes on disk; null where the account may not know. */
async function sizeOf(engine: Engine, signal: AbortSignal): Promise<number | null> {
  const { place } = engine;
  try {
    const asked =
      place.dialect === 'duckdb'
        ? sql`SELECT used_blocks * block_size FROM pragma_database_size()`
        : partsOf(place);
    const { rows } = await engine.ask(asked, signal);
    return Number(rows[0]?.[0] ?? 0);
  } catch (error) {
    if (error instanceof StoreFailure && error.kind === 'forbidden') return null;
    throw error;
  }
}

/** Of a cluster, of one replica of each shard. */
function partsOf(place: Place): Sql {
  const { database, cluster } = place;
  const parts = cluster === null ? sql`system.parts` : sql`cluster(${name(cluster)}, system.parts)`;
  return sql`SELECT sum(bytes_on_disk) FROM ${parts} WHERE active AND database = ${text(database)} AND table = ${text(localName(place, 'requests'))}`;
}

async function drop(o: StorePrinter, engine: Engine, day: string, signal: AbortSignal): Promise<number> {
  await openHistory(engine, signal);
  const before = Date.parse(`${day}T00:00:00Z`);
  const { place } = engine;
  const dialect = DIALECTS[place.dialect];
  const older = sql`FROM ${dialect.settled(tableSql(place, 'requests'))} WHERE timestamp < ${dialect.time(before)}`;
  const { rows } = await engine.ask(sql`SELECT count(*) ${older}`, signal);
  const days = await engine.ask(sql`SELECT DISTINCT ${dialect.day(sql`timestamp`)} ${older}`, signal);
  const dropped = { zone: '', from: 0, to: before, state: 'retention', missing: null } as const;
  const noteDropped = async () => note(engine, underMark([dropped], await nextMark(engine, signal)), signal);
  // Said first: whoever asks meanwhile is told that they may be gone.
  await noteDropped();
  for (const each of dropBefore(
    place,
    before,
    days.rows.map(([of]) => Number(of)),
  ))
    await engine.run(each, signal);
  // And again, of what was loaded meanwhile.
  await noteDropped();
  await o.write(
    `dropped ${counted(Number(rows[0]?.[0] ?? 0), 'row')} before ${day} from the store ${engine.store}\n`,
  );
  return 0;
}

function textOf(of: Sql, { dialect }: Place): string {
  return statementOf(of, DIALECTS[dialect].placeholder).text;
}
