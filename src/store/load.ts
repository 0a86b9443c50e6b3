import type { TimeRange } from '../domain/tail/coverage.ts';
import type { Clock } from '../time/clock.ts';
import type { Engine } from './engines/engine.ts';
import { StoreFailure } from './engines/store-failure.ts';
import { column } from './sql/columns.ts';
import { DIALECTS, type Dialect, inTime } from './sql/dialect.ts';
import { tableSql } from './sql/schema.ts';
import { among, sql, text } from './sql/sql.ts';
import type { StoredRow } from './sql/stored-row.ts';

/** Rows that go to an engine at once: some 20 MB of text, which it takes in a fraction of a second. */
const BATCH = 20_000;

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
  parts: AsyncIterable<readonly StoredRow[]>,
  o: {
    clock: Clock;
    signal: AbortSignal;
    onWait: OnWait;
    onStored: (rows: readonly StoredRow[]) => void;
    batch?: number;
  },
): Promise<void> {
  const most = o.batch ?? BATCH;
  let batch: StoredRow[] = [];
  let sent: Promise<void> = Promise.resolve();
  const put = async () => {
    const rows = batch;
    batch = [];
    if (rows.length === 0) return;
    await sent;
    sent = untilDone(() => engine.put(rows, o.signal), o).then(() => o.onStored(rows));
    // Whoever waits for it is told.
    sent.catch(() => {});
  };
  try {
    for await (const rows of parts) {
      for (const row of rows) {
        batch.push(row);
        if (batch.length === most) await put();
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
