import { duration, joined } from '../../text/units.ts';
import { type SavedReport, savedMissing } from '../logs/saved-report.ts';
import { isLacking, shared, type TimeRange, without } from '../tail/coverage.ts';
import { type PullZone, unlistedZone } from '../zone.ts';
import type { AnswerTable } from './answer-table.ts';
import { type Inquiry, type Met, type Need, partOf } from './inquiry.ts';

/** Saved logs stand for a zone of which nothing is known, and which nobody can ask about. */
export const SAVED_ZONE: PullZone = unlistedZone({ id: '', name: 'saved logs' });

/** The times of which saved logs hold every row that there is. `keptFrom`: rows before it were let go; null = none was. */
export function savedRanges(
  { span, gaps, status }: Pick<SavedReport, 'span' | 'gaps' | 'status'>,
  keptFrom: number | null,
): TimeRange[] {
  if (span === null) return [];
  // Files that were read hold all there is of any time; of others what they hold between their rows is known.
  const isRead = status === 'read' || status === 'following';
  const all = isRead
    ? { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }
    : { from: span.from, to: span.to + 1 };
  const ranges = gaps.reduce((left, gap) => without(left, gap), [all]);
  return keptFrom === null ? ranges : without(ranges, { from: Number.NEGATIVE_INFINITY, to: keptFrom });
}

/** A question of saved logs: what memory does not answer nobody can be asked, and what was not read of the files is said. */
export function ofSaved(inquiry: Inquiry, report: SavedReport): Inquiry {
  const missing = savedMissing(report);
  return {
    ...inquiry,
    lacks: () => missing.length > 0 || inquiry.rest().length > 0,
    rest: () => [],
    table() {
      const table = inquiry.table();
      if (missing.length === 0) return table;
      return unsure({ ...table, headline: `of what was read of the files: ${table.headline}` }, missing);
    },
  };
}

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
function unsure(table: AnswerTable, missing: readonly string[]): AnswerTable {
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
