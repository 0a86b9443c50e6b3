import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { logHistory } from '../../src/store/log-history.ts';
import { fakeStore } from '../support/fake-store.ts';
import { openPlatform, type PlatformOptions } from '../support/platform.ts';
import { recordOf } from '../support/state.ts';
import { openSession } from './support.ts';

const HOUR = 3_600_000;
/** Five days before: a UTC midnight. */
const OLD_DAY = Date.UTC(2026, 10, 14);
const stamp = (time: number) => new Date(time).toISOString().slice(0, 19);

type Terminal = Awaited<ReturnType<typeof openSession>>['terminal'];

/** Until the screen is so. Files are unpacked in threads that no clock knows of, so that hardly any time may pass meanwhile. */
async function shows(terminal: Terminal, what: string | RegExp): Promise<void> {
  const isThere = () =>
    typeof what === 'string' ? terminal.text().includes(what) : what.test(terminal.text());
  for (let looks = 0; looks < 20_000 && !isThere(); looks++) {
    for (let turns = 0; turns < 20; turns++) await turn();
    await terminal.pass(1);
  }
  assert.ok(isThere(), `${what}\n${terminal.text()}`);
}

type Scene = {
  zone?: string;
  from?: number;
  to?: number;
  query?: string;
  columns?: number;
  rows?: number;
  faults?: NonNullable<PlatformOptions['faults']>;
  history?: Parameters<typeof openSession>[0]['history'];
};

async function scene(t: { after(close: () => Promise<void>): void }, o: Scene = {}) {
  const asked: string[] = [];
  const onRequest = ({ path }: { path: string }) => void asked.push(path);
  const platform = openPlatform({ seed: 7, rate: 40, faults: o.faults ?? [], onRequest });
  const zone = platform.zones.find(({ name }) => name === (o.zone ?? 'staging-shop'));
  assert.ok(zone);
  const from = o.from ?? OLD_DAY + 3 * HOUR;
  const to = o.to ?? from + HOUR;
  const { terminal } = await openSession({
    t,
    platform,
    columns: o.columns ?? 80,
    rows: o.rows ?? 24,
    env: { EDGESCOPE_STORAGE_URL: platform.storageUrl },
    args: ['logs', zone.name, `from:${stamp(from)} to:${stamp(to)} ${o.query ?? ''}`.trim(), '--utc'],
    ...(o.history ? { history: o.history } : {}),
  });
  const truth = platform.truth(zone.id, from, to);
  const fetched = () => asked.filter((path) => path.endsWith('.gzip'));
  return { terminal, platform, zone, from, to, truth, fetched };
}

test('a window that the logging API keeps no more opens on the rows of its stored files, which nobody promises to be complete', async (t) => {
  const { terminal, truth } = await scene(t);
  await shows(terminal, /STORED FILES ([\d.]+% read|READ TO THE END)/);
  assert.match(terminal.screen()[0] ?? '', /STORED FILES .*, may lack rows$/);
  assert.match(terminal.text(), /STORED FILES: completeness is not promised by the platform/);
  assert.match(terminal.text(), /(\d+) of \1 files, ([\d.]+K) of \2 . completeness not promised/);
  await terminal.type('g');
  await shows(terminal, 'STORED FILES READ TO THE END');
  assert.match(terminal.text(), new RegExp(`rows ${truth.length} . gaps 0`));
  assert.ok(!terminal.text().includes('COMPLETE'));
  await terminal.type('@');
  await shows(terminal, 'GET /backups-cold/pullzone-logs');
  assert.ok(!terminal.output().includes('canary-'));
  await terminal.type('q');
  await terminal.resize(120, 24);
  await shows(terminal, /^ edgescope .* STORED FILES .*, completeness is not promised by the platform$/m);
  // They lie without a name.
  assert.deepEqual(readdirSync(join(terminal.home, '.local/state/edgescope/parts')), []);
});

test('only the parts are fetched that can hold the rows on screen, and none twice', async (t) => {
  const { terminal, fetched } = await scene(t, { zone: 'checkout', from: OLD_DAY, to: OLD_DAY + 24 * HOUR });
  await shows(terminal, /STORED FILES [\d.]+% read/);
  await terminal.idle();
  const first = fetched();
  assert.ok(first.length < 6, `${first.length} files`);
  for (let at = 0; at < 6; at++) {
    await terminal.type('g');
    await shows(terminal, /STORED FILES [\d.]+% read|not read yet/);
  }
  assert.deepEqual(fetched(), [...new Set(fetched())]);
});

