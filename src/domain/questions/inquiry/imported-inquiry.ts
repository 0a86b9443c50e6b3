import { duration } from '../../../text/units.ts';
import { isLacking, shared, type TimeRange, without } from '../../tail/coverage.ts';
import { type Inquiry, type Met, type Need, partOf } from './inquiry.ts';

/** A question whose answer says how much of its time came from imported files: these may lack rows, and nobody knows. */
export function sayingImported(inquiry: Inquiry): Inquiry {
  const known = new Map<string, TimeRange[]>();
  return {
    ...inquiry,
    add(need, met) {
      if (need.kind === 'logs') {
        const times = known.get(need.zoneId) ?? [];
        const fresh = importedOf(need, met).flatMap((range) => times.reduce(without, [range]));
        known.set(need.zoneId, [...times, ...fresh]);
      }
      inquiry.add(need, met);
    },
    table() {
      const table = inquiry.table();
      const time = [...known.values()].flat().reduce((sum, { from, to }) => sum + to - from, 0);
      if (time === 0) return table;
      return {
        ...table,
        tone: table.tone === 'good' ? 'plain' : table.tone,
        coverage: `${table.coverage}; ${duration(time)} of it came from files, which may not have all rows`,
      };
    },
  };
}

function importedOf(need: Need & { kind: 'logs' }, met: Met): TimeRange[] {
  if (met.kind === 'counts') return (met.imported ?? []).flatMap((range) => shared(need.range, [range]));
  if (met.kind !== 'logs' || met.stored === undefined) return [];
  const { covered } = partOf(need.range, met);
  return met.stored.gaps.filter((gap) => !isLacking(gap)).flatMap((gap) => shared(gap, covered));
}
