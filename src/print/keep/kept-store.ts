import type { TimeRange } from '../../domain/tail/coverage.ts';
import {
  createStretching,
  type MarkedNote,
  type Note,
  nextMark,
  note,
  notesOf,
  underMark,
} from '../../store/coverage.ts';
import type { Engine } from '../../store/engines/engine.ts';
import { expireRows } from '../../store/expire.ts';
import { openHistory } from '../../store/history.ts';
import { untilDone } from '../../store/load.ts';
import type { StoredRow } from '../../store/sql/stored-row.ts';
import { say } from '../../text/say.ts';
import { DAY } from '../../text/units.ts';
import { createSequence } from '../../time/sequence.ts';
import type { Printer, StoreOpener } from '../printer.ts';

export type KeptStore = ReturnType<typeof createKeptStore>;

/** Rows of all zones that are written at once, unless one of them hands over more; and from one such batch to the next, ms. */
export const ROWS_AT_ONCE = 20_000;
const EVERY = 1_000;
/** What one zone hands over: rows, and what they say of time. */
type Handed = {
  rows: readonly StoredRow[];
  notes: readonly MarkedNote[];
  written: PromiseWithResolvers<void>;
};

/**
 * Where the rows of zones go: what all of them hand over within a second is one batch, the rows as one write and then the notes as another. One
 * batch after the other, and each opens the store, so that a file is free for others in between. All of it waits as long as the store is away.
 */
export function createKeptStore(o: Printer, open: StoreOpener, signal: AbortSignal) {
  const turns = createSequence();
  const stretched = createStretching();
  let isAway = false;
  /** The day on which rows that are kept no longer were looked for. */
  let expiredOn = 0;
  const handed: Handed[] = [];
  let isWriting = false;
  let next = Number.NEGATIVE_INFINITY;

  function inTurn<T>(work: (engine: Engine) => Promise<T>, isWritten: boolean): Promise<T> {
    return turns(() =>
      untilDone(
        async () => {
          const engine = await open(isWritten);
          try {
            const done = await work(engine);
            if (isAway) say(o.stderr, `the store ${engine.store} takes rows again`);
            isAway = false;
            return done;
          } finally {
            await engine.close();
          }
        },
        {
          clock: o.clock,
          signal,
          onWait({ message, kind }) {
            // Others read a file now and then.
            if (isAway || kind === 'locked') return;
            isAway = true;
            say(o.stderr, message, 'rows wait for it, and what is too much is read again from the platform');
          },
        },
      ),
    );
  }

  /** Whole turns of zones, in their order: what one hands over is never parted from its notes. */
  function nextBatch(): Handed[] {
    let rows = 0;
    const end = handed.findIndex((each, at) => {
      rows += each.rows.length;
      return at > 0 && rows > ROWS_AT_ONCE;
    });
    return handed.splice(0, end < 0 ? handed.length : end);
  }

  async function write(batch: readonly Handed[]): Promise<void> {
    const rows = batch.flatMap((each) => each.rows);
    const notes = batch.flatMap((each) => each.notes);
    await inTurn(async (engine) => {
      if (rows.length > 0) await engine.put(rows);
      // After the rows: what is noted is here.
      await note(engine, stretched(notes));
      const day = Math.floor(o.clock.now() / DAY);
      if (day > expiredOn) await expireRows(engine, o.clock.now(), signal);
      expiredOn = day;
    }, true);
  }

  async function writeAll(): Promise<void> {
    while (handed.length > 0) {
      const isMuch = handed.reduce((sum, { rows }) => sum + rows.length, 0) >= ROWS_AT_ONCE;
      if (!isMuch) await o.clock.sleep(Math.max(0, next - o.clock.monotonic()), signal);
      next = o.clock.monotonic() + EVERY;
      const batch = nextBatch();
      try {
        await write(batch);
        for (const { written } of batch) written.resolve();
      } catch (error) {
        for (const { written } of [...batch, ...handed.splice(0)]) written.reject(error);
      }
    }
    isWriting = false;
  }

  return {
    check: () => inTurn(async (engine) => void (await openHistory(engine)), false),
    /** The mark of what is noted of the rows that are written from now on. */
    mark: () => inTurn((engine) => nextMark(engine), false),
    /** What was noted of a time of this zone. */
    notes: (zone: string, range: TimeRange) => inTurn((engine) => notesOf(engine, [zone], range), false),
    /** Stores rows, and after them what they say of time; resolves once the store has both. */
    put(rows: readonly StoredRow[], notes: readonly Note[], mark: number): Promise<void> {
      const written = Promise.withResolvers<void>();
      handed.push({ rows, notes: underMark(notes, mark), written });
      if (!isWriting) {
        isWriting = true;
        void writeAll();
      }
      return written.promise;
    },
  };
}
