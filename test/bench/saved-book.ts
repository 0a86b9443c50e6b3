import { LogBook } from '../../src/domain/logs/log-book.ts';
import { arrivalsOf } from '../../src/domain/logs/log-rows.ts';
import { startAhead } from '../../src/effects/saved/saved-ahead.ts';
import { openInputs } from '../../src/effects/saved/saved-input.ts';
import { readSavedLogs } from '../../src/effects/saved/saved-logs.ts';
import { systemClock } from '../../src/time/clock.ts';

/** The rows of a file in a book, read as on screen, and how long that took, ms. */
export async function readBook(path: string): Promise<{ book: LogBook; ms: number }> {
  const opened = await openInputs([path], null);
  if (!opened.ok) throw new Error(opened.message);
  const book = new LogBook({ capacity: 2_000_000 });
  const start = performance.now();
  await readSavedLogs({
    inputs: opened.inputs,
    ahead: startAhead(opened.inputs, systemClock),
    follow: false,
    clock: systemClock,
    signal: new AbortController().signal,
    emit({ rows }) {
      if (rows !== null) book.append(arrivalsOf(rows));
    },
  });
  return { book, ms: performance.now() - start };
}
