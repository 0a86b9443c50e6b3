import type { HeldLog } from '../../domain/questions/held-log.ts';
import type { Inquiry } from '../../domain/questions/inquiry.ts';
import { type TimeRange, without } from '../../domain/tail/coverage.ts';
import type { PullZone } from '../../domain/zone.ts';
import { savedMissing } from '../handover/saved-handover.ts';
import type { SavedSource } from '../logs/log-source.ts';
import { sessions } from '../logs/session.ts';
import type { LogSession, State } from '../model.ts';

/** Saved logs stand for a zone of which nothing is known, and which nobody can ask about. */
export const SAVED_ZONE: PullZone = {
  id: '',
  name: 'saved logs',
  hostnames: [],
  enabled: true,
  suspended: false,
  logging: true,
  // Of saved rows nobody knows how their addresses were cut: they say it themselves.
  anonymisation: 'none',
  originUrl: null,
  storageZoneId: null,
  monthlyBandwidth: 0,
  shieldZoneId: undefined,
};

/** The logs in memory that hold rows of a zone. */
export function heldLogs(state: State, { id }: PullZone): HeldLog[] {
  return sessions(state)
    .filter(({ source }) => (source.kind === 'files' ? SAVED_ZONE.id : source.zone.id) === id)
    .map((session) => ({
      filter: session.filter,
      ranges: () => heldRanges(session),
      rows: (range, most) => session.book.between(range, most),
    }));
}

/** A question of saved logs: what memory does not answer nobody can be asked, and what was not read of the files is said. */
export function ofSaved(inquiry: Inquiry, source: SavedSource): Inquiry {
  const missing = savedMissing(source);
  return {
    ...inquiry,
    rest: () => [],
    table() {
      const table = inquiry.table();
      if (missing.length === 0) return table;
      return {
        ...table,
        headline: `of what was read of the files: ${table.headline}`,
        tone: table.tone === 'good' ? 'plain' : table.tone,
        coverage: [table.coverage, ...missing].join('; '),
      };
    },
  };
}

/** The times of which every row is held that the log was asked for, oldest first. */
export function heldRanges({ source, book, report, replacing }: LogSession): TimeRange[] {
  // Rows of the question before are there until the first answer to the new one.
  if (replacing) return [];
  const ranges = source.kind === 'files' ? savedRanges(source) : (report?.read ?? []);
  const { keptFrom } = book;
  return keptFrom === null ? [...ranges] : without(ranges, { from: Number.NEGATIVE_INFINITY, to: keptFrom });
}

/** Files that were read hold all there is of any time; of others what they hold between their rows is known. */
function savedRanges({ report }: SavedSource): TimeRange[] {
  const { span, gaps, status } = report;
  if (span === null) return [];
  const isRead = status === 'read' || status === 'following';
  const all = isRead
    ? { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }
    : { from: span.from, to: span.to + 1 };
  return gaps.reduce((left, gap) => without(left, gap), [all]);
}