test('at 40 columns, and with a filter that few rows pass, the promise that is none stays on screen', async (t) => {
  const { terminal, truth } = await scene(t, { columns: 40, rows: 10, query: 'status:4xx' });
  await shows(terminal, /READ TO THE END|% read/);
  assert.match(terminal.text(), /completeness is not\s+promised by the platform/);
  await terminal.type('g');
  await shows(terminal, 'READ TO THE END');
  await shows(terminal, /not promised/);
  const rows = truth.filter(({ entry }) => Number(entry.statusCode) >= 400 && Number(entry.statusCode) < 500);
  const times = rows.map(({ entry }) => entry.timestamp.slice(5, 16).replace('T', ' '));
  assert.ok(rows.length > 0 && times.every((time) => terminal.text().includes(time)));
});

test('a zone that keeps none says how to switch it on', async (t) => {
  const { terminal } = await scene(t, { zone: 'docs-site' });
  await shows(terminal, 'STORED FILES NONE');
  assert.match(terminal.text(), /docs-site keeps no log in storage/);
  assert.match(terminal.text(), /Switch on Permanent Log Storage for it in the platform panel/);
});

test('a storage host that goes away in the middle is told, and the reading goes on where it stopped', async (t) => {
  const { terminal, platform, fetched } = await scene(t, {
    zone: 'checkout',
    from: OLD_DAY,
    to: OLD_DAY + 12 * HOUR,
  });
  await shows(terminal, /STORED FILES [\d.]+% read/);
  await terminal.idle();
  await platform.setListening('storage', false);
  for (let at = 0; at < 40 && !terminal.text().includes('FAILING'); at++) {
    await terminal.type('g');
    await shows(terminal, /STORED FILES ([\d.]+% read|FAILING|READING)/);
    await terminal.pass(5_000);
  }
  await shows(terminal, 'STORED FILES FAILING');
  const rows = Number(/rows ([\d,]+)/.exec(terminal.text())?.[1]?.replaceAll(',', ''));
  const before = new Set(fetched()).size;
  await platform.setListening('storage', true);
  const shown = () => Number(/rows ([\d,]+)/.exec(terminal.text())?.[1]?.replaceAll(',', ''));
  for (let at = 0; at < 10 && shown() === rows; at++) {
    await terminal.type('\x12');
    await terminal.pass(30_000);
    await shows(terminal, /STORED FILES (READING )?[\d.]+%( read)?|FAILING/);
    for (let looks = 0; looks < 2_000 && shown() === rows; looks++) await turn();
    await terminal.idle();
  }
  assert.ok(shown() > rows, terminal.text());
  assert.ok(new Set(fetched()).size <= before + 4);
});

test('a part that has gone since it was listed is a gap with its name, and the rest is there', async (t) => {
  const { terminal } = await scene(t, {
    from: OLD_DAY + 2.5 * HOUR,
    to: OLD_DAY + 7.5 * HOUR,
    faults: [{ match: { host: 'storage', path: /_104-2-[0-9a-f]{8}\.gzip$/ }, fault: { kind: 'fileGone' } }],
  });
  await shows(terminal, /STORED FILES [\d.]+% read/);
  await terminal.type('g');
  await shows(terminal, /GAP stored file 14_104-2-[0-9a-f]{8}\.gzip/);
  await terminal.type('g');
  await shows(terminal, /STORED FILES INCOMPLETE [\d.]+%/);
  assert.match(terminal.text(), /gaps 1/);
});

test('a store that lacks some of a window has its gap filled from the stored files: each row once, and the title names both', async (t) => {
  const from = OLD_DAY + 3 * HOUR;
  const half = from + HOUR / 2;
  const rowsOf = (platform: ReturnType<typeof openPlatform>, zone: string) =>
    platform.truth(zone, half - 10 * 60_000, from + HOUR).map(({ entry }, n) =>
      recordOf(n, {
        timestamp: Date.parse(entry.timestamp),
        requestId: entry.requestId,
        pullZoneId: zone,
        statusCode: Number(entry.statusCode),
        cacheStatus: String(entry.cacheStatus),
      }),
    );
  const { terminal, truth } = await scene(t, {
    from,
    columns: 120,
    history: (platform) => {
      const zone = String(platform.zones.find(({ name }) => name === 'staging-shop')?.id);
      const store = fakeStore({
        zone,
        rows: rowsOf(platform, zone),
        notes: [['read', half, from + 2 * HOUR]],
      });
      return logHistory({ engine: 'duckdb', name: 'main', open: store.open, clock: platform.clock });
    },
  });
  await shows(terminal, /HISTORY duckdb 50.0% read/);
  await terminal.type('g');
  await shows(terminal, 'HISTORY duckdb + STORED FILES READ TO THE END');
  assert.match(terminal.text(), new RegExp(`rows ${truth.length} . gaps 0`));
  assert.match(terminal.text(), /completeness is not promised by the platform/);
});
