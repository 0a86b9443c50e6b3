import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountZones } from '../../src/simulator/account/account-zones.ts';
import { incidentSchedule } from '../../src/simulator/traffic/incidents.ts';
import { requestId, rowJson, type SimRow, secondOfRequestId } from '../../src/simulator/traffic/rows.ts';
import type { SliceOptions } from '../../src/simulator/traffic/slice-maker.ts';
import { createTraffic } from '../../src/simulator/traffic/traffic-source.ts';
import { fc, runs } from '../support/properties.ts';
import { entryOf, secondOf } from '../support/simulator/truth.ts';
import { type Bench, bench, logs, main, NOON, search } from './ask.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A zone with a block a second, one with a block an hour, and hours with and without incidents. */
const anyHour = fc.record({
  rate: fc.constantFrom(0.5, 5, 40, 1_000),
  zone: fc.constantFrom('shop-frontend', 'api-gateway', 'checkout', 'staging-shop', 'quiet-landing'),
  hour: fc.oneof(fc.integer({ min: -3, max: 2 }), fc.integer({ min: -72, max: 2 })),
});

function trafficOf(rate: number, name: string, o: SliceOptions = {}) {
  const zones = accountZones(1, rate);
  const zone = zones.find((each) => each.name === name);
  assert.ok(zone);
  const schedule = incidentSchedule(1, NOON, zones);
  return { zone, traffic: () => createTraffic({ schedule, ...o }) };
}

test('the entry that a recount reads is the one that the log tells', () => {
  const told = new Set<string>();
  for (const name of ['shop-frontend', 'api-gateway', 'checkout', 'media-video']) {
    const { zone, traffic } = trafficOf(20, name);
    const made = traffic();
    for (let second = NOON / 1000 - 6 * 3600; second < NOON / 1000; second += 97) {
      for (const row of secondOf(made, zone, second)) {
        const entry = JSON.parse(rowJson(row, zone)) as Record<string, unknown>;
        assert.deepEqual(entryOf(row, zone), entry);
        for (const [field, value] of Object.entries(entry)) told.add(`${field} ${value === null}`);
      }
    }
  }
  const optional = ['bodyBytesSent', 'contentRange', 'authorizationHeader'].map((field) => `${field} false`);
  for (const each of ['referer true', 'referer false', 'userAgent true', ...optional])
    assert.ok(told.has(each), each);
});

test('the events of an hour are the judged rows of its seconds, in whatever order they are made', () => {
  fc.assert(
    fc.property(anyHour, fc.boolean(), ({ rate, zone: name, hour }, isBackward) => {
      const { zone, traffic } = trafficOf(Math.min(rate, 5), name);
      const [one, two] = [traffic(), traffic()];
      const first = NOON / 1000 + hour * 3600;
      const parts: SimRow[][] = [];
      for (let n = 0; n < 3600; n++) {
        const second = first + (isBackward ? 3599 - n : n);
        parts.push(secondOf(one, zone, second).filter((row) => row.rule !== null));
      }
      const judged = (isBackward ? parts.reverse() : parts).flat();
      assert.deepEqual(two.events(zone, first / 3600), judged);
      assert.deepEqual(one.events(zone, first / 3600), judged);
    }),
    { numRuns: runs(6) },
  );
});

test('a minute of a busy zone has the events that its hour has then', () => {
  fc.assert(
    fc.property(anyHour, fc.nat(59), ({ rate, zone: name, hour }, minute) => {
      const { zone, traffic } = trafficOf(rate, name);
      const [one, two] = [traffic(), traffic()];
      const from = NOON + hour * HOUR + minute * MINUTE;
      const seconds = Array.from({ length: 60 }, (_, n) => secondOf(one, zone, from / 1000 + n)).flat();
      const events = two.events(zone, NOON / HOUR + hour);
      assert.deepEqual(
        events.filter((row) => row.t >= from && row.t < from + MINUTE),
        seconds.filter((row) => row.rule !== null),
      );
    }),
    { numRuns: runs(15) },
  );
});

test('a request id leads to the second of its row, whether made by the second or by the hour', () => {
  fc.assert(
    fc.property(anyHour, ({ rate, zone: name, hour }) => {
      const { zone, traffic } = trafficOf(rate, name);
      for (const row of traffic().events(zone, NOON / HOUR + hour)) {
        const second = secondOfRequestId(requestId(row, zone), zone);
        assert.equal(second, Math.floor(row.t / 1000));
        assert.deepEqual(
          secondOf(traffic(), zone, second as number).filter(
            (each) => requestId(each, zone) === requestId(row, zone),
          ),
          [row],
        );
        return;
      }
    }),
    { numRuns: runs(15) },
  );
});

