import type { Query } from '../../query/query.ts';
import { withZoneIds } from '../../query/zone-terms.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import type { PullZone } from '../../zone.ts';
import { besideRows, CausesBeside } from '../evidence/causes-beside.ts';
import { inTurns, spread } from '../inquiry/asking-order.ts';
import type { Besides, Inquiry, LogNeed } from '../inquiry/inquiry.ts';
import type { AccountPlan } from './account-plan.ts';
import { accountTable } from './account-table.ts';
import { isOfOrigin } from './anomaly-windows.ts';
import { mattersOf, type ZoneAnomaly, zoneAnomalies } from './zone-anomalies.ts';
import { ZoneSamples } from './zone-samples.ts';

/** Rows of a sample: a tenth of the requests stands out in them, and those of many zones are read at once. */
const ROWS = 200;

type Question = Besides & {
  plan: AccountPlan;
  query: Query;
  range: TimeRange;
};

/**
 * Which zone, since when: what stood out in the logs of several zones, by samples of each. They are asked for in an order in
 * which any number of first ones lies evenly over the zones and the time.
 */
export function accountInquiry(o: Question): Inquiry {
  const query = { ...o.query, terms: withZoneIds(o.query.terms, o.plan.zones) };
  const { step } = o.plan;
  const zones = o.plan.zones.map((zone) => new ZoneSamples({ ...o, zone, query, step, rows: ROWS }));
  const byId = new Map(zones.map((samples) => [samples.zone.id, samples]));
  const causes = o.withCauses ? new CausesBeside(o.plan.zones, o.range) : null;
  const turns = (needsOf: (samples: ZoneSamples) => readonly LogNeed[]) =>
    inTurns(zones.map((samples) => spread(needsOf(samples))));
  const needs = turns((samples) => samples.needs);
  const ofStore = zones.filter(({ counted }) => counted !== null).length;
  const rows: Inquiry = {
    needs,
    ...(ofStore > 0
      ? { follow: { most: needs.length + ofStore, next: () => turns((samples) => samples.follow()) } }
      : {}),
    counts: (record) => byId.get(record.pullZoneId ?? '')?.matches(record) ?? false,
    add(need, met) {
      if (need.kind === 'logs') byId.get(need.zoneId)?.add(need, met);
    },
    table: () => accountTable(zones, o, causes),
    rest: () => turns((samples) => samples.rest()),
  };
  return besideRows(rows, causes, () => zonesFailing(zones.flatMap(zoneAnomalies)));
}

/** Those whose origin fails by their samples, the worst first. */
function zonesFailing(anomalies: readonly ZoneAnomaly[]): PullZone[] {
  const failing = mattersOf(anomalies)
    .flatMap((matter) => matter.anomalies)
    .filter(({ anomaly }) => isOfOrigin(anomaly));
  return [...new Set(failing.map(({ zone }) => zone))];
}
