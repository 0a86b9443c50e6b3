import { chmodSync, lstatSync, realpathSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { changeable } from '../../files/changeable.ts';
import { maskSecrets } from '../../text/mask.ts';
import { duration, bytes as size } from '../../text/units.ts';
import type { Clock } from '../../time/clock.ts';
import { createSequence } from '../../time/turns.ts';
import { COLUMN_NAMES, COLUMNS, column, KEY, typeOf } from '../sql/columns.ts';
import { DIALECTS } from '../sql/dialect.ts';
import type { Place } from '../sql/schema.ts';
import { notesInto, notesSql } from '../sql/spans.ts';
import {
  joinedSql,
  listedSql,
  type Param,
  type Sql,
  type Statement,
  sql,
  statementOf,
  text,
  whole,
} from '../sql/sql.ts';
import type { StoredRow } from '../sql/stored-row.ts';
import type {
  DuckdbCell,
  DuckdbConnection,
  DuckdbInstance,
  DuckdbModule,
  DuckdbResult,
  DuckdbValue,
} from './duckdb-module.ts';
import { type Engine, type EngineAnswer, MOST_ANSWER, type QuestionLimits } from './engine.ts';
import { StoreFailure, type StoreFailureKind } from './store-failure.ts';

/** Between two interrupts of a statement that goes on, ms. */
const AGAIN = 20;

/** What the engine's words are signs of. */
const SIGNS: readonly (readonly [RegExp, StoreFailureKind])[] = [
  [/Could not set lock on file|Conflicting lock/i, 'locked'],
  [/No space left|File too large|Disk quota/i, 'full'],
  [/Out of Memory|failed to allocate|could not allocate/i, 'large'],
  [/database does not exist|Table with name \w+ does not exist/i, 'missing'],
  [/Binder Error|has no column/i, 'version'],
  [/Permission denied|read-only mode/i, 'forbidden'],
];

/** One statement holds no more: a file may name thousands of gaps. */
const NOTES_AT_ONCE = 500;

/** What a number counts for where answers are bounded. */
const NUMBER_BYTES = 8;

const ARRIVING = sql`arriving`;

/**
 * Opens a file, which is made where it may be written. Throws a StoreFailure: one program at a time may write, and while it
 * does no other may read.
 */
export async function openDuckdb(o: {
  module: DuckdbModule;
  store: string;
  place: Place;
  file: string;
  isWritten: boolean;
  limits: QuestionLimits;
  clock: Clock;
}): Promise<Engine> {
  const { store, limits } = o;
  const options = {
    access_mode: o.isWritten ? 'READ_WRITE' : 'READ_ONLY',
    memory_limit: `${limits.memory}MB`,
    // An import is many small commits, and each time that it lays them down it begins again with the block that is not full yet.
    checkpoint_threshold: '256MB',
    // Nothing is fetched, and no other file is read or written by what is asked.
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    enable_external_access: 'false',
  };
  const failed = (error: unknown) => failureOf(error, store, limits);
  keepPrivate(o.file, store);
  let instance: DuckdbInstance;
  let connection: DuckdbConnection;
  try {
    instance = await o.module.DuckDBInstance.create(o.file, options);
    connection = await instance.connect();
  } catch (error) {
    throw failed(error);
  }

  // A connection has one statement at a time.
  const inTurn = createSequence();

  async function within<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    let isLate = false;
    let stop = () => {};
    const interrupt = () => {
      connection.interrupt();
      // One that comes before the engine has begun is lost.
      stop = o.clock.every(AGAIN, () => connection.interrupt());
    };
    const cancel = o.clock.after(limits.seconds * 1000, () => {
      isLate = true;
      interrupt();
    });
    signal?.addEventListener('abort', interrupt, { once: true });
    try {
      return await work();
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw isLate
        ? new StoreFailure('slow', { store, limit: duration(limits.seconds * 1000) })
        : failed(error);
    } finally {
      cancel();
      stop();
      signal?.removeEventListener('abort', interrupt);
    }
  }

  const run: Engine['run'] = (of, signal) => inTurn(() => within(signal, () => execute(connection, of)));
  return {
    place: o.place,
    store,
    ask: (of, signal) =>
      inTurn(() =>
        within(signal, async (): Promise<EngineAnswer> => {
          const { text, params } = statement(of);
          const result = await connection.run(text, params.map(bound));
          return { rows: await rowsOf(result, store), read: null };
        }),
      ),
    run,
    async note(notes, signal) {
      for (let at = 0; at < notes.length; at += NOTES_AT_ONCE)
        await run(notesInto(o.place, notesSql(notes.slice(at, at + NOTES_AT_ONCE))), signal);
    },
    put: (rows, signal) =>
      inTurn(async () => {
        signal?.throwIfAborted();
        try {
          await putAll(connection, rows);
        } catch (error) {
          throw failed(error);
        }
      }),
    close: async () => {
      await inTurn(async () => {});
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/**
 * The file holds addresses, and so do its journal and what the engine lays aside while it sorts: they are made for this user alone, and
 * older ones become so. Throws a StoreFailure where others could change or replace them.
 */
function keepPrivate(file: string, store: string): void {
  const user = process.getuid?.();
  const refuse = (path: string, found: Pick<Stats, 'uid' | 'mode'>) => {
    const detail = changeable(path, found, user);
    if (detail !== null) throw new StoreFailure('shared', { store, detail });
  };
  // The engine makes files whenever it needs one, as long as this program runs.
  process.umask(0o077);
  for (const path of new Set([file, real(file)])) {
    const folder = real(dirname(path));
    const found = lstatSync(folder, { throwIfNoEntry: false });
    if (found !== undefined) refuse(folder, found);
  }
  for (const path of [real(file), `${file}.wal`]) {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (!found?.isFile()) continue;
    refuse(path, { uid: found.uid, mode: 0 });
    if (user === found.uid && (found.mode & 0o077) !== 0) chmodSync(path, 0o600);
  }
}

/** A path without links; as it is where nothing is there. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** All rows of a result, which stay in the engine's own memory until they are read. */
async function rowsOf(result: DuckdbResult, store: string): Promise<(string | number)[][]> {
  const rows: (string | number)[][] = [];
  let bytes = 0;
  for await (const chunk of result)
    for (const row of chunk.getRows()) {
      for (const cell of row) bytes += typeof cell === 'string' ? cell.length : NUMBER_BYTES;
      if (bytes > MOST_ANSWER) throw new StoreFailure('huge', { store, limit: size(MOST_ANSWER) });
      rows.push(row.map(plain));
    }
  return rows;
}

async function putAll(connection: DuckdbConnection, rows: readonly StoredRow[]): Promise<void> {
  const settled = settledRows(rows);
  const [first] = settled;
  if (first === undefined) return;
  await execute(connection, sql`CREATE OR REPLACE TEMP TABLE ${ARRIVING} AS ${arrivingRows(settled)}`);
  const times = settled.map(({ timestamp }) => timestamp);
  const span = {
    from: times.reduce((a, b) => Math.min(a, b)),
    to: times.reduce((a, b) => Math.max(a, b)),
  };
  await execute(connection, sql`BEGIN TRANSACTION`);
  try {
    for (const each of merging(span)) await execute(connection, each);
    await execute(connection, sql`COMMIT`);
  } catch (error) {
    await execute(connection, sql`ROLLBACK`).catch(() => {});
    throw error;
  }
}

/** What says less than what arrives gives way to it, and what is there already is left out. The span keeps both to few blocks. */
function merging(span: { from: number; to: number }): Sql[] {
  const isSame = joinedSql(
    KEY.map((each) => sql`requests.${column(each)} = ${ARRIVING}.${column(each)}`),
    sql` AND `,
  );
  const [from, to] = [span.from, span.to].map(DIALECTS.duckdb.time);
  const inSpan = sql`requests.timestamp BETWEEN ${from as Sql} AND ${to as Sql}`;
  return [
    sql`DELETE FROM requests USING ${ARRIVING} WHERE ${inSpan} AND ${isSame} AND requests.detail <= ${ARRIVING}.detail`,
    sql`INSERT INTO requests SELECT * FROM ${ARRIVING} WHERE NOT EXISTS (SELECT ${whole(1)} FROM requests WHERE ${inSpan} AND ${isSame})`,
  ];
}

/** Of rows with one key the last of those that say most. */
function settledRows(rows: readonly StoredRow[]): StoredRow[] {
  const byKey = new Map<string, StoredRow>();
  for (const row of rows) {
    const key = KEY.map((each) => row[each]).join(' ');
    const before = byKey.get(key);
    if (before === undefined || before.detail <= row.detail) byKey.set(key, row);
  }
  return [...byKey.values()];
}

async function execute(connection: DuckdbConnection, of: Sql): Promise<void> {
  const { text, params } = statement(of);
  await connection.run(text, params.map(bound));
}

function statement(of: Sql): Statement {
  return statementOf(of, DIALECTS.duckdb.placeholder);
}

function bound(param: Param): DuckdbValue {
  return param.kind === 'text' ? param.value : BigInt(param.value);
}

/** A sum is wider than a number here; none of these is so large that it would not fit. */
function plain(value: DuckdbCell): string | number {
  return typeof value === 'bigint' ? Number(value) : (value ?? '');
}

function failureOf(error: unknown, store: string, limits: QuestionLimits): unknown {
  if (error instanceof StoreFailure || !(error instanceof Error)) return error;
  const kind = SIGNS.find(([sign]) => sign.test(error.message))?.[1] ?? 'other';
  return new StoreFailure(kind, {
    store,
    limit: duration(limits.seconds * 1000),
    detail: maskSecrets(error.message),
  });
}

/** The first sign that parts the values of a column, where no value has it. */
const PARTING = 0x1f;

/**
 * Rows as a query for DuckDB: a text for each column, which the engine takes apart in threads of its own. Handed over value by value they cost
 * this thread more than anything else of an import.
 */
function arrivingRows(rows: readonly StoredRow[]): Sql {
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
