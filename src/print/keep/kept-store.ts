import type { TimeRange } from '../../domain/tail/coverage.ts';
import { type Note, nextMark, note, notesOf } from '../../store/coverage.ts';
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

/**
 * Where the rows of zones go. One write after the other, whichever zone it is of; each opens the store, so that a file is free for
 * others in between. All of it waits as long as the store is away.
 */
export function createKeptStore(o: Printer, open: StoreOpener, signal: AbortSignal) {
  const turns = createSequence();
  let isAway = false;
  /** The day on which rows that are kept no longer were looked for. */
  let expiredOn = 0;
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
  return {
    check: () => inTurn(async (engine) => void (await openHistory(engine)), false),
    /** The mark of what is noted of the rows that are written from now on. */
    mark: () => inTurn((engine) => nextMark(engine), false),
    /** What was noted of a time of this zone. */
    notes: (zone: string, range: TimeRange) => inTurn((engine) => notesOf(engine, [zone], range), false),
    /** Stores rows, and after them what they say of time. */
    put: (rows: StoredRow[], notes: Note[], mark: number) =>
      inTurn(async (engine) => {
        if (rows.length > 0) await engine.put(rows);
        await note(engine, notes, mark);
        const day = Math.floor(o.clock.now() / DAY);
        if (day > expiredOn) await expireRows(engine, o.clock.now(), signal);
        expiredOn = day;
      }, true),
  };
}
