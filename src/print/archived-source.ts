import { firstWhere } from '../domain/sorted.ts';
import type { Gap, TimeRange } from '../domain/tail/coverage.ts';
import type { PartSource } from './log-question.ts';
import type { PrintedPart } from './merged-parts.ts';

/** The part of a window that stored files answer. */
export type ArchivedPart = {
  /** Its rows in order of time, in pieces that end between two instants. */
  source: (range: TimeRange) => PartSource;
  /** What is not known to be whole of it, of each zone. */
  gaps: readonly Gap[];
  /** Says what was read; the exit code. */
  conclude: () => Promise<number>;
};

/** The stored files of a window before what the logging API has of it. */
export function joinedSource(
  stored: ArchivedPart,
  range: TimeRange,
  split: number,
  rest: (range: TimeRange) => PartSource,
): PartSource {
  return async function* parts(most) {
    let left = most;
    if (range.from < split) {
      const part = { from: range.from, to: Math.min(split, range.to) };
      for await (const each of withGaps(stored.source(part)(most), stored.gaps, part)) {
        if (left !== null) left = Math.max(0, left - each.records.length);
        yield each;
      }
    }
    if (range.to > split) yield* rest({ from: Math.max(range.from, split), to: range.to })(left);
  };
}

/** The parts, cut where a gap ends, so that it stands behind the rows of its time; what ended before was told before. */
async function* withGaps(
  parts: AsyncIterable<PrintedPart>,
  all: readonly Gap[],
  range: TimeRange,
): AsyncGenerator<PrintedPart> {
  const gaps = all.filter(({ to }) => to > range.from).sort((a, b) => a.to - b.to);
  let next = 0;
  let from = range.from;
  for await (const part of parts) {
    let at = 0;
    while (next < gaps.length && (gaps[next] as Gap).to <= part.range.to) {
      const { to } = gaps[next] as Gap;
      const here = gaps.slice(next).filter((gap) => gap.to === to);
      const end = firstWhere(at, part.records.length, (n) => (part.records[n]?.timestamp ?? 0) >= to);
      yield { range: { from, to }, records: part.records.slice(at, end), gaps: here, failures: [] };
      [at, from, next] = [end, to, next + here.length];
    }
    yield { ...part, range: { from, to: part.range.to }, records: part.records.slice(at) };
    from = part.range.to;
  }
  if (next < gaps.length)
    yield { range: { from, to: range.to }, records: [], gaps: gaps.slice(next), failures: [] };
}
