import type { Engine } from '../../store/engines/engine.ts';
import { isTooMuch } from '../../store/engines/store-failure.ts';
import { expireRows } from '../../store/expire.ts';
import { rowsThere, untilDone } from '../../store/load.ts';
import type { StoredColumns } from '../../store/sql/stored-columns.ts';
import { say } from '../../text/say.ts';
import { count, counted, duration } from '../../text/units.ts';
import type { endOf, Printer } from '../printer.ts';
import { createProgressLine } from '../progress.ts';

/**
 * A store that is being filled: how rows are loaded into it, and what is said meanwhile and at the end. `words`: how far it is, of
 * the rows that the store confirmed and the time taken.
 */
export function createFilling(
  o: Omit<Printer, 'client'>,
  engine: Engine,
  end: ReturnType<typeof endOf>,
  words: (so: { stored: string; elapsed: string }) => string,
) {
  const { signal } = end;
  const { store } = engine;
  let confirmed = 0;
  const zones = new Set<string>();
  const span = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY };
  const progress = createProgressLine(o, ({ startedAt, now }) =>
    words({ stored: counted(confirmed, 'row'), elapsed: duration(Math.max(1, now - startedAt)) }),
  );
  const soFar = () => `the store ${store} confirmed ${counted(confirmed, 'row')}`;
  const how = {
    clock: o.clock,
    signal,
    onWait({ message }: Error, pause: number) {
      progress.erase();
      say(o.stderr, message, `next try in ${duration(pause)}`);
    },
    onStored(rows: StoredColumns) {
      confirmed += rows.count;
      for (const zone of rows.zones) zones.add(zone);
      const { from = span.from, to = span.to } = rows.span ?? {};
      span.from = Math.min(span.from, from);
      span.to = Math.max(span.to, to);
      progress.show();
    },
  };
  /** Of what was loaded, and of what was there: those that came twice are one. */
  async function there(): Promise<string> {
    if (confirmed === 0) return `no row was loaded into the store ${store}`;
    try {
      const rows = await untilDone(() => rowsThere(engine, [...zones], span, signal), how);
      return `${counted(confirmed, 'row was', 'rows were')} loaded; the store ${store} has ${count(rows)} of their zones and time, each once`;
    } catch (error) {
      if (!isTooMuch(error)) throw error;
      return soFar();
    }
  }
  return {
    how,
    show: progress.show,
    /** Does the work. Null, or the exit code of an interrupt, after which it can go on as said. */
    async run(work: () => Promise<void>, goesOn: string): Promise<number | null> {
      let said = '';
      try {
        await work();
        await expireRows(engine, o.clock.wall(), signal);
        said = await there();
      } catch (error) {
        if (!signal.aborted) {
          progress.end();
          say(o.stderr, soFar());
          throw error;
        }
      }
      progress.end();
      if (!signal.aborted) {
        say(o.stderr, said);
        return null;
      }
      say(o.stderr, `interrupted: ${soFar()}`, goesOn);
      return end.code ?? 0;
    },
  };
}

/** Of a file whose rows without an id are so many, and in so little order, that equal ones may be lost. */
export function sayForgotten(o: Pick<Printer, 'stderr'>): void {
  say(
    o.stderr,
    'a file has more than a million rows without a request id that are in no order of time',
    'equal ones that lie so far apart are stored once: sort it by time',
  );
}
