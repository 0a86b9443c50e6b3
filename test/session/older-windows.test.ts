import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logHistory } from '../../src/store/history-log.ts';
import { fakeStore } from '../support/fake-store.ts';
import { openPlatform } from '../support/platform.ts';
import { recordOf } from '../support/state.ts';
import { openSession } from './support.ts';

const OLD = 'from:2026-11-14T03:00 to:2026-11-14T04:00';

async function scene(
  t: { after(close: () => Promise<void>): void },
  zone: string,
  query: string,
  history: Parameters<typeof openSession>[0]['history'] = undefined,
) {
  const asked: string[] = [];
  const onRequest = ({ path }: { path: string }) => void asked.push(decodeURIComponent(path));
  const platform = openPlatform({ seed: 7, rate: 10, faults: [], onRequest });
  const args = ['logs', zone, query, '--utc'];
  const { terminal } = await openSession({
    t,
    platform,
    columns: 80,
    rows: 24,
    args,
    ...(history ? { history } : {}),
  });
  return { terminal, asked: () => asked.filter((path) => path.includes('/logs?')) };
}

test('time that is kept no more says which command loads it where the platform stores it', async (t) => {
  const { terminal } = await scene(t, 'staging-shop', 'last:5d');
  await terminal.pass(20_000);
  await terminal.type('gg');
  await terminal.waitFor('kept no more; keep --stored loads it');
  await terminal.type('\r');
  await terminal.waitFor('edgescope keep --stored staging-shop --from 2026-11-14 --to 2026-11-17 loads it');
});

test('where the platform stores none, such time is a gap that nobody can read', async (t) => {
  const { terminal } = await scene(t, 'docs-site', 'last:5d');
  await terminal.pass(20_000);
  await terminal.type('gg');
  await terminal.waitFor('older than the three days');
  await terminal.type('\r');
  await terminal.waitFor('the platform keeps this no more');
  assert.ok(!terminal.text().includes('--stored'));
});

test('an hour that is kept no more is a gap, and says which command loads it where the platform stores it', async (t) => {
  const { terminal, asked } = await scene(t, 'staging-shop', OLD);
  await terminal.waitFor('kept no more; keep --stored loads it');
  assert.match(terminal.screen()[0] ?? '', /INCOMPLETE 0%/);
  await terminal.type('\r');
  await terminal.waitFor('edgescope keep --stored staging-shop --from 2026-11-14 --to 2026-11-15 loads it');
  await terminal.pass(120_000);
  assert.equal(asked().length, 1, 'nothing is asked again in vain');
});

test('where the platform stores none, such an hour is a gap that nobody can read', async (t) => {
  const { terminal } = await scene(t, 'docs-site', OLD);
  await terminal.waitFor('older than the three days');
  assert.match(terminal.text(), /no row came of this window, and not all of it was read/);
  await terminal.type('\r');
  await terminal.waitFor('the platform keeps this no more');
  assert.ok(!terminal.text().includes('--stored'));
});

test('a window that begins before what is kept asks for no moment of that time', async (t) => {
  const { terminal, asked } = await scene(t, 'staging-shop', 'from:2026-11-14T03:00 to:2026-11-19T04:00');
  await terminal.pass(20_000);
  assert.match(terminal.screen()[0] ?? '', /READING/);
  assert.deepEqual(
    asked().filter((path) => /from=2026-11-1[45]/.test(path)),
    [],
  );
});

test('time that a store lacks says which command loads it where the platform stores it', async (t) => {
  const [half, to] = [Date.UTC(2026, 10, 14, 3, 30), Date.UTC(2026, 10, 14, 4)];
  const { terminal } = await scene(t, 'staging-shop', OLD, (platform) => {
    const zone = String(platform.zones.find(({ name }) => name === 'staging-shop')?.id);
    const rows = [recordOf(1, { timestamp: half + 60_000, pullZoneId: zone })];
    const store = fakeStore({ zone, rows, notes: [['read', half, to]] });
    return logHistory({ engine: 'duckdb', name: 'main', open: store.open, clock: platform.clock });
  });
  await terminal.waitFor('HISTORY duckdb INCOMPLETE 50.0%');
  await terminal.waitFor('kept no more; keep --stored loads it');
  await terminal.type('g\r');
  await terminal.waitFor('edgescope keep --stored staging-shop --from 2026-11-14 --to 2026-11-15 loads it');
});
