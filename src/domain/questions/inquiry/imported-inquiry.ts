import { joined } from '../../../text/joined.ts';
import { duration } from '../../../text/units.ts';
import { isLacking, shared, type TimeRange, without } from '../../tail/coverage.ts';
import type { AnswerTable } from './answer-table.ts';
import { type Inquiry, type Met, type Need, partOf } from './inquiry.ts';

/** A question whose answer says how much of its time was imported into a store from files, which may not have all rows. */
export function sayingImported(inquiry: Inquiry): Inquiry {
  const imported = new Map<string, TimeRange[]>();
  return {
    ...inquiry,
    add(need, met) {
      if (need.kind === 'logs') {
        const times = imported.get(need.zoneId) ?? [];
        const fresh = importedOf(need, met).flatMap((range) => times.reduce(without, [range]));
        imported.set(need.zoneId, [...times, ...fresh]);
      }
      inquiry.add(need, met);
    },
    table() {
      const table = inquiry.table();
      const time = [...imported.values()].flat().reduce((sum, { from, to }) => sum + to - from, 0);
      if (time === 0) return table;
      return unsure(table, [`${duration(time)} of it came from files, which may not have all rows`]);
    },
  };
}

/** An answer of which something is missing: a "nothing" is no good news in it. */
export function unsure(table: AnswerTable, missing: readonly string[]): AnswerTable {
  const verdict = table.verdict === 'calm' ? 'unknown' : table.verdict;
  return { ...table, verdict, coverage: joined([table.coverage, ...missing]) };
}

function importedOf(need: Need & { kind: 'logs' }, met: Met): TimeRange[] {
  if (met.kind === 'counts') return (met.imported ?? []).flatMap((range) => shared(need.range, [range]));
  if (met.kind !== 'logs') return [];
  const { covered } = partOf(need.range, met);
  const known = met.stored?.gaps.filter((gap) => !isLacking(gap)) ?? met.imported ?? [];
  return known.flatMap((range) => shared(range, covered));
}
