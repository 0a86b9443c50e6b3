import type { Query } from '../../query/query.ts';
import { withZoneIds } from '../../query/zone-terms.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import type { PullZone } from '../../zone.ts';
import { besideRows, CausesBeside } from '../evidence/causes-beside.ts';
import { inTurns, spread } from '../inquiry/asking-order.ts';
import type { Besides, Inquiry, LogNeed } from '../inquiry/inquiry.ts';
import { incidentsTable } from './incidents-table.ts';
import { mattersOf } from './matters.ts';
import type { SamplePlan } from './sample-plan.ts';
import { ZoneSamples } from './zone-samples.ts';

type Question = Besides & { plan: SamplePlan; query: Query; range: TimeRange };

/**
 * What stood out in a long window, in which of some zones, since when: by samples of each, the newest of one zone first; those of several
 * in an order in which any number of first ones lies evenly over the zones and the time.
 */
export function incidentsInquiry(o: Question): Inquiry {
  const { plan, range } = o;
  const query = { ...o.query, terms: withZoneIds(o.query.terms, plan.zones) };
  const zones = plan.zones.map((zone) => new ZoneSamples(zone, { query, range, plan }));
  const byId = new Map(zones.map((samples) => [samples.zone.id, samples]));
  const causes = o.withCauses ? new CausesBeside(plan.zones, range) : null;
  const turns = (needsOf: (samples: ZoneSamples) => readonly LogNeed[]) =>
    inTurns(zones.map((each) => (zones.length > 1 ? spread(needsOf(each)) : needsOf(each).toReversed())));
  const rows: Inquiry = {
    needs: turns(({ needs }) => needs),
    counts: (record) => byId.get(record.pullZoneId ?? '')?.matches(record) ?? false,
    add(need, met) {
      if (need.kind === 'logs') byId.get(need.zoneId)?.add(need, met);
    },
    table: () => incidentsTable(zones, o, causes),
    rest: () => turns((samples) => samples.rest()),
  };
  const inquiry = besideRows(rows, causes, () => zonesFailing(zones));
  return {
    ...inquiry,
    add(need, met) {
      inquiry.add(need, met);
      if (need.kind === 'originErrors') byId.get(need.zoneId)?.hear(causes?.errors(need.zoneId) ?? []);
    },
  };
}

/** Those whose origin fails by their samples, the worst first. */
function zonesFailing(zones: readonly ZoneSamples[]): PullZone[] {
  const failing = mattersOf(
    zones.flatMap(({ zone, judged }) => judged.causes.map((each) => ({ ...each, zone }))),
  )
    .flatMap((matter) => matter.causes)
    .filter(({ deviation }) => deviation?.harm === 'trouble');
  return [...new Set(failing.map(({ zone }) => zone))];
}
