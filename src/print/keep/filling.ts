import { say } from '../../text/say.ts';
import { counted, duration } from '../../text/units.ts';
import type { endOf, Printer } from '../printer.ts';
import { createProgressLine } from '../progress.ts';

/**
 * A store that is being filled, by its name: how rows are loaded into it, and what is said meanwhile and at the end. `words`: how far it is, of
 * the rows stored and the time taken.
 */
export function createFilling(
  o: Omit<Printer, 'client'>,
  store: string,
  end: ReturnType<typeof endOf>,
  words: (so: { stored: string; elapsed: string }) => string,
) {
  const { signal } = end;
  let stored = 0;
  const progress = createProgressLine(o, ({ startedAt, now }) =>
    words({ stored: counted(stored, 'row'), elapsed: duration(Math.max(1, now - startedAt)) }),
  );
  const inStore = () =>
    `${counted(stored, 'row is', 'rows are')} in the store ${store}; each that was there before is there once`;
  const how = {
    clock: o.clock,
    signal,
    onWait({ message }: Error, pause: number) {
      progress.erase();
      say(o.stderr, message, `next try in ${duration(pause)}`);
    },
    onStored(rows: number) {
      stored += rows;
      progress.show();
    },
  };
  return {
    how,
    show: progress.show,
    /** Does the work. Null, or the exit code of an interrupt, after which it can go on as said. */
    async run(work: () => Promise<void>, goesOn: string): Promise<number | null> {
      try {
        await work();
      } catch (error) {
        if (!signal.aborted) {
          progress.end();
          say(o.stderr, inStore());
          throw error;
        }
      }
      progress.end();
      if (!signal.aborted) {
        say(o.stderr, inStore());
        return null;
      }
      say(o.stderr, `interrupted: ${inStore()}`, goesOn);
      return end.code ?? 0;
    },
  };
}
