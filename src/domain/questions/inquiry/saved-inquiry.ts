import { type SavedReport, savedMissing } from '../../logs/saved-report.ts';
import { type TimeRange, without } from '../../tail/coverage.ts';
import { type PullZone, unlistedZone } from '../../zone.ts';
import { unsure } from './imported-inquiry.ts';
import type { Inquiry } from './inquiry.ts';

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
