import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogNeed, Met, Need, ShieldNeed } from '../../../src/domain/inquiry/inquiry.ts';
import type { LogRecord } from '../../../src/domain/log.ts';
import type { Json, ShieldEvent, ShieldGroup } from '../../../src/domain/shield/shield.ts';
import { accountZones, type SimZone } from '../../../src/simulator/account/account-zones.ts';
import { DIMENSIONS, eventId, eventLog } from '../../../src/simulator/shield/events.ts';
import { answeredGroups } from '../../../src/simulator/shield/search.ts';
import { incidentSchedule } from '../../../src/simulator/traffic/incidents.ts';
import { requestId, type SimRow } from '../../../src/simulator/traffic/rows.ts';
import { createTraffic } from '../../../src/simulator/traffic/traffic-source.ts';
import { type IncidentTruth, incidentTruths, secondOf } from '../../support/simulator/truth.ts';
import { zoneOf } from '../../support/state.ts';
import { row as recordOf } from '../log-rows.ts';
import { HOUR, NOON } from '../scene.ts';
import { asking } from './ask-scene.ts';

const SEEDS = [1, 2];
const RATE = 10;
/** The demo has run for hours: its events are those of five misfires and of all that came between, more than are read. */
const SPAN = { from: NOON + HOUR / 3, to: NOON + 5.3 * HOUR };
/** A server may give fewer rows than are asked for. Those of the first piece are of the beginning of a flood, which is let through. */
const ROWS = 700;
const ATTACKS: readonly string[] = ['layer7Attack', 'scanner', 'credentialStuffing'];

/** Of a seed's zone only what the question asks for is made: events without their rows, and rows up to those of an answer. */
function demoOf(seed: number) {
  const zones = accountZones(seed, RATE);
  const zone = zones[0] as SimZone;
  const schedule = incidentSchedule(seed, NOON, zones);
  const traffic = createTraffic({ schedule });
  const events: SimRow[] = [];
  for (let hour = Math.floor(SPAN.from / HOUR); hour < SPAN.to / HOUR; hour++) {
    for (const row of traffic.events(zone, hour)) if (row.t >= SPAN.from && row.t < SPAN.to) events.push(row);
  }
  events.reverse();
  const planted = incidentTruths(schedule, SPAN.to).filter(
    ({ pullZoneId, from, to }) => pullZoneId === String(zone.id) && from < SPAN.to && to > SPAN.from,
  );
  return {
    zone,
    events,
    planted,
    answer: (need: Need) => (need.kind === 'logs' ? logsOf(need) : shieldOf(need as ShieldNeed)),
  };

  function logsOf({ range }: LogNeed): Met {
    const records: LogRecord[] = [];
    for (let second = Math.floor(range.from / 1000); second * 1000 < range.to; second++) {
      for (const row of secondOf(traffic, zone, second)) {
        if (row.isOriginShield || row.status < 200 || row.status > 299) continue;
        if (row.t < range.from || row.t >= range.to) continue;
        if (records.length === ROWS) return { kind: 'logs', records, hasMore: true };
        records.push(
          recordOf({
            timestamp: row.t,
            remoteIp: row.client.loggedIp,
            requestId: requestId(row, zone),
            statusCode: row.status,
          }),
        );
      }
    }
    return { kind: 'logs', records, hasMore: false };
  }

  function shieldOf({ ask }: ShieldNeed): Met {
    const wanted = new Set(ask.filters.flatMap(({ value }) => value));
    const rows = wanted.size === 0 ? events : events.filter(({ rule }) => wanted.has(rule?.ruleId ?? ''));
    const groups = ask.groupBy.length > 0 ? answeredGroups(rows, zone, ask.groupBy) : null;
    const part = <T>(all: readonly T[]) => all.slice(ask.page * ask.pageSize, (ask.page + 1) * ask.pageSize);
    const total = groups?.length ?? rows.length;
    return {
      kind: 'shield',
      answer: {
        kind: groups ? 'groups' : 'rows',
        events: groups ? [] : part(rows).map((row) => eventOf(row, zone)),
        groups: part(groups ?? []).map(
          ({ key, count, firstSeen, lastSeen }): ShieldGroup => ({
            key,
            count,
            firstSeen,
            lastSeen,
            context: {
              country: null,
              asn: null,
              blocked: null,
              challenged: null,
              logged: null,
              features: [],
              ruleIds: [],
            },
            raw: null,
          }),
        ),
        total,
        totalPages: Math.ceil(total / ask.pageSize),
        page: ask.page,
        bad: 0,
      },
    };
  }
}

function eventOf(row: SimRow, zone: SimZone): ShieldEvent {
  return {
    logId: eventId(row, zone),
    timestamp: row.t,
    fields: Object.fromEntries(Object.entries(DIMENSIONS).map(([name, get]) => [name, get(row, zone)])),
    log: eventLog(row, zone) as { [key: string]: Json },
    raw: null,
  };
}

const rulesOf = (planted: readonly IncidentTruth[], kinds: readonly string[]) =>
  new Set(planted.filter(({ kind }) => kinds.includes(kind)).flatMap(({ cause }) => cause['ruleId'] ?? []));

test('the rule that misfires comes first at every seed, and floods are not many clients', () => {
  for (const seed of SEEDS) {
    const { zone, events, planted, answer } = demoOf(seed);
    const zones = [zoneOf(String(zone.id), zone.name, { anonymisation: zone.anonymity })] as const;
    const inquiry = asking('false-positives', { zones, shieldZoneId: '1', range: SPAN });
    for (const need of inquiry.needs) inquiry.add(need, answer(need));
    const named = inquiry.follow?.next() ?? [];
    for (const need of named) inquiry.add(need, answer(need));
    assert.ok(inquiry.needs.length + named.length <= (inquiry.follow?.most ?? 0));
    assert.ok(events.length > 10_000, 'more than are read');
    const { headline, sections } = inquiry.table();
    const rules = sections[0]?.rows.map(({ cells }) => cells) ?? [];
    const place = (ruleId: string) => rules.findIndex(([name]) => name === ruleId);
    const [misfire] = rulesOf(planted, ['wafMisfire']);
    assert.deepEqual([place(misfire ?? ''), rules[0]?.[7]], [0, 'misfire'], `seed ${seed}`);
    assert.match(headline, new RegExp(`^of [\\d.]+% of its events read: rule ${misfire}: `));
    const attacks = rulesOf(planted, ATTACKS);
    assert.equal(attacks.size, 4);
    for (const ruleId of attacks) assert.ok(place(ruleId) > 0, `seed ${seed}: ${ruleId}`);
    // Each rule's number is that of the whole window, and of each a part was read.
    const all = Map.groupBy(events, ({ rule }) => rule?.ruleId ?? '');
    assert.deepEqual(
      new Map(rules.map(([name = '', told]) => [name, told?.replaceAll(',', '')])),
      new Map(rules.map(([name = '']) => [name, String(all.get(name)?.length)])),
    );
    assert.ok(rules.every(([, , read]) => Number.parseFloat(read ?? '') > 0));
    // A flood that was let through at first has clean addresses, and all of them are one sender.
    const flood = rules[place('DD-7')] ?? [];
    assert.ok(Number.parseFloat(flood[6]?.replace('<', '') ?? '') < 2, `seed ${seed}: ${flood.join(' ')}`);
  }
});
