import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../../src/api/client.ts';
import { createQuota } from '../../src/api/quota/quota.ts';
import { SharedSlots } from '../../src/api/quota/shared-slots.ts';
import { readCommandLine } from '../../src/config/command/command-line.ts';
import { keepFollowed } from '../../src/print/keep/keep-follow.ts';
import type { Engine } from '../../src/store/engines/engine.ts';
import { note, underMark } from '../../src/store/noted-coverage.ts';
import { sql } from '../../src/store/sql/sql.ts';
import { Secret } from '../../src/text/secret.ts';
import { count } from '../../src/text/units.ts';
import { systemClock } from '../../src/time/clock.ts';
import { clickhouse, makeTables, startClickhouse, temporaryFolder } from './engines.ts';
import { startManyZones } from './many-zones.ts';

/**
 * What one `keep` takes of a machine: `node --import ./test/support/register.mjs test/engines/keeper-figures.ts [ZONES [ROWS [SECONDS]]]`,
 * where ROWS come in a second of each zone. The keeper, the platform and ClickHouse are processes of their own, and what the keeper's takes
 * is told every ten seconds. It begins with six minutes of rows of each zone, which are read first.
 */
const [, , zones = '500', rate = '20', seconds = '90'] = process.argv;
const TOLD_EVERY = 10_000;
/** Rows come later than the tail waits for after this, ms. */
const LATENESS = 360_000;

type Told = { cpu: number; at: number; puts: number; rows: number; notes: number; memory: number };

if (process.send === undefined) await measure();
else await keep();

async function measure(): Promise<void> {
  const folder = temporaryFolder();
  const server = await startClickhouse(join(folder.path, 'clickhouse'));
  const platform = await startManyZones(Number(zones), 1_000 / Number(rate));
  const engine = clickhouse(server.url);
  await makeTables(engine);
  const read = { from: 0, to: Date.now() - LATENESS - 10_000, state: 'read', missing: null } as const;
  await note(
    engine,
    underMark(
      platform.ids.map((zone) => ({ zone, ...read })),
      1,
    ),
  );
  const child = fork(import.meta.filename, [zones, rate, seconds], {
    env: {
      ...process.env,
      KEEPER: JSON.stringify({ platform: platform.url, store: server.url }),
      XDG_RUNTIME_DIR: folder.path,
    },
  });
  let before: (Told & { asked: number }) | null = null;
  child.on('message', (told: Told) => {
    const now = { ...told, asked: platform.asked() };
    if (before !== null) {
      const length = (now.at - before.at) / 1_000;
      const per = (what: keyof typeof now) => (now[what] - (before?.[what] ?? 0)) / length;
      console.log(
        `${(per('cpu') / 1_000).toFixed(2)} of a core, ${count(per('rows'))} rows/s, ${per('puts').toFixed(2)} writes of rows/s, ${per('notes').toFixed(2)} of notes/s, ${count(per('asked'))} requests/s, ${Math.round(now.memory / 1e6)} MB; load ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`,
      );
    }
    before = now;
  });
  await once(child, 'exit');
  const { rows } = await engine.ask(sql`SELECT count(*), uniqExact(id) FROM history.requests`);
  console.log(`rows, and different ones: ${rows[0]?.join(', ')}`);
  await engine.close();
  await server.stop();
  folder.remove();
  process.exit();
}

/** The keeper, which tells what it has taken and done so far. */
async function keep(): Promise<void> {
  const urls = JSON.parse(process.env['KEEPER'] ?? '') as { platform: string; store: string };
  const done = { puts: 0, rows: 0, notes: 0 };
  const counting = (engine: Engine): Engine => ({
    ...engine,
    async put(rows, signal) {
      await engine.put(rows, signal);
      done.puts += 1;
      done.rows += rows.count;
    },
    async note(notes, signal) {
      await engine.note(notes, signal);
      done.notes += 1;
    },
  });
  const quota = createQuota({ store: new SharedSlots() });
  const client = createClient({
    baseUrl: urls.platform,
    loggingUrl: urls.platform,
    originErrorsUrl: urls.platform,
    storageUrl: urls.platform,
    credentials: { accessKey: new Secret('test-only-key'), token: null },
    allowWrites: false,
    quota,
  });
  const usage = readCommandLine(['keep', 'zone-*', '--store', 'test'], import.meta, {
    name: 'edgescope',
    version: '0',
    description: '',
  });
  if (!usage.ok) throw new Error(usage.message);
  const tell = () => {
    const { user, system } = process.cpuUsage();
    process.send?.({
      cpu: (user + system) / 1_000,
      at: performance.now(),
      ...done,
      memory: process.memoryUsage().rss,
    } satisfies Told);
  };
  setInterval(tell, TOLD_EVERY).unref();
  await keepFollowed(
    {
      stderr: process.stderr,
      format: 'ndjson',
      client,
      clock: systemClock,
      write: async () => {},
      onEnd: (end) => void setTimeout(() => end(130), Number(seconds) * 1_000),
      history: async () => ({ ok: true, value: async () => counting(clickhouse(urls.store)) }),
    },
    usage.value,
  );
  process.exit();
}
