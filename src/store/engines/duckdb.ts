import { chmodSync, lstatSync, realpathSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { ID_BYTES } from '../../domain/logs/columns/coded-rows.ts';
import type { TimeRange } from '../../domain/tail/coverage.ts';
import { changeable } from '../../files/changeable.ts';
import { maskSecrets } from '../../text/mask.ts';
import { duration, bytes as size } from '../../text/units.ts';
import type { Clock } from '../../time/clock.ts';
import { createSequence } from '../../time/turns.ts';
import { COLUMN_NAMES, COLUMNS, column, isNumber, KEY } from '../sql/columns.ts';
import { DIALECTS, inTime } from '../sql/dialect.ts';
import type { Place } from '../sql/schema.ts';
import { notesInto, notesSql } from '../sql/spans.ts';
import { joinedSql, type Param, type Sql, type Statement, sql, statementOf, whole } from '../sql/sql.ts';
import type { StoredColumns, StoredNumber, StoredText } from '../sql/stored-columns.ts';
import type { StoredRow } from '../sql/stored-row.ts';
import type {
  DuckdbCell,
  DuckdbConnection,
  DuckdbInstance,
  DuckdbModule,
  DuckdbResult,
  DuckdbType,
  DuckdbValue,
  DuckdbVector,
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

const ID_WORDS = ID_BYTES / Uint32Array.BYTES_PER_ELEMENT;
/** Odd, with bits all over: 2^32 by the golden ratio. */
const SPREAD = 0x9e3779b1;

/** Rows of a chunk: the engine's own size. */
const CHUNK = 2_048;

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
    // Texts that come again are written in three fifths of the time.
    storage_compatibility_version: 'v1.4.0',
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
          await putAll(o.module, connection, rows);
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

/**
 * Rows that are newer than any of their time go to their table at once, which nearly all of an import do: nothing there can be the same. The
 * others are held against what is there.
 */
async function putAll(
  module: DuckdbModule,
  connection: DuckdbConnection,
  rows: StoredColumns,
): Promise<void> {
  const { span } = rows;
  if (span === null) return;
  const { timestamp } = rows.numbers;
  await execute(connection, sql`BEGIN TRANSACTION`);
  try {
    const newest = await newestIn(connection, span);
    const settled = settledRows(rows);
    const held = settled.filter((row) => (timestamp[row] as number) <= newest);
    if (held.length > 0) {
      await execute(connection, sql`CREATE OR REPLACE TEMP TABLE ${ARRIVING} AS FROM requests LIMIT 0`);
      await append(module, connection, 'arriving', rows, held);
      for (const each of merging(span)) await execute(connection, each);
    }
    const free = settled.filter((row) => (timestamp[row] as number) > newest);
    await append(module, connection, 'requests', rows, free);
    await execute(connection, sql`COMMIT`);
  } catch (error) {
    await execute(connection, sql`ROLLBACK`).catch(() => {});
    throw error;
  }
}

function inSpan({ from, to }: TimeRange): Sql {
  return inTime(DIALECTS.duckdb, sql`requests.timestamp`, from, to);
}

/** The newest time of a row in a time, Unix ms; none: before all times. */
async function newestIn(connection: DuckdbConnection, span: TimeRange): Promise<number> {
  const { text, params } = statement(
    sql`SELECT epoch_ms(max(timestamp)) FROM requests WHERE ${inSpan(span)}`,
  );
  const rows = await rowsOf(await connection.run(text, params.map(bound)), '');
  return Number(rows[0]?.[0] || Number.NEGATIVE_INFINITY);
}

/** What says less than what arrives gives way to it, and what is there already is left out. The span keeps both to few blocks. */
function merging(span: TimeRange): Sql[] {
  const isSame = joinedSql(
    [inSpan(span), ...KEY.map((each) => sql`requests.${column(each)} = ${ARRIVING}.${column(each)}`)],
    sql` AND `,
  );
  return [
    sql`DELETE FROM requests USING ${ARRIVING} WHERE ${isSame} AND requests.detail <= ${ARRIVING}.detail`,
    sql`INSERT INTO requests SELECT * FROM ${ARRIVING} WHERE NOT EXISTS (SELECT ${whole(1)} FROM requests WHERE ${isSame})`,
  ];
}

/** Of rows with one key the last of those that say most, in their order. */
function settledRows(rows: StoredColumns): Uint32Array {
  const { count, texts, numbers } = rows;
  const ids = new Uint32Array(rows.ids.buffer, rows.ids.byteOffset, count * ID_WORDS);
  const isSame = (a: number, b: number) => {
    for (let word = 0; word < ID_WORDS; word++)
      if (ids[a * ID_WORDS + word] !== ids[b * ID_WORDS + word]) return false;
    return (
      numbers.timestamp[a] === numbers.timestamp[b] &&
      numbers.statusCode[a] === numbers.statusCode[b] &&
      texts.pullZoneId.codes[a] === texts.pullZoneId.codes[b] &&
      texts.cacheStatus.codes[a] === texts.cacheStatus.codes[b]
    );
  };
  // A hash table whose slots hold rows, from 1 on: a Map of 100,000 texts takes seven times as long.
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * count)));
  for (let row = 0; row < count; row++) {
    let slot = 0;
    for (let word = 0; word < ID_WORDS; word++)
      slot = Math.imul(slot ^ (ids[row * ID_WORDS + word] as number), SPREAD) ^ (slot >>> 15);
    for (; ; slot++) {
      slot &= slots.length - 1;
      const known = slots[slot] as number;
      if (known > 0 && !isSame(known - 1, row)) continue;
      if (known === 0 || (numbers.detail[known - 1] as number) <= (numbers.detail[row] as number))
        slots[slot] = row + 1;
      break;
    }
  }
  return slots
    .filter((known) => known > 0)
    .map((known) => known - 1)
    .sort();
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

