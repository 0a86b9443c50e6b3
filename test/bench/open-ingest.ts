// How fast the rows of a file come into the book, with nothing on a screen, as a process of its own. Prints rows per
// second of the best of some passes.

import { LogBook } from '../../src/domain/logs/log-book.ts';
import { startAhead } from '../../src/effects/saved/saved-ahead.ts';
import { openInputs } from '../../src/effects/saved/saved-input.ts';
import { readSavedLogs } from '../../src/effects/saved/saved-logs.ts';
import { systemClock } from '../../src/time/clock.ts';

const [path = '', passCount = '3'] = process.argv.slice(2);
let best = 0;
for (let pass = 0; pass < Number(passCount); pass++) {
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
      if (rows?.kind === 'coded') book.appendCoded(rows.rows);
      if (rows?.kind === 'records') book.append(rows.records.map((record) => ({ record, late: false })));
    },
  });
  best = Math.max(best, (book.size * 1000) / (performance.now() - start));
}
console.log(best);
