import { logRecordOf } from '../../../src/api/schemas/log-row.ts';
import { failureOf } from '../../../src/domain/failure.ts';
import type { AnswerTable } from '../../../src/domain/inquiry/answer-table.ts';
import type { Inquiry, Met, Need } from '../../../src/domain/inquiry/inquiry.ts';
import type { LogRecord } from '../../../src/domain/log.ts';
import type { ShieldGroup } from '../../../src/domain/shield/shield.ts';
import type { TimeRange } from '../../../src/domain/tail/coverage.ts';
import { accountZones, type SimZone } from '../../../src/simulator/account/account-zones.ts';
import { answeredGroups } from '../../../src/simulator/shield/search.ts';
import { incidentSchedule } from '../../../src/simulator/traffic/incidents.ts';
import type { SimRow } from '../../../src/simulator/traffic/rows.ts';
import { createTraffic } from '../../../src/simulator/traffic/traffic-source.ts';
import { entryOf, type IncidentTruth, incidentTruths, secondOf } from '../../support/simulator/truth.ts';
import { zoneOf } from '../../support/state.ts';
import { HOUR, MINUTE, NOON } from '../scene.ts';
import { asking } from './ask-scene.ts';

/** The account of a seed as it stands at noon; rows of a zone are made up to those that an answer holds. */
export function accountOf(seed: number, rate = 10) {
  const zones = accountZones(seed, rate);
  const schedule = incidentSchedule(seed, NOON, zones);
  const traffic = createTraffic({ schedule });
  const truths = incidentTruths(schedule, NOON);

  function answer(zone: SimZone, need: Need): Met {
    if (need.kind === 'logs') return { kind: 'logs', ...rowsOf(zone, need.range, need.rows ?? 10_000) };
    if (need.kind !== 'shield') return { kind: 'failed', failure: failureOf('notFound', {}) };
    const { from, to, groupBy } = need.ask;
    const events: SimRow[] = [];
    for (let hour = Math.floor(from / HOUR); hour * HOUR < to; hour++)
      for (const row of traffic.events(zone, hour)) if (row.t >= from && row.t < to) events.push(row);
    const groups = answeredGroups(events, zone, groupBy).map(
      ({ key, count, firstSeen, lastSeen }): ShieldGroup => ({
        ...{ key, count, firstSeen, lastSeen, raw: null },
        context: {
          ...{ country: null, asn: null, blocked: null, challenged: null, logged: null },
          ...{ features: [], ruleIds: [] },
        },
      }),
    );
    const page = groups.slice(0, need.ask.pageSize);
    const found = { kind: 'groups', events: [], groups: page, total: groups.length } as const;
    return { kind: 'shield', answer: { ...found, events: [], groups: page, totalPages: 1, page: 0, bad: 0 } };
  }

  function rowsOf(zone: SimZone, { from, to }: TimeRange, most: number) {
    const records: LogRecord[] = [];
    for (let second = Math.floor(from / 1000); second * 1000 < to; second++) {
      for (const row of secondOf(traffic, zone, second)) {
        if (row.isOriginShield || row.t < from || row.t >= to) continue;
        if (records.length === most) return { records, hasMore: true };
        records.push(logRecordOf(entryOf(row, zone), row.t));
      }
    }
    return { records, hasMore: false };
  }

  return {
    zones,
    truths,
    zoneOf: (truth: IncidentTruth) => zones.find(({ id }) => String(id) === truth.pullZoneId) as SimZone,
    ask(zone: SimZone, range: TimeRange) {
      const about = zoneOf(String(zone.id), zone.name, { anonymisation: zone.anonymity });
      const shieldZoneId = zone.shieldZoneId === null ? null : String(zone.shieldZoneId);
      const inquiry = asking('wrong', {
        zones: [about],
        shieldZoneId,
        // It is asked for and refused: the logs alone have to tell.
        withCauses: true,
        range,
        edge: NOON - 72 * HOUR + MINUTE,
      });
      return { table: inquiry.table.bind(inquiry), requests: asked(inquiry, (need) => answer(zone, need)) };
    },
    /** The other incidents of the same zone and window. */
    besides: (truth: IncidentTruth, { from, to }: TimeRange) =>
      truths.filter((other) => {
        const isOfZone = other !== truth && other.pullZoneId === truth.pullZoneId;
        return isOfZone && other.from < to && other.to > from;
      }),
    /** Hours of zones with traffic in which nothing is planted, and an hour before them nothing was. */
    calm(wanted: number): { zone: SimZone; range: TimeRange }[] {
      const found: { zone: SimZone; range: TimeRange }[] = [];
      for (let at = 0; found.length < wanted; at++) {
        const zone = zones[at % zones.length] as SimZone;
        const to = NOON - (2 + ((at * 7 + seed) % 65)) * HOUR;
        const range = { from: to - HOUR, to };
        const isCalm = truths.every(
          ({ pullZoneId, from, to: end }) =>
            pullZoneId !== String(zone.id) || from >= range.to || end <= range.from - MINUTE,
        );
        // Of some requests an hour nobody can tell what is usual.
        if (isCalm && zone.enabled && !zone.suspended && zone.rate * 3600 >= 100) found.push({ zone, range });
      }
      return found;
    },
  };
}

/** Answers all rounds; how many requests they were. */
export function asked(inquiry: Inquiry, answer: (need: Need) => Met): number {
  let requests = 0;
  for (let needs = inquiry.needs; needs.length > 0; needs = inquiry.follow?.next() ?? []) {
    requests += needs.length;
    for (const need of needs) inquiry.add(need, answer(need));
  }
  return requests;
}

/** The place of a planted incident among the causes, from 0; -1 = it is none of them. */
export function placeOf(table: AnswerTable, { kind, cause }: IncidentTruth): number {
  const fields = { asn: 'asn', ja4: 'ja4', ruleId: 'rule' } as const;
  const names = (Object.keys(fields) as (keyof typeof fields)[]).flatMap((name) =>
    (cause[name] ?? []).map((value) => `${fields[name]}:${value}`),
  );
  const pages = (cause['path'] ?? []).map((path) => `page:${path}`);
  return (table.sections[0]?.rows ?? []).findIndex(({ cells }) => {
    const [what = '', within = ''] = cells.slice(-2);
    if (kind === 'originFailure') return what === 'origin fails';
    const words = within.split(' ');
    return (kind === 'missStorm' ? pages : [...names, ...pages]).some((name) => words.includes(name));
  });
}

/** The incidents that a responder could be asked about: of all that is kept, as they stood at their end or at noon. */
export function planted(truths: readonly IncidentTruth[]): { truth: IncidentTruth; range: TimeRange }[] {
  return truths
    .filter(({ from }) => from > NOON - 71 * HOUR && from < NOON - 5 * MINUTE)
    .map((truth) => {
      const to = Math.min(truth.to, NOON);
      return { truth, range: { from: to - 15 * MINUTE, to } };
    });
}
