import type { SavedReport } from '../../domain/logs/saved-report.ts';
import type { TimeRange } from '../../domain/tail/coverage.ts';
import type { Zones } from '../../domain/zone.ts';

/** Where the rows of a log come from. */
export type LogSource = { kind: 'zones'; zones: Zones } | SavedSource;

export type SavedSource = {
  kind: 'files';
  /** As they were named; `standard input` for that. */
  names: readonly string[];
  follow: boolean;
  report: SavedReport;
  /** What the window of the query stands for in what was read; null = all of it. */
  range: TimeRange | null;
  /** When that was worked out, Unix ms: `last:` moves with the newest row. */
  rangedAt: number;
};
