import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPlatform } from '../support/platform.ts';
import { openSession } from './support.ts';

async function scene(t: { after(close: () => Promise<void>): void }, zone: string, query: string) {
  const platform = openPlatform({ seed: 7, rate: 40, faults: [] });
  const args = ['logs', zone, query, '--utc'];
  const { terminal } = await openSession({ t, platform, columns: 80, rows: 24, args });
  return { terminal };
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
