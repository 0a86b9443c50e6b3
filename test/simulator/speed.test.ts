import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_INCIDENTS } from '../../src/simulator/incident-schedule.ts';
import { createTraffic } from '../../src/simulator/traffic.ts';
import { accountZones } from '../../src/simulator/zones.ts';
import { bench, logs, NOON } from './ask.ts';

test('a bounded read of a wide window makes only the seconds it needs', async (t) => {
  const sim = await bench(t, { rate: 5_000 });
  const zone = sim.zone('shop-frontend');
  const from = performance.now();
  for (const order of ['asc', 'desc']) {
    const page = await logs(sim, zone, { from: NOON - 3 * 86_400_000, to: NOON, order, limit: 1_000 });
    assert.equal(page.data.length, 1_000);
  }
  assert.ok(performance.now() - from < 5_000, 'three days at 5,000 rows/s would take minutes');
});

test('rows are kept for the next read, but not for ever', () => {
  const traffic = createTraffic({ seed: 1, schedule: NO_INCIDENTS, isSteady: true });
  const busy = accountZones(1, 5_000)[0] as ReturnType<typeof accountZones>[number];
  const first = traffic.second(busy, 1);
  assert.equal(traffic.second(busy, 1), first);
  for (let s = 2; s < 45; s++) traffic.second(busy, s);
  assert.notEqual(traffic.second(busy, 1), first);
  assert.deepEqual(traffic.second(busy, 1), first);
});

test('a long search lets other requests through', async (t) => {
  const sim = await bench(t, { rate: 400 });
  const zone = sim.zone('shop-frontend');
  let isSearching = true;
  const long = logs(sim, zone, { from: NOON - 30 * 60_000, to: NOON, urlContains: 'no such thing' }).finally(
    () => {
      isSearching = false;
    },
  );
  const small = await logs(sim, sim.zone('quiet-landing'), { from: NOON - 60_000, to: NOON, limit: 1 });
  assert.equal(small.pagination.limit, 1);
  assert.equal(isSearching, true);
  assert.equal((await long).data.length, 0);
});
