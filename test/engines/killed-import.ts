import { openInputs } from '../../src/effects/saved/saved-input.ts';
import { openStreams } from '../../src/effects/saved/saved-items.ts';
import { importedRows } from '../../src/print/keep/keep-import.ts';
import { loadRows } from '../../src/store/load.ts';
import { systemClock } from '../../src/time/clock.ts';
import { clickhouse, duckdb, killing } from './engines.ts';

/**
 * Loads a file as `keep --import` does, and kills itself at a batch: `killed-import.ts ENGINE PLACE FILE BATCH MOMENT`.
 * `before` = nothing of the batch was sent, `during` = it is on its way, `after` = it is stored. Batch 0 kills nothing.
 */
const [, , name, place = '', file = '', batch = '0', moment] = process.argv;
const engine = name === 'duckdb' ? await duckdb(place) : clickhouse(place);
const opened = await openInputs([file], null);
if (!opened.ok) throw new Error(opened.message);
const { signal } = new AbortController();

await loadRows(
  killing(Number(batch), moment)(engine),
  importedRows(openStreams(opened.inputs, { clock: systemClock, near: 0, signal })),
  {
    clock: systemClock,
    signal,
    onWait() {},
    onStored() {},
    batch: 500,
  },
);
await engine.close();
