import { firstOfItsKind, type LogRecord } from '../../domain/log.ts';
import type { LogPart } from '../../domain/storage/log-parts.ts';
import type { TimeRange } from '../../domain/tail/coverage.ts';
import type { IndexedPart, PartReader } from './part-pieces.ts';

/** All rows of a time, each once, in order of time. `doubles`: how many came twice. */
export type Slice = { range: TimeRange; records: LogRecord[]; doubles: number };

/** Rows that are read beyond those that share a piece with the first. */
const SLICE_ROWS = 30_000;

/**
 * The rows from a moment on, in an order of time, as far as the parts that may hold that moment, and those that are at hand, have all
 * of them. The newest first is the oldest first of a time that runs backwards: t is then -t - 1.
 */
export async function sliceOf(o: {
  parts: readonly LogPart[];
  window: TimeRange;
  order: 'asc' | 'desc';
  /** Where the slice begins: its first moment, or the end of its last. */
  edge: number;
  isAtHand: (part: LogPart) => boolean;
  fetched: (parts: readonly LogPart[]) => Promise<IndexedPart[]>;
  reader: PartReader;
  signal: AbortSignal;
}): Promise<Slice> {
  const isBack = o.order === 'desc';
  const turned = ({ from, to }: TimeRange) => (isBack ? { from: -to, to: -from } : { from, to });
  const parts = o.parts.map((part) => ({ part, ...turned(part.span) }));
  const end = turned(o.window).to;
  const start = isBack ? -o.edge : o.edge;
  const nextAfter = (time: number) =>
    parts.reduce((next, { from }) => (from > time && from < next ? from : next), end);
  const openAt = (time: number) => parts.filter(({ from, to }) => from <= time && to > time);
  const first = openAt(start).length > 0 ? start : nextAfter(start);
  const needed = first < end ? openAt(first) : [];
  await o.fetched(needed.map(({ part }) => part));
  let to = nextAfter(first);
  for (; to < end; to = nextAfter(to)) {
    const joining = parts.filter(({ from }) => from === to);
    if (!joining.every(({ part }) => o.isAtHand(part))) break;
    needed.push(...joining);
  }
  const indexed = await o.fetched(needed.map(({ part }) => part));
  const pieces = indexed
    .flatMap((part) =>
      part.pieces.map((piece) => ({ part, piece, ...turned({ from: piece.min, to: piece.max + 1 }) })),
    )
    .filter((each) => each.piece.rows > 0 && each.from < to && each.to > start)
    .sort((a, b) => a.from - b.from);
  const taken: typeof pieces = [];
  let rows = 0;
  for (const each of pieces) {
    if (each.from > start && rows >= SLICE_ROWS) {
      to = each.from;
      break;
    }
    if (each.from > start) rows += each.piece.rows;
    taken.push(each);
  }
  const range = turned({ from: start, to });
  const all: LogRecord[] = [];
  for (const part of new Set(taken.map((each) => each.part))) {
    const of = taken.filter((each) => each.part === part).map(({ piece }) => piece);
    all.push(...(await o.reader.rowsOf(part, of, range, o.signal)));
  }
  const records = all.sort((a, b) => a.timestamp - b.timestamp).filter(firstOfItsKind());
  return { range, records, doubles: all.length - records.length };
}
