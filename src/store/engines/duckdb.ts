import { createRequire } from 'node:module';
import { join } from 'node:path';
import { duration } from '../../text/units.ts';
import type { Clock } from '../../time/clock.ts';
import { createSequence } from '../../time/sequence.ts';
import { COLUMN_NAMES, COLUMNS, column, KEY } from '../sql/columns.ts';
import { DIALECTS } from '../sql/dialect.ts';
import type { Place } from '../sql/schema.ts';
import {
  joinedSql,
  listedSql,
  type Param,
  type Sql,
  type Statement,
  sql,
  statementOf,
  whole,
} from '../sql/sql.ts';
import type { StoredRow } from '../sql/stored-row.ts';
import type { Engine, EngineAnswer, QuestionLimits } from './engine.ts';
import { StoreFailure, type StoreFailureKind } from './store-failure.ts';

/** What is used of `@duckdb/node-api`, which is not installed with the program: it is tens of megabytes for one platform. */
type DuckdbModule = {
  DuckDBInstance: {
    create(path: string, options: Readonly<Record<string, string>>): Promise<DuckdbInstance>;
  };
};

type DuckdbInstance = { connect(): Promise<DuckdbConnection>; closeSync(): void };

type DuckdbConnection = {
  run(sql: string, values?: DuckdbValue[]): Promise<unknown>;
  runAndReadAll(
    sql: string,
    values?: DuckdbValue[],
  ): Promise<{ getRows(): (string | number | bigint | null)[][] }>;
  createAppender(table: string): Promise<DuckdbAppender>;
  interrupt(): void;
  closeSync(): void;
};

type DuckdbAppender = {
  appendVarchar(value: string): void;
  appendBigInt(value: bigint): void;
  appendUSmallInt(value: number): void;
  appendUTinyInt(value: number): void;
  endRow(): void;
  closeSync(): void;
};

type DuckdbValue = string | bigint;

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
    // Nothing is fetched, and no other file is read or written by what is asked.
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    enable_external_access: 'false',
  };
  const failed = (error: unknown) => failureOf(error, store, limits);
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

  return {
    place: o.place,
    store,
    ask: (of, signal) =>
      inTurn(() =>
        within(signal, async (): Promise<EngineAnswer> => {
          const { text, params } = statement(of);
          const answer = await connection.runAndReadAll(text, params.map(bound));
          return { rows: answer.getRows().map((row) => row.map(plain)), read: null };
        }),
      ),
    run: (of, { signal } = {}) => inTurn(() => within(signal, () => execute(connection, of))),
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

async function putAll(connection: DuckdbConnection, rows: readonly StoredRow[]): Promise<void> {
  const settled = settledRows(rows);
  const [first] = settled;
  if (first === undefined) return;
  await execute(
    connection,
    sql`CREATE OR REPLACE TEMP TABLE ${ARRIVING} AS SELECT * REPLACE (epoch_ms(timestamp) AS timestamp) FROM requests LIMIT 0`,
  );
  const appender = await connection.createAppender('arriving');
  for (const row of settled) append(appender, row);
  appender.closeSync();
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
  const time = (ms: number) => DIALECTS.duckdb.time(ms);
  const isSame = joinedSql(
    KEY.map((each) =>
      each === 'timestamp'
        ? sql`requests.timestamp = epoch_ms(${ARRIVING}.timestamp)`
        : sql`requests.${column(each)} = ${ARRIVING}.${column(each)}`,
    ),
    sql` AND `,
  );
  const inSpan = sql`requests.timestamp BETWEEN ${time(span.from)} AND ${time(span.to)}`;
  const taken = COLUMN_NAMES.map((each) => (each === 'timestamp' ? sql`epoch_ms(timestamp)` : column(each)));
  return [
    sql`DELETE FROM requests USING ${ARRIVING} WHERE ${inSpan} AND ${isSame} AND requests.detail <= ${ARRIVING}.detail`,
    sql`INSERT INTO requests SELECT ${listedSql(taken)} FROM ${ARRIVING} WHERE NOT EXISTS (SELECT ${whole(1)} FROM requests WHERE ${inSpan} AND ${isSame})`,
  ];
}

/** Of rows with one key the last of those that say most. */
function settledRows(rows: readonly StoredRow[]): StoredRow[] {
  const byKey = new Map<string, StoredRow>();
  for (const row of rows) {
    const key = JSON.stringify(KEY.map((each) => row[each]));
    const before = byKey.get(key);
    if (before === undefined || before.detail <= row.detail) byKey.set(key, row);
  }
  return [...byKey.values()];
}

/** One row behind those that an appender holds. */
export function append(appender: DuckdbAppender, row: StoredRow): void {
  for (const name of COLUMN_NAMES) {
    const value = row[name];
    if (typeof value === 'string') appender.appendVarchar(value);
    else if (COLUMNS[name] === 'flag') appender.appendUTinyInt(value);
    else if (COLUMNS[name] === 'status') appender.appendUSmallInt(value);
    else appender.appendBigInt(BigInt(value));
  }
  appender.endRow();
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
function plain(value: string | number | bigint | null): string | number {
  return typeof value === 'bigint' ? Number(value) : (value ?? '');
}

function failureOf(error: unknown, store: string, limits: QuestionLimits): unknown {
  if (error instanceof StoreFailure || !(error instanceof Error)) return error;
  const kind = SIGNS.find(([sign]) => sign.test(error.message))?.[1] ?? 'other';
  return new StoreFailure(kind, { store, limit: duration(limits.seconds * 1000), detail: error.message });
}

const PACKAGE = '@duckdb/node-api';

/** The package beside the program, or in one of these folders; null where there is none. */
export function duckdbModule(folders: readonly string[]): DuckdbModule | null {
  for (const from of [import.meta.url, ...folders.map((folder) => join(folder, 'any.js'))]) {
    const require = createRequire(from);
    const path = resolved(require);
    if (path !== null) return require(path) as DuckdbModule;
  }
  return null;
}

function resolved(require: NodeJS.Require): string | null {
  try {
    return require.resolve(PACKAGE);
  } catch {
    return null;
  }
}
