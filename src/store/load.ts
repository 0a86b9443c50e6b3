import { countOf } from '../domain/logs/log-rows.ts';
import type { TimeRange } from '../domain/tail/coverage.ts';
import type { Clock } from '../time/clock.ts';
import type { Engine } from './engines/engine.ts';
import { StoreFailure } from './engines/store-failure.ts';
import { column } from './sql/columns.ts';
import { DIALECTS, type Dialect, inTime } from './sql/dialect.ts';
import { tableSql } from './sql/schema.ts';
import { among, sql, text } from './sql/sql.ts';
import { type ArrivingRows, StoredColumns } from './sql/stored-columns.ts';
import { rowHash, twinOf } from './sql/stored-row.ts';

/**
 * Rows that go to an engine at once, some 15 MB: what DuckDB lays down as one block, past its journal, and ClickHouse as a part that it need
 * not merge with others at once.
 */
const BATCH = 122_880;

const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 30_000;

/** Told while a store is away: what it said, and how long until the next try, ms. */
type OnWait = (failure: StoreFailure, pause: number) => void;

/** Does a piece of work again until it is done; throws what does not pass, and what the signal was aborted with. */
export async function untilDone<T>(
  work: () => Promise<T>,
  { clock, signal, onWait }: { clock: Clock; signal: AbortSignal; onWait: OnWait },
): Promise<T> {
  for (let pause = FIRST_PAUSE; ; pause = Math.min(LONGEST_PAUSE, pause * 2)) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreFailure) || !error.passes) throw error;
      onWait(error, pause);
      await clock.sleep(pause, signal);
      signal.throwIfAborted();
    }
  }
}

/**
 * Writes all rows of a source in batches, each of which is in the store by its own word before the next is sent; that is made ready meanwhile. A
 * batch that was sent before, by this program or by one that was killed, changes nothing. Throws StoreFailures that do not pass,
 * and the signal's reason.
 */
export async function loadRows(
  engine: Engine,
  parts: AsyncIterable<ArrivingRows>,
  o: {
    clock: Clock;
    signal: AbortSignal;
    onWait: OnWait;
    onStored: (rows: StoredColumns) => void;
    batch?: number;
  },
): Promise<void> {
  const most = o.batch ?? BATCH;
  let batch = null as StoredColumns | null; // With its first row: the columns of a whole one are 15 MB.
  let sent: Promise<void> = Promise.resolve();
  const put = async () => {
    const rows = batch;
    if (rows === null) return;
    batch = null;
    await sent;
    sent = untilDone(() => engine.put(rows, o.signal), o).then(() => o.onStored(rows));
    // Whoever waits for it is told.
    sent.catch(() => {});
  };
  try {
    for await (const part of parts) {
      for (let taken = 0; taken < countOf(part.rows); ) {
        batch ??= new StoredColumns(most);
        taken += batch.take(part, taken);
        if (batch.count === most) await put();
      }
      o.signal.throwIfAborted();
    }
    await put();
  } finally {
    await sent;
  }
}

/** How many rows of these zones and this time a store has. */
export async function rowsThere(
  { place, ask }: Engine,
  zones: readonly string[],
  { from, to }: TimeRange,
  signal: AbortSignal,
): Promise<number> {
  const dialect: Dialect = DIALECTS[place.dialect];
  const table = dialect.settled(tableSql(place, 'requests'));
  const ofZones = among(column('pullZoneId'), zones.map(text));
  const { rows } = await ask(
    sql`SELECT count(*) FROM ${table} WHERE ${ofZones} AND ${inTime(dialect, column('timestamp'), from, to)}`,
    signal,
  );
  return Number(rows[0]?.[0] ?? 0);
}

/** Rows without an id that are remembered at least, some 100 MB: equal ones of a source that is in order of time are next to each other. */
const REMEMBERED = 1_000_000;

/**
 * Numbers equal rows of a source that have no request id, such as a file: there each is a request of its own, however far apart they
 * are. The n-th of one source is the n-th of another, so that none is stored twice where sources overlap or one is read again.
 * `onForgotten`: told once where rows come so far out of order that equal ones may no longer be known, and count as one.
 */
export function createNumbering(
  o: { remembered?: number; onForgotten?: () => void } = {},
): ArrivingRows['numbered'] {
  const { remembered = REMEMBERED, onForgotten = () => {} } = o;
  let [recent, before] = [new Map<number, number>(), new Map<number, number>()];
  /** The newest time of what is remembered in either, and of what no longer is. */
  let [recentTo, beforeTo, forgottenTo] = [0, 0, 0];
  let isTold = false;
  return (record) => {
    const hash = rowHash(record);
    const key = Number.parseInt(hash.slice(0, DIGITS), 16);
    const known = recent.get(key) ?? before.get(key);
    if (known === undefined && record.timestamp <= forgottenTo && !isTold) {
      isTold = true;
      onForgotten();
    }
    recent.set(key, (known ?? 0) + 1);
    recentTo = Math.max(recentTo, record.timestamp);
    if (recent.size === remembered) {
      forgottenTo = Math.max(forgottenTo, beforeTo);
      [recent, before] = [new Map(), recent];
      [recentTo, beforeTo] = [0, recentTo];
    }
    return twinOf(hash, known ?? 0);
  };
}

/** Hex digits of a hash that a number holds. */
const DIGITS = 13;
