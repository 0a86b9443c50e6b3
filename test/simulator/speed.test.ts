import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Bench, bench, logs, NOON, search } from './ask.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const THREE_DAYS = { from: NOON - 72 * HOUR, to: NOON };

/** What a step made the simulator do. */
async function costOf<T>(sim: Bench, step: () => Promise<T>) {
  const before = sim.work();
  const answer = await step();
  const after = sim.work();
  const cost = {
    draws: after.draws - before.draws,
    rows: after.rows - before.rows,
    looked: after.looked - before.looked,
  };
  return { answer, cost };
}

const NOTHING = { draws: 0, rows: 0, looked: 0 };

test('a bounded read of a wide window makes only the seconds it needs', async (t) => {
  const sim = await bench(t, { rate: 5_000 });
  const zone = sim.zone('shop-frontend');
  for (const order of ['asc', 'desc']) {
    const { answer, cost } = await costOf(sim, () =>
      logs(sim, zone, { from: NOON - 3 * 24 * HOUR, to: NOON, order, limit: 1_000 }),
    );
    assert.equal(answer.data.length, 1_000);
    assert.ok(cost.rows < 20_000, `${order}: ${cost.rows} of a billion rows`);
  }
});

test('72 hours of the busiest zone are a few thousand events, and cost as many rows, whatever the rate', async (t) => {
  for (const rate of [40, 1_000]) {
    const sim = await bench(t, { rate });
    const { answer, cost } = await costOf(sim, () => search(sim, sim.zone('shop-frontend'), THREE_DAYS));
    // Sixteen pages and what finds the zone are within what the client asks of a host in ten seconds.
    assert.ok(answer.total > 5_000 && answer.total <= 17 * 500, `${answer.total} at ${rate}`);
    assert.ok(cost.rows < 1.5 * answer.total, `${cost.rows} rows for ${answer.total} at ${rate}`);
    assert.ok(cost.draws < answer.total, `${cost.draws} draws at ${rate}`);
    assert.ok(cost.looked < 1.1 * answer.total, `${cost.looked} looks at ${rate}`);
  }
});

test('the same search again makes nothing, whatever it groups and filters by', async (t) => {
  const sim = await bench(t);
  const zone = sim.zone('shop-frontend');
  await search(sim, zone, THREE_DAYS);
  for (const question of [
    {},
    { groupBy: ['ip'] },
    { groupBy: ['asn', 'ja4'] },
    { filters: [{ field: 'url', op: 'contains', value: ['login'] }] },
    { query: 'curl' },
  ]) {
    const first = await costOf(sim, () => search(sim, zone, { ...THREE_DAYS, ...question }));
    assert.equal(first.cost.rows + first.cost.draws, 0, JSON.stringify(question));
    for (const page of [0, 1, 2, 0]) {
      const { cost } = await costOf(sim, () => search(sim, zone, { ...THREE_DAYS, ...question, page }));
      assert.deepEqual(cost, NOTHING, JSON.stringify({ ...question, page }));
    }
  }
});

test('time in which nothing happens costs a look an hour: 72 hours of a quiet zone', async (t) => {
  const sim = await bench(t);
  const zone = sim.zone('quiet-landing');
  const events = await costOf(sim, () => search(sim, zone, THREE_DAYS));
  assert.equal(events.cost.rows, events.answer.total);
  assert.equal(events.cost.draws, 72);
  const read = await costOf(sim, () =>
    logs(sim, zone, { from: NOON - 71 * HOUR, to: NOON, order: 'asc', limit: 10_000 }),
  );
  assert.ok(read.answer.data.length > 500);
  assert.ok(read.cost.rows <= 1.1 * read.answer.data.length, `${read.cost.rows}`);
  assert.ok(read.cost.draws <= 72, `${read.cost.draws}`);
});
