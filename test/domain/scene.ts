import { logRecordOf } from '../../src/api/schemas/log-row.ts';
import type { LogRecord } from '../../src/domain/log.ts';
import type { Json, ShieldEvent } from '../../src/domain/shield/shield.ts';
import type { PullZone } from '../../src/domain/zone.ts';
import { accountZones } from '../../src/simulator/account/account-zones.ts';
import { DIMENSIONS, eventId, eventLog } from '../../src/simulator/shield/events.ts';
import { type IncidentKind, incidentSchedule } from '../../src/simulator/traffic/incidents.ts';
import type { SimRow } from '../../src/simulator/traffic/rows.ts';
import { createTraffic } from '../../src/simulator/traffic/traffic-source.ts';
import { entryOf, type IncidentTruth, incidentTruths, secondOf } from '../support/simulator/truth.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** When the scene is looked at: 2026-08-20 12:00 UTC. */
export const NOON = Date.UTC(2026, 7, 20, 12);

export type Entry = {
  timestamp: string;
  statusCode: number;
  cacheStatus: string;
  bytesSent: number;
} & Record<string, unknown>;

/** A simulated zone. `rows` are the simulator's own, for recounts that use nothing of the program. */
export type Scene = {
  zone: PullZone;
  incidents: readonly IncidentTruth[];
  rows(from: number, to: number): SimRow[];
  /** The same as logs v2 tells them, by the API's names. */
  entries(from: number, to: number): Entry[];
  records(from: number, to: number): LogRecord[];
  events(from: number, to: number): ShieldEvent[];
  incident(kind: IncidentKind): IncidentTruth;
};

const scenes = new Map<string, Scene>();

/**
 * The zone of this name of an account with planted incidents; `rate`: rows per second of the busiest zone. What it tells
 * is made once for all tests of a process, so it must not be changed.
 */
export function sceneOf(name: string, rate = 10, seed = 7): Scene {
  const key = `${name} ${rate} ${seed}`;
  const known = scenes.get(key) ?? newScene(name, rate, seed);
  scenes.set(key, known);
  return known;
}

/** The same for one look: of many seeds what each tells would fill the memory of the process. */
export function newScene(name: string, rate: number, seed: number): Scene {
  const zones = accountZones(seed, rate);
  const zone = zones.find((each) => each.name === name);
  if (zone === undefined) throw new Error(`no zone ${name}`);
  const schedule = incidentSchedule(seed, NOON, zones);
  const traffic = createTraffic({ schedule });
  const incidents = incidentTruths(schedule, NOON).filter((each) => each.pullZoneId === String(zone.id));
  const rows = once((from: number, to: number): SimRow[] => {
    const found: SimRow[] = [];
    for (let second = Math.floor(from / 1000); second * 1000 < to; second++) {
      for (const row of secondOf(traffic, zone, second)) {
        if (row.t >= from && row.t < to && !row.isOriginShield) found.push(row);
      }
    }
    return found;
  });
  return {
    zone: {
      id: String(zone.id),
      name: zone.name,
      hostnames: [...zone.hostnames],
      enabled: true,
      suspended: false,
      logging: true,
      anonymisation: zone.anonymity,
      shieldZoneId: zone.shieldZoneId === null ? null : String(zone.shieldZoneId),
    },
    incidents,
    rows,
    entries: once((from, to) => rows(from, to).map((row) => entryOf(row, zone) as unknown as Entry)),
    records: once((from, to) => rows(from, to).map((row) => logRecordOf(entryOf(row, zone), row.t))),
    events: once((from, to) =>
      rows(from, to)
        .filter((row) => row.rule !== null)
        .map((row) => ({
          logId: eventId(row, zone),
          timestamp: row.t,
          fields: Object.fromEntries(
            Object.entries(DIMENSIONS).map(([dimension, get]) => [dimension, get(row, zone)]),
          ),
          log: JSON.parse(JSON.stringify(eventLog(row, zone))) as { [key: string]: Json },
          raw: null,
        })),
    ),
    incident: (kind) => {
      const found = incidents.find((each) => each.kind === kind && each.from < NOON - 2 * HOUR);
      if (found === undefined) throw new Error(`no ${kind} in ${name}`);
      return found;
    },
  };
}

/** Answers of a window are kept. */
function once<T>(of: (from: number, to: number) => T): (from: number, to: number) => T {
  const kept = new Map<string, T>();
  return (from, to) => {
    const key = `${from} ${to}`;
    const known = kept.get(key) ?? of(from, to);
    kept.set(key, known);
    return known;
  };
}