/**
 * Hands rows over as chunks of the engine's own, column by column. Texts go as numbers of an enum, which it makes texts of as it takes them, so that
 * each is handed over once and not for every row that has it.
 */
async function append(
  { DuckDBDataChunk, ...types }: DuckdbModule,
  connection: DuckdbConnection,
  table: string,
  rows: StoredColumns,
  chosen: Uint32Array,
): Promise<void> {
  if (chosen.length === 0) return;
  const appender = await connection.createAppender(table);
  const columns = COLUMN_NAMES.map((name) => arrivingColumn(types, rows, name));
  const chunk = DuckDBDataChunk.create(
    columns.map(({ type }) => type),
    CHUNK,
  );
  const vectors = columns.map((_, at) => chunk.getColumnVector(at));
  try {
    for (let from = 0; from < chosen.length; from += CHUNK) {
      const part = chosen.subarray(from, from + CHUNK);
      if (part.length < CHUNK) chunk.rowCount = part.length;
      for (const [at, { fill }] of columns.entries()) {
        const vector = vectors[at] as DuckdbVector;
        fill(vector, part);
        vector.flush();
      }
      appender.appendDataChunk(chunk);
    }
    appender.closeSync();
  } catch (error) {
    // What it still has would be written when it is collected, outside of the transaction.
    appender.clear();
    throw error;
  }
}

type ArrivingColumn = { type: DuckdbType; fill: (vector: DuckdbVector, rows: Uint32Array) => void };

function arrivingColumn(
  types: Omit<DuckdbModule, 'DuckDBDataChunk'>,
  rows: StoredColumns,
  name: keyof StoredRow,
): ArrivingColumn {
  if (name === 'id') return { type: types.UUID, fill: ({ dataView }, of) => fillIds(dataView, rows.ids, of) };
  if (isNumber(name)) {
    const values = rows.numbers[name as StoredNumber];
    return COLUMNS[name] === 'time'
      ? { type: types.TIMESTAMP_MS, fill: ({ items }, of) => fillTimes(items, values, of) }
      : { type: types.DOUBLE, fill: ({ items }, of) => fillNumbers(items, values, of) };
  }
  const { words, codes } = rows.texts[name as StoredText];
  const wordOf = (row: number) => words[codes[row] as number] as string;
  // A member of an enum ends at its first zero.
  if (words.some((word) => word.includes('\0')))
    return {
      type: types.VARCHAR,
      fill(vector, of) {
        for (const [at, row] of of.entries()) vector.setItem(at, wordOf(row));
      },
    };
  const members = COLUMNS[name] === 'address' ? words.map((word) => word.replace(/../g, '\\x$&')) : words;
  return { type: types.ENUM32(members), fill: ({ items }, of) => fillNumbers(items, codes, of) };
}

type Items = DuckdbVector['items'];

function fillNumbers(items: Items, values: Float64Array | Uint32Array, rows: Uint32Array): void {
  for (let at = 0; at < rows.length; at++) items[at] = values[rows[at] as number] as number;
}

function fillTimes(items: Items, times: Float64Array, rows: Uint32Array): void {
  for (let at = 0; at < rows.length; at++) items[at] = BigInt(times[rows[at] as number] as number);
}

/** As numbers of 128 bits with a sign, whose first byte is their last. */
function fillIds({ buffer, byteOffset, byteLength }: DataView, ids: Buffer, rows: Uint32Array): void {
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  for (const [at, row] of rows.entries()) {
    for (let byte = 0; byte < ID_BYTES; byte++)
      bytes[at * ID_BYTES + ID_BYTES - 1 - byte] = ids[row * ID_BYTES + byte] as number;
    const last = at * ID_BYTES + ID_BYTES - 1;
    bytes[last] = (bytes[last] as number) ^ 0x80;
  }
}
