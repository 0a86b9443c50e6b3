import { countOf } from '../../domain/logs/log-rows.ts';
import type { TimeRange } from '../../domain/tail/coverage.ts';
import { TAIL_TUNING } from '../../domain/tail/tail-pace.ts';
import type { Engine } from '../../store/engines/engine.ts';
import { expireRows } from '../../store/expire.ts';
import { openHistory } from '../../store/history.ts';
import { leaveLeases, takeLeases } from '../../store/leases.ts';
import { untilDone } from '../../store/load.ts';
import {
  createStretching,
  type MarkedNote,
  type Note,
  nextMark,
  note,
  notesOf,
  underMark,
} from '../../store/noted-coverage.ts';
import { type ArrivingRows, StoredColumns } from '../../store/sql/stored-columns.ts';
import { say } from '../../text/say.ts';
import { count, DAY } from '../../text/units.ts';
import { createPlaces, createSequence } from '../../time/turns.ts';
import type { Printer, StoreOpener } from '../printer.ts';

export type KeptStore = ReturnType<typeof createKeptStore>;

/** Rows of all zones that are written at once, unless one of them hands over more; and from one such batch to the next, ms. */
export const ROWS_AT_ONCE = 20_000;
const EVERY = 1_000;
/** Rows of all zones that wait for the store, some 2 KB each. */
const MOST_WAITING = 200_000;
/** Answers about the past that are asked for at once: their rows take half of the room, so that tails have the other. */
const ANSWERS = MOST_WAITING / 2 / TAIL_TUNING.limit;
/** How often it is said that the store is too slow, ms. */
const SLOW_TOLD_EVERY = 600_000;

/** A tail whose rows come whether the store takes them or not: `rows` wait to be handed over, and go where it gives up. */
export type WaitingTail = { rows(): number; giveUp(): void };

/** What the store knows of the time of a zone, and the mark of what is noted of rows that are written from now on. */
type Known = { notes: readonly Note[]; mark: number };
type Asked = { zone: string; range: TimeRange; told: PromiseWithResolvers<Known> };

/** What one zone hands over: rows, and what they say of time. */
type Handed = {
  rows: ArrivingRows;
  notes: readonly MarkedNote[];
  written: PromiseWithResolvers<void>;
};

/**
 * Where the rows of zones go: what all of them hand over within a second is one batch, the rows as one write and then the notes as another. One
 * batch after the other, and each opens the store, so that a file is free for others in between. All of it waits as long as the store is away.
 */
