import { type Row, rowJson, type ShieldAction } from './rows.ts';
import type { Traffic } from './traffic.ts';
import type { SimZone } from './zones.ts';

/** A row as it will be read some day, for independent recounts. */
export type TruthRow = {
  /** The logs v2 entry. */
  entry: Record<string, unknown> & { timestamp: string; requestId: string };
  /** Unix ms of the event, and from when on reads show it. */
  at: number;
  visibleAt: number;
  /** What Shield made of it, if it looked at it. It knows the network of clients for which the log has none. */
  shield: { ruleId: string; action: ShieldAction; asn: string } | null;
};

/** All rows of `[from, to)` in order of time, whether they show yet or not; without origin-shield rows. */
export function truthRows(traffic: Traffic, zone: SimZone, from: number, to: number): TruthRow[] {
  const truths: TruthRow[] = [];
  const block = traffic.blockSeconds(zone) * 1000;
  for (let number = Math.floor(from / block); number * block < to; number++) {
    for (const row of traffic.block(zone, number)) {
      if (row.t < from || row.t >= to || row.isOriginShield) continue;
      const shield =
        row.rule === null || row.action === null
          ? null
          : { ruleId: row.rule.ruleId, action: row.action, asn: String(row.client.asn) };
      truths.push(truthOf(row, zone, shield));
    }
  }
  return truths;
}

/** The entry is written out when it is looked at: a recount of Shield looks at few of the rows. */
function truthOf(row: Row, zone: SimZone, shield: TruthRow['shield']): TruthRow {
  let entry: TruthRow['entry'] | null = null;
  return {
    get entry() {
      entry ??= JSON.parse(rowJson(row, zone)) as TruthRow['entry'];
      return entry;
    },
    at: row.t,
    visibleAt: row.t + row.late,
    shield,
  };
}
