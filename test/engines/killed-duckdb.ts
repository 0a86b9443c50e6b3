import { watch } from 'node:fs';
import { dirname } from 'node:path';
import { Rng } from '../../src/simulator/random.ts';
import { literalCount, sql } from '../../src/store/sql/sql.ts';
import { storedColumns } from '../support/stored.ts';
import { duckdb } from './engines.ts';
import { randomRows } from './random-rows.ts';

/** Opens a file, and kills itself in the middle of a question or of a commit: `killed-duckdb.ts question|commit FILE`. */
const [, , way, file = ''] = process.argv;
const engine = await duckdb(file);
const die = () => process.kill(process.pid, 'SIGKILL');

if (way === 'question') {
  setImmediate(die);
  await engine.ask(sql`SELECT count(*) FROM requests, range(${literalCount(10 ** 9)})`);
} else {
  // A commit is what is written to the journal beside the file.
  watch(dirname(file), (_, name) => name?.endsWith('.wal') && die());
  const rows = randomRows(new Rng(7), 5_000).map((row, at) => ({
    ...row,
    pullZoneId: '99',
    requestId: String(at).padStart(32, '0'),
  }));
  await engine.put(storedColumns(rows));
}