export function createKeptStore(
  o: Pick<Printer, 'stderr' | 'clock'>,
  open: StoreOpener,
  signal: AbortSignal,
  mostWaiting = MOST_WAITING,
) {
  const turns = createSequence();
  const stretched = createStretching();
  let isAway = false;
  let name = '';
  /** The day on which rows that are kept no longer were looked for. */
  let expiredOn = 0;
  const handed: Handed[] = [];
  /** Rows that are handed over and not written. */
  let unwritten = 0;
  const tails = new Set<WaitingTail>();
  let slowToldAt = Number.NEGATIVE_INFINITY;
  const asked: Asked[] = [];
  let isWriting = false;
  let batches = 0;
  let retries = 0;
  /** When the store last did something, or refused to, by the monotonic clock. */
  let heardAt = o.clock.monotonic();
  let next = Number.NEGATIVE_INFINITY;

  function inTurn<T>(work: (engine: Engine) => Promise<T>, isWritten: boolean): Promise<T> {
    return turns(() =>
      untilDone(
        async () => {
          const engine = await open(isWritten);
          try {
            name = engine.store;
            const done = await work(engine);
            if (isAway) say(o.stderr, `the store ${engine.store} takes rows again`);
            isAway = false;
            heardAt = o.clock.monotonic();
            return done;
          } finally {
            await engine.close();
          }
        },
        {
          clock: o.clock,
          signal,
          onWait({ message, kind }) {
            heardAt = o.clock.monotonic();
            retries += 1;
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
      rows += rowsOf([each]);
      return at > 0 && rows > ROWS_AT_ONCE;
    });
    return handed.splice(0, end < 0 ? handed.length : end);
  }

  async function write(batch: readonly Handed[]): Promise<void> {
    const rows = new StoredColumns(rowsOf(batch));
    for (const each of batch) rows.take(each.rows);
    const notes = batch.flatMap((each) => each.notes);
    await inTurn(async (engine) => {
      if (rows.count > 0) await engine.put(rows);
      // After the rows: what is noted is here.
      await note(engine, stretched(notes));
      const day = Math.floor(o.clock.now() / DAY);
      if (day > expiredOn) await expireRows(engine, o.clock.now(), signal);
      expiredOn = day;
    }, true);
  }

  async function writeAll(): Promise<void> {
    while (handed.length > 0) {
      if (rowsOf(handed) < ROWS_AT_ONCE) await o.clock.sleep(Math.max(0, next - o.clock.monotonic()), signal);
      next = o.clock.monotonic() + EVERY;
      const batch = nextBatch();
      try {
        await write(batch);
        batches += 1;
        for (const { written } of batch) written.resolve();
        unwritten -= rowsOf(batch);
      } catch (error) {
        for (const { written } of [...batch, ...handed.splice(0)]) written.reject(error);
        unwritten = 0;
      }
    }
    isWriting = false;
  }

  function saySlow(rows: number): void {
    const now = o.clock.monotonic();
    if (isAway || now - slowToldAt < SLOW_TOLD_EVERY) return;
    slowToldAt = now;
    say(
      o.stderr,
      `the store ${name} takes rows more slowly than they come: ${count(rows)} wait`,
      'what is too much is read again from the platform',
    );
  }

  async function tellAll(): Promise<void> {
    const all: Asked[] = [];
    try {
      const found = await inTurn(async (engine) => {
        // Those of a try that failed, and those that came since, whose own turn finds none.
        all.push(...asked.splice(0));
        return all.length === 0
          ? null
          : { mark: await nextMark(engine), notes: await notesAsked(engine, all) };
      }, false);
      for (const { zone, told } of all) {
        const notes = found?.notes.filter((each) => each.zone === '' || each.zone === zone) ?? [];
        told.resolve({ notes, mark: found?.mark ?? 0 });
      }
    } catch (error) {
      for (const { told } of [...all, ...asked.splice(0)]) told.reject(error);
    }
  }

  const waiting = () => unwritten + tails.values().reduce((sum, tail) => sum + tail.rows(), 0);

  /** Called where rows of a tail came. As long as more wait than can be held the tail with most of them gives up: its time is read again. */
  function makeRoom(): void {
    while (waiting() > mostWaiting) {
      const [largest] = [...tails].sort((a, b) => b.rows() - a.rows());
      if (largest === undefined || largest.rows() === 0) return;
      saySlow(waiting());
      largest.giveUp();
    }
  }

  return {
    check: () => inTurn(async (engine) => void (await openHistory(engine)), false),
    /** A turn of one of several keepers that share zones. */
    leases: (of: Parameters<typeof takeLeases>[1]) => inTurn((engine) => takeLeases(engine, of), true),
    leave: (of: Parameters<typeof leaveLeases>[1]) => inTurn((engine) => leaveLeases(engine, of), true),
    /** What was noted of a time of this zone. What several zones ask meanwhile is one question. */
    known(zone: string, range: TimeRange): Promise<Known> {
      const told = Promise.withResolvers<Known>();
      asked.push({ zone, range, told });
      if (asked.length === 1) void tellAll();
      return told.promise;
    },
    /** Places for answers about the past of all zones, from before one is asked for until there is room for the rows of another, or its own are stored. */
    answers: createPlaces(ANSWERS),
    hasRoom: () => unwritten < ROWS_AT_ONCE,
    figures: () => ({ batches, retries, waiting: waiting(), isAway, heardAt }),
    /** Counts a tail's rows as waiting until it is called. */
    join(tail: WaitingTail): () => void {
      tails.add(tail);
      return () => void tails.delete(tail);
    },
    makeRoom,
    /** Stores rows, and after them what they say of time; resolves once the store has both. */
    put(rows: ArrivingRows, notes: readonly Note[], mark: number): Promise<void> {
      const written = Promise.withResolvers<void>();
      handed.push({ rows, notes: underMark(notes, mark), written });
      unwritten += countOf(rows.rows);
      if (!isWriting) {
        isWriting = true;
        void writeAll();
      }
      return written.promise;
    },
  };
}

function notesAsked(engine: Engine, all: readonly Asked[]): Promise<readonly Note[]> {
  const zones = [...new Set(all.map(({ zone }) => zone))];
  const from = all.reduce((least, { range }) => Math.min(least, range.from), Number.POSITIVE_INFINITY);
  const to = all.reduce((most, { range }) => Math.max(most, range.to), 0);
  return notesOf(engine, zones, { from, to });
}

function rowsOf(handed: readonly Handed[]): number {
  return handed.reduce((sum, { rows }) => sum + countOf(rows.rows), 0);
}
