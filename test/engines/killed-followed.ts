import { createClient } from '../../src/api/client.ts';
import { createQuota } from '../../src/api/quota/quota.ts';
import { readCommandLine } from '../../src/config/command/command-line.ts';
import { keepFollowed } from '../../src/print/keep/keep-follow.ts';
import { Secret } from '../../src/text/secret.ts';
import { systemClock } from '../../src/time/clock.ts';
import { clickhouse, duckdb, killing } from './engines.ts';

/**
 * Follows zones as `keep` does for so many seconds, and kills itself at a batch: `killed-followed.ts ENGINE PLACE BATCH MOMENT SECONDS URLS
 * ZONES [--shared]`, as `killed-stored.ts` does.
 */
const [, , name, place = '', batch = '0', moment, seconds = '', urls = '', zones = '', shared = ''] =
  process.argv;
const { accessKey, ...hosts } = JSON.parse(urls);
const client = createClient({
  ...hosts,
  credentials: { accessKey: new Secret(accessKey), token: null },
  allowWrites: false,
  quota: createQuota(),
});
const usage = readCommandLine(
  ['keep', zones, '--store', 'test', ...(shared === '' ? [] : [shared])],
  import.meta,
  {
    name: 'edgescope',
    version: '0',
    description: '',
  },
);
if (!usage.ok) throw new Error(usage.message);

// The store is opened for each batch.
const kill = killing(Number(batch), moment);
process.exitCode = await keepFollowed(
  {
    stderr: process.stdout,
    format: 'ndjson',
    client,
    clock: systemClock,
    write: async () => {},
    onEnd: (end) => void systemClock.after(Number(seconds) * 1_000, () => end(0)),
    history: async () => ({
      ok: true,
      value: async () => kill(name === 'duckdb' ? await duckdb(place) : clickhouse(place)),
    }),
  },
  usage.value,
);
await client.close();
