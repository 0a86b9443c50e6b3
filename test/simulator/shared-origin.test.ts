import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountZones, type SimZone } from '../../src/simulator/account/account-zones.ts';
import { type Incident, incidentSchedule } from '../../src/simulator/traffic/incidents.ts';
import { createTraffic } from '../../src/simulator/traffic/traffic-source.ts';
import { truthRows } from '../support/simulator/truth.ts';
import { bench, main, NOON } from './ask.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DEMO_RATE = 40;
const SEEDS = Array.from({ length: 20 }, (_, i) => i + 1);
/** The quietest and the busiest hour of the day, a weekend, and the turn of a month. */
const STARTS = [
  NOON,
  Date.UTC(2026, 7, 20, 7),
  Date.UTC(2026, 7, 20, 19),
  Date.UTC(2026, 7, 23, 7, 31),
  Date.UTC(2026, 8, 1),
];

type Demo = { epoch: number; zones: SimZone[]; shared: SimZone[]; failures: (zone: SimZone) => Incident[] };

function demo(seed: number, epoch: number): Demo {
  const zones = accountZones(seed, DEMO_RATE);
  const schedule = incidentSchedule(seed, epoch, zones);
  const shared = ['checkout', 'mobile-api'].map(
    (name) => zones.find((zone) => zone.name === name) as SimZone,
  );
  const planted = schedule.between(epoch - 72 * HOUR, epoch + 24 * HOUR);
  return { epoch, zones, shared, failures: (zone) => planted.filter((i) => i.zone === zone) };
}

const times = (incidents: readonly Incident[]) => incidents.map(({ kind, from, to }) => ({ kind, from, to }));

test('the origin of two zones fails in both at once, since some minutes at the start and for half an hour', () => {
  for (const seed of SEEDS) {
    for (const epoch of STARTS) {
      const { shared, failures } = demo(seed, epoch);
      const [one, other] = shared.map(failures);
      assert.deepEqual(times(one ?? []), times(other ?? []));
      const [first] = one ?? [];
      assert.ok(first !== undefined && first.kind === 'originFailure');
      assert.ok(first.from >= epoch - 8 * MINUTE && first.from <= epoch - 4 * MINUTE, `seed ${seed}`);
      assert.ok(first.to >= epoch + 25 * MINUTE, `seed ${seed}`);
    }
  }
});

test('it comes again, and the origin was well for more than an hour before each time', () => {
  for (const seed of SEEDS) {
    const { shared, failures } = demo(seed, NOON);
    const failed = failures(shared[0] as SimZone);
    assert.ok(failed.length > 10, `${failed.length} in a day`);
    for (const [n, { from }] of failed.entries()) {
      const last = failed[n - 1]?.to ?? Number.NEGATIVE_INFINITY;
      assert.ok(from - last > 65 * MINUTE, `seed ${seed}: ${(from - last) / MINUTE} minutes`);
    }
  }
});

test('at the start both zones show 5xx and stale answers that their healthy time before has not', () => {
  for (const seed of SEEDS) {
    const epoch = STARTS[seed % STARTS.length] as number;
    const { zones, shared } = demo(seed, epoch);
    const traffic = createTraffic({ schedule: incidentSchedule(seed, epoch, zones) });
    for (const zone of shared) {
      const shares = (from: number, to: number) => {
        const rows = truthRows(traffic, zone, from, to).map(({ entry }) => entry);
        const of = (isIt: (row: (typeof rows)[number]) => boolean) => rows.filter(isIt).length / rows.length;
        return {
          rows: rows.length,
          errors: of((row) => Number(row['statusCode']) >= 500),
          stale: of((row) => row['cacheStatus'] === 'STALE' || row['cacheStatus'] === 'UPDATING'),
        };
      };
      const [now, before] = [
        shares(epoch - 4 * MINUTE, epoch),
        shares(epoch - 30 * MINUTE, epoch - 25 * MINUTE),
      ];
      const said = `seed ${seed}, ${zone.name}: ${JSON.stringify({ now, before })}`;
      assert.ok(now.rows > 250 && now.errors > 0.06 && now.errors < 0.42, said);
      assert.ok(before.errors < 0.01 && before.errors < now.errors / 10, said);
      assert.ok(now.stale > 0.02 && now.stale > 3 * before.stale, said);
    }
  }
});

test('the pull zones of the API tell which two share an origin, and no third does', async (t) => {
  const sim = await bench(t, { seed: 3 });
  const { text } = await main(sim, '/pullzone?page=1&perPage=1000');
  const items = (JSON.parse(text) as { Items: { Name: string; OriginUrl: string | null }[] }).Items;
  const named = new Map<string, string[]>();
  for (const { Name, OriginUrl } of items) {
    if (OriginUrl !== null) named.set(OriginUrl, [...(named.get(OriginUrl) ?? []), Name]);
  }
  assert.deepEqual(
    [...named.values()].filter((names) => names.length > 1),
    [['checkout', 'mobile-api']],
  );
  const truths = sim.incidents(NOON).filter((i) => i.from > NOON - 10 * MINUTE && i.to > NOON);
  const failing = truths.filter((i) => i.kind === 'originFailure').map((i) => i.pullZoneId);
  for (const name of ['checkout', 'mobile-api']) assert.ok(failing.includes(String(sim.zone(name).id)), name);
});
