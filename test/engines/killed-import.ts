import { openInputs } from '../../src/effects/saved/saved-input.ts';
import { openStreams } from '../../src/effects/saved/saved-items.ts';
import { recordsOf } from '../../src/print/keep-import.ts';
import { loadRows } from '../../src/store/load.ts';
import { systemClock } from '../../src/time/clock.ts';
import { clickhouse, duckdb } from './engines.ts';

/**
 * Loads a file as `keep --import` does, and kills itself at a batch: `killed-import.ts ENGINE PLACE FILE BATCH MOMENT`.
 * `before` = nothing of the batch was sent, `during` = it is on its way, `after` = it is stored. Batch 0 kills nothing.
 */
const [, , name, place = '', file = '', batch = '0', moment] = process.argv;
const engine = name === 'duckdb' ? await duckdb(place) : clickhouse(place);
const opened = await openInputs([file], null);
if (!opened.ok) throw new Error(opened.message);
const { signal } = new AbortController();
let puts = 0;

await loadRows(
  {
    ...engine,
    async put(rows, token) {
      const isLast = ++puts === Number(batch);
      if (isLast && moment === 'before') process.kill(process.pid, 'SIGKILL');
      const done = engine.put(rows, token);
      if (isLast && moment === 'during') setImmediate(() => process.kill(process.pid, 'SIGKILL'));
      await done;
      if (isLast) process.kill(process.pid, 'SIGKILL');
    },
  },
  recordsOf(openStreams(opened.inputs, 0, signal)),
  { clock: systemClock, signal, onWait() {}, onStored() {}, batch: 500 },
);
await engine.close();
