import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountZones } from '../../src/simulator/account/account-zones.ts';
import { incidentSchedule, NO_INCIDENTS } from '../../src/simulator/traffic/incidents.ts';
import { requestId, secondOfRequestId } from '../../src/simulator/traffic/rows.ts';
import { createTraffic } from '../../src/simulator/traffic/traffic-source.ts';
import { secondOf } from '../support/simulator/truth.ts';
import { bench, type Entry, NOON } from './ask.ts';

const MINUTE = 60_000;
const zones = accountZones(1, 40);
const shop = zones[0] as (typeof zones)[number];
const second = NOON / 1000;

test('a second is the same whatever was made before it, and its request ids lead back to it', () => {
  const schedule = incidentSchedule(1, NOON, zones);
  const one = createTraffic({ schedule });
  const two = createTraffic({ schedule });
  for (let s = second - 50; s < second; s++) secondOf(one, shop, s);
  assert.deepEqual(secondOf(one, shop, second), secondOf(two, shop, second));
  const ids = new Set<string>();
  for (let s = second - 300; s < second; s++) {
    for (const row of secondOf(one, shop, s)) {
      ids.add(requestId(row, shop));
      assert.equal(secondOfRequestId(requestId(row, shop), shop), s);
    }
  }
  assert.equal(
    ids.size,
    Array.from({ length: 300 }, (_, i) => secondOf(one, shop, second - 1 - i).length).reduce((a, b) => a + b),
  );
});

test('surges multiply a zone for a while', () => {
  const surges = [{ zone: shop.id, from: NOON, to: NOON + MINUTE, factor: 10 }];
  const traffic = createTraffic({ schedule: NO_INCIDENTS, isSteady: true, surges });
  assert.deepEqual(
    [-1, 0, 59, 60].map((s) => secondOf(traffic, shop, second + s).length),
    [40, 400, 400, 40],
  );
});

test('most rows show within two seconds, about one in two hundred late, none after four minutes', () => {
  const traffic = createTraffic({ schedule: NO_INCIDENTS });
  const delays = Array.from({ length: 1000 }, (_, i) => secondOf(traffic, shop, second + i))
    .flat()
    .map((row) => row.late);
  const share = delays.filter((ms) => ms > 2_000).length / delays.length;
  assert.ok(share > 0.003 && share < 0.009, String(share));
  assert.ok(Math.max(...delays) <= 240_000 && Math.max(...delays) > 60_000);
});

test('the busiest zone has an incident in any 15 minutes from the start on, and each kind is planted in the past', async (t) => {
  const sim = await bench(t);
  const busiest = String(sim.zone('shop-frontend').id);
  for (let m = 0; m < 300; m += 3) {
    const now = NOON + m * MINUTE;
    assert.ok(
      sim.incidents(now).some((i) => i.pullZoneId === busiest && i.to > now - 15 * MINUTE && i.from <= now),
      String(m),
    );
  }
  const kinds = new Set(sim.incidents().map((incident) => incident.kind));
  assert.equal(kinds.size, 6);
  assert.ok(sim.incidents().some((incident) => incident.from < NOON - 60 * 60 * MINUTE));
});

test('the told cause of each incident stands out from the quarter of an hour before it', async (t) => {
  const sim = await bench(t);
  const field: Record<string, (row: Entry) => string> = {
    asn: (row) => String(row['asn']),
    ja4: (row) => String(row['ja4Fingerprint']),
    path: (row) => row.path.split('?')[0] as string,
    cache: (row) => String(row['cacheStatus']),
    status: (row) => String(row.statusCode),
    country: (row) => String(row['countryCode']),
  };
  const latest = new Map(
    sim
      .incidents()
      .filter((i) => i.to <= NOON)
      .map((i) => [i.kind, i]),
  );
  assert.equal(latest.size, 6);
  for (const incident of latest.values()) {
    const share = (from: number, to: number) => {
      const rows = sim.truth(incident.pullZoneId, from, to).map((row) => row.entry as Entry);
      return (
        rows.filter((row) =>
          Object.entries(incident.cause).some(
            ([name, values]) =>
              field[name] !== undefined && name !== 'status' && values.includes(field[name](row)),
          ),
        ).length / rows.length
      );
    };
    if (incident.kind === 'wafMisfire') {
      const events = sim
        .truth(incident.pullZoneId, incident.from, incident.to)
        .filter((row) => row.shield?.ruleId === '942100');
      assert.ok(events.length > 100, incident.kind);
      assert.ok(events.filter((row) => Number(row.entry['statusCode']) === 403).length > 0.9 * events.length);
      continue;
    }
    const [during, before] = [
      share(incident.from, incident.to),
      share(incident.from - 3 * 60 * MINUTE, incident.from - 2.9 * 60 * MINUTE),
    ];
    assert.ok(during > 0.02 && during > 1.5 * before, `${incident.id}: ${before} → ${during}`);
  }
});

test('scanners send a few strings that are meant to harm whoever reads them', async (t) => {
  const sim = await bench(t);
  const scan = sim.incidents().find((incident) => incident.kind === 'scanner' && incident.to <= NOON);
  const rows = sim.truth(scan?.pullZoneId ?? '', scan?.from ?? 0, scan?.to ?? 0).map((row) => row.entry);
  const hostile = rows.filter((row) => /[\u0000-\u001f\u202e]/.test(`${row['userAgent']}${row['path']}`));
  assert.ok(hostile.length > 5 && hostile.length < 0.05 * rows.length);
});