test('a surge falls on the seconds it was set for, whatever is asked', () => {
  const surges = [{ from: NOON + 90_500, to: NOON + 2 * MINUTE + 500, factor: 2_000 }];
  const { zone, traffic } = trafficOf(40, 'staging-shop', { surges });
  const [one, two] = [traffic(), traffic()];
  const seconds = Array.from({ length: 3600 }, (_, n) => secondOf(one, zone, NOON / 1000 + n)).flat();
  const judged = seconds.filter((row) => row.rule !== null);
  assert.deepEqual(two.events(zone, NOON / HOUR), judged);
  const inSurge = judged.filter((row) => row.t >= NOON + 91_000 && row.t < NOON + 2 * MINUTE + 1_000);
  assert.ok(
    inSurge.length > 10 && inSurge.length > 0.7 * judged.length,
    `${inSurge.length}/${judged.length}`,
  );
});

/** Ids of the events that a search tells, page by page. */
async function searched(sim: Bench, name: string, window: object, pageSize: number): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 0; ; page++) {
    const answer = await search(sim, sim.zone(name), { ...window, page, pageSize });
    ids.push(...(answer.rows ?? []).map((row) => row.logId));
    if (page + 1 >= answer.totalPages) return ids;
  }
}

test('a wide search is its narrow ones one after another, and both are what was planted and shows', async (t) => {
  const [warm, cold] = [await bench(t, { rate: 5 }), await bench(t, { rate: 5 })];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('shop-frontend', 'staging-shop', 'quiet-landing'),
      fc.integer({ min: 1, max: 5 * 60 }),
      fc.array(fc.integer({ min: 1, max: 5 * 60 * MINUTE }), { maxLength: 4 }),
      async (name, minutes, cuts) => {
        const from = NOON - minutes * MINUTE;
        const bounds = [from, ...cuts.map((cut) => from + cut).filter((at) => at < NOON), NOON];
        const sorted = [...new Set(bounds)].sort((a, b) => b - a);
        const narrow: string[] = [];
        for (let n = 1; n < sorted.length; n++) {
          narrow.push(...(await searched(cold, name, { from: sorted[n], to: sorted[n - 1] }, 500)));
        }
        const planted = warm
          .truth(warm.zone(name).id, from, NOON)
          .filter((row) => row.shield !== null && row.visibleAt <= NOON)
          .reverse();
        const wide = await searched(warm, name, { from, to: NOON }, 400);
        assert.deepEqual(wide, narrow);
        assert.deepEqual(
          wide.map((id) => id.slice(0, 32)),
          planted.map((row) => row.entry.requestId),
        );
      },
    ),
    { numRuns: runs(15) },
  );
});

test('a wide read of a quiet log is its narrow ones one after another', async (t) => {
  const sim = await bench(t, { limit: { requests: 1_000, window: 1 } });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 71 * 60 }),
      fc.array(fc.nat(71 * 60 * MINUTE), { maxLength: 5 }),
      async (minutes, cuts) => {
        const zone = sim.zone('quiet-landing');
        const from = NOON - minutes * MINUTE;
        const bounds = [...new Set([from, ...cuts.map((cut) => from + cut).filter((at) => at < NOON), NOON])];
        bounds.sort((a, b) => a - b);
        const narrow: string[] = [];
        for (let n = 1; n < bounds.length; n++) {
          const window = { from: bounds[n - 1] as number, to: bounds[n] as number };
          const page = await logs(sim, zone, { ...window, order: 'asc', limit: 10_000 });
          narrow.push(...page.data.map((row) => row.requestId));
        }
        const wide = await logs(sim, zone, { from, to: NOON, order: 'asc', limit: 10_000 });
        assert.deepEqual(
          wide.data.map((row) => row.requestId),
          narrow,
        );
      },
    ),
    { numRuns: runs(15) },
  );
});

test('events that come late show in the next page of the same search', async (t) => {
  const sim = await bench(t, { rate: 40, lateness: [{ share: 1, least: 30_000, most: 600_000 }] });
  const window = { from: NOON - 20 * MINUTE, to: NOON, pageSize: 500 };
  const totals: number[] = [];
  for (let n = 0; n < 8; n++) {
    const { total } = await search(sim, sim.zone('shop-frontend'), window);
    const planted = sim
      .truth(sim.zone('shop-frontend').id, window.from, NOON)
      .filter((row) => row.shield !== null && row.visibleAt <= sim.now());
    assert.equal(total, planted.length);
    totals.push(total);
    sim.advance(60_000);
  }
  assert.ok((totals[0] as number) < (totals.at(-1) as number), totals.join());
});

test('a day read tells what the searches of its hours tell', async (t) => {
  const sim = await bench(t);
  for (const name of ['shop-frontend', 'quiet-landing']) {
    const read: string[] = [];
    const base = `/shield/event-logs/${sim.zone(name).shieldZoneId}/08-18-2026`;
    for (let path: string | null = base; path !== null; ) {
      const page: { logs: { logId: string }[]; continuationToken: string | null } = JSON.parse(
        (await main(sim, path)).text,
      );
      read.push(...page.logs.map((log) => log.logId));
      path = page.continuationToken && `${base}/${encodeURIComponent(page.continuationToken)}`;
    }
    const midnight = Date.UTC(2026, 7, 18);
    const found: string[] = [];
    for (let hour = 23; hour >= 0; hour--) {
      const from = midnight + hour * HOUR;
      found.push(...(await searched(sim, name, { from, to: from + HOUR }, 500)));
    }
    assert.deepEqual(read, found);
  }
});
