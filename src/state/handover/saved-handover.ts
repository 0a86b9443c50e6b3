import type { CommandSource } from '../../domain/handover/place.ts';
import type { Query } from '../../domain/query/query.ts';
import type { TimeRange } from '../../domain/tail/coverage.ts';
import { count } from '../../text/units.ts';
import type { SavedSource } from '../logs/log-source.ts';
import type { LogSession } from '../model.ts';

/** Said where something would have to be asked of the platform. */
export const NOT_CONNECTED = 'saved logs: this asks the platform, and no account is connected';

/** The command that opens these files again, or why there is none. */
export function savedCrumb({ names }: SavedSource, query: Query): CommandSource | string {
  if (names.includes('standard input'))
    return 'standard input is gone once it was read: no command opens it again';
  return { screen: 'open', files: names, query };
}

/** The times of what is in the window, its end excluded. */
export function savedTimes({ report, range }: SavedSource, now: number): TimeRange {
  const span = report.span ?? { from: now, to: now };
  const from = Math.max(span.from, range?.from ?? span.from);
  return { from, to: Math.max(from, Math.min(span.to, (range?.to ?? Number.POSITIVE_INFINITY) - 1)) + 1 };
}

/** What saved logs do not hold, each part a sentence. */
export function savedMissing({ report }: SavedSource): string[] {
  const { status, troubles } = report;
  return [
    ...(status === 'reading' ? ['the files were still being read'] : []),
    ...(status === 'stopped' ? ['the files were not read to their end'] : []),
    ...troubles.filter((trouble) => trouble.isLoss).map(({ file, what }) => `${file} ${what}`),
  ];
}

/** How complete the view of saved logs is, each part a sentence. Times are UTC. */
export function savedCoverage({ book }: LogSession, source: SavedSource): string[] {
  const { span, bad } = source.report;
  const iso = (time: number) => new Date(time).toISOString();
  return [
    span === null ? 'no row was read' : `saved rows from ${iso(span.from)} to ${iso(span.to)}`,
    ...savedMissing(source),
    ...(bad > 0 ? [`${count(bad)} rows were not understood`] : []),
    ...(book.hidden > 0 ? [`hidden here ${count(book.hidden)} of ${count(book.size)} rows read`] : []),
  ];
}
