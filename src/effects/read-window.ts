import type { LogSlice, LogSliceRequest } from '../api/client.ts';
import type { Gap, TimeRange } from '../domain/coverage.ts';
import type { Failure, Result } from '../domain/failure.ts';
import type { LogRecord } from '../domain/log.ts';
import type { ServerLogFilter } from '../domain/match.ts';

/** A part of a closed window, in time order: rows of a complete answer, or what could not be read. */
export type WindowPart =
  | { kind: 'rows'; records: readonly LogRecord[] }
  | { kind: 'gap'; gap: Gap; failure: Failure | null };

const LARGEST_PAGE = 10_000;

/**
 * Reads a closed window, oldest first. A slice that holds more than one answer is cut in halves: paging by offset over
 * a log that still grows loses rows. After a failure the rest of the window is one gap, and the reading ends.
 */
export async function* readWindow(o: {
  pullZoneId: string;
  range: TimeRange;
  filter: ServerLogFilter;
  fetch: (request: LogSliceRequest) => Promise<Result<LogSlice>>;
}): AsyncGenerator<WindowPart> {
  const open: TimeRange[] = [o.range];
  for (let slice = open.pop(); slice; slice = open.pop()) {
    const answer = await o.fetch({
      pullZoneId: o.pullZoneId,
      ...slice,
      order: 'asc',
      limit: LARGEST_PAGE,
      filter: o.filter,
    });
    if (!answer.ok) {
      const gap = gapOf({ from: slice.from, to: o.range.to }, 'failed');
      yield { kind: 'gap', gap, failure: answer.failure };
      return;
    }
    const { records, hasMore } = answer.value;
    if (hasMore && slice.to - slice.from > 1) {
      const middle = Math.floor((slice.from + slice.to) / 2);
      open.push({ from: middle, to: slice.to }, { from: slice.from, to: middle });
      continue;
    }
    if (records.length > 0) yield { kind: 'rows', records };
    if (hasMore) yield { kind: 'gap', gap: gapOf(slice, 'overflow'), failure: null };
  }
}

function gapOf(range: TimeRange, reason: Gap['reason']): Gap {
  return { ...range, id: `${reason} ${range.from}`, reason, rows: null };
}
