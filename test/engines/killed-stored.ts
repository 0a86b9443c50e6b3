import { createClient } from '../../src/api/client.ts';
import { createQuota } from '../../src/api/quota/quota.ts';
import { readCommandLine } from '../../src/config/command/command-line.ts';
import { parseQuery } from '../../src/domain/query/query-text.ts';
import { keepStored } from '../../src/print/keep/keep-stored.ts';
import { Secret } from '../../src/text/secret.ts';
import { systemClock } from '../../src/time/clock.ts';
import { clickhouse, duckdb, killing } from './engines.ts';

/**
 * Does `keep --stored`, and kills itself at a batch: `killed-stored.ts ENGINE PLACE SPOOL BATCH MOMENT URLS ZONE FROM TO`, where URLS
 * are a simulator's, and its key, as JSON. `before` = nothing of the batch was sent, `during` = it is on its way, `after` = it is
 * stored. Batch 0 kills nothing.
 */
const [, , name, place = '', folder = '', batch = '0', moment, urls = '', zone = '', from = '', to = ''] =
  process.argv;
const { accessKey, ...hosts } = JSON.parse(urls);
const client = createClient({
  ...hosts,
  credentials: { accessKey: new Secret(accessKey), token: null },
  allowWrites: false,
  quota: createQuota(),
});
const usage = readCommandLine(
  ['keep', '--stored', zone, '--from', from, '--to', to, '--store', 'test'],
  import.meta,
  { name: 'edgescope', version: '0', description: '' },
);
if (!usage.ok) throw new Error(usage.message);
const query = parseQuery(usage.value.query, 'logs', Date.now());
if (!query.ok) throw new Error(query.error.message);

async function open() {
  const engine = name === 'duckdb' ? await duckdb(place) : clickhouse(place);
  return killing(Number(batch), moment)(engine);
}

process.exitCode = await keepStored(
  {
    stderr: process.stdout,
    format: 'ndjson',
    client,
    clock: systemClock,
    write: async () => {},
    onEnd() {},
    history: async () => ({ ok: true, value: open }),
    stored: { client, folder },
  },
  usage.value,
  query.query,
);
await client.close();
