import type { Query } from '../../query/query.ts';
import { withZoneIds } from '../../query/zone-terms.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import { inTurns, spread } from '../inquiry/asking-order.ts';
import type { Inquiry, LogNeed, Need } from '../inquiry/inquiry.ts';
import type { AccountPlan } from './account-plan.ts';
import { accountTable } from './account-table.ts';
import { ZoneSamples } from './zone-samples.ts';

/** Rows of a sample: a tenth of the requests stands out in them, and those of many zones are read at once. */
const ROWS = 200;

type Question = { plan: AccountPlan; query: Query; range: TimeRange };

/**
 * Which zone, since when: what stood out in the logs of several zones, by samples of each. They are asked for in an order in
 * which any number of first ones lies evenly over the zones and the time.
 */
export function accountInquiry(o: Question): Inquiry {
  const query = { ...o.query, terms: withZoneIds(o.query.terms, o.plan.zones) };
  const zones = o.plan.zones.map(
    (zone) => new ZoneSamples({ zone, query, range: o.range, step: o.plan.step, rows: ROWS }),
  );
  const byId = new Map(zones.map((samples) => [samples.zone.id, samples]));
  const turns = (needsOf: (samples: ZoneSamples) => readonly LogNeed[]) =>
    inTurns(zones.map((samples) => spread(needsOf(samples))));
  return {
    needs: turns(({ needs }) => needs),
    counts: (record) => byId.get(record.pullZoneId ?? '')?.matches(record) ?? false,
    add(need, met) {
      zoneOf(byId, need)?.add(need, met);
    },
    table: () => accountTable(zones, o),
    rest: () => turns((samples) => samples.rest()),
  };
}

function zoneOf(byId: ReadonlyMap<string, ZoneSamples>, need: Need): ZoneSamples | undefined {
  return need.kind === 'logs' ? byId.get(need.zoneId) : undefined;
}
