import { joined } from '../../../text/joined.ts';
import { duration } from '../../../text/units.ts';
import { NOT_PROMISED } from '../../logs/log-history.ts';
import { isLacking, shared, type TimeRange, without } from '../../tail/coverage.ts';
import type { AnswerTable } from './answer-table.ts';
import { type Inquiry, type Met, type Need, partOf } from './inquiry.ts';

/**
 * A question whose answer says what of it came from files, be they imported into a store or those that the platform stores: these may
 * lack rows, and nobody knows.
 */
export function sayingFiles(inquiry: Inquiry): Inquiry {
  const imported = new Map<string, TimeRange[]>();
  let isStored = false;
  return {
    ...inquiry,
    add(need, met) {
      if (need.kind === 'logs') {
        const times = imported.get(need.zoneId) ?? [];
        const fresh = importedOf(need, met).flatMap((range) => times.reduce(without, [range]));
        imported.set(need.zoneId, [...times, ...fresh]);
      }
      isStored ||= met.kind === 'logs' && (met.isOfFiles === true || met.stored?.files === true);
      inquiry.add(need, met);
    },
    table() {
      const table = inquiry.table();
      const time = [...imported.values()].flat().reduce((sum, { from, to }) => sum + to - from, 0);
      if (time === 0 && !isStored) return table;
      return unsure(table, [
        time > 0 ? `${duration(time)} of it came from files, which may not have all rows` : '',
        isStored ? `stored files: ${NOT_PROMISED}` : '',
      ]);
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
