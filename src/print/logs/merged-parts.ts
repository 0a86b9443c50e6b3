import type { Failure } from '../../domain/failure.ts';
import type { LogRecord } from '../../domain/log.ts';
import { firstWhere } from '../../domain/sorted.ts';
import type { Gap, TimeRange } from '../../domain/tail/coverage.ts';
import type { WindowPart } from '../../effects/read-window.ts';
import type { Clock } from '../../time/clock.ts';

/** The next part of all zones: rows in order of time, what of that time is missing, and the zones that end here. */
export type PrintedPart = {
  range: TimeRange;
  records: readonly LogRecord[];
  gaps: readonly Gap[];
  failures: readonly ZoneFailure[];
};

/** `zone`: its name, where several are read. */
export type ZoneFailure = { zone: string | null; failure: Failure };

/** A zone, named in its gaps and failures where several are read. */
export type NamedZone = { id: string; name: string };

export type ZoneParts = { zone: NamedZone | null; parts: AsyncIterable<WindowPart> };

/** How long parts wait for a zone whose next part is not there, ms. */
export type Patience = { clock: Clock; ms: number };

/** `at`: the first record not passed on. */
type Head = { part: WindowPart; at: number };

type Stream = {
  zone: NamedZone | null;
  parts: AsyncIterator<WindowPart>;
  head: Head | null;
  coming: Promise<void> | null;
  isOver: boolean;
  /** It is not waited for any longer: what it brings of printed time follows as it comes. */
  isBehind: boolean;
};

/** The part of a single zone or file, as printed. */
export function partAlone({ range, records, gap, failure }: WindowPart): PrintedPart {
  const gaps = gap === null ? [] : [gap];
  return { range, records, gaps, failures: failure === null ? [] : [{ zone: null, failure }] };
}

/**
 * The parts of several zones as one log in order of time; all are read side by side, and what each has read ahead is
 * held. A zone that fails ends with its gap, and the others go on. Without patience every zone is waited for.
 */
export async function* mergedParts(
  zones: readonly ZoneParts[],
  patience: Patience | null = null,
): AsyncGenerator<PrintedPart> {
  const streams = zones.map(({ zone, parts }): Stream => {
    const iterator = parts[Symbol.asyncIterator]();
    return { zone, parts: iterator, head: null, coming: null, isOver: false, isBehind: false };
  });
  let printedTo = Number.NEGATIVE_INFINITY;
  try {
    for (;;) {
      for (const stream of streams) advance(stream);
      await someHead(streams);
      if (streams.every(({ head }) => head === null)) return;
      if (!streams.some(({ head, isBehind }) => head !== null && isBehind)) await allHeads(streams, patience);
      for (const stream of streams) stream.isBehind &&= !stream.head || reachOf(stream.head) <= printedTo;
      printedTo = Math.max(printedTo, frontierOf(streams));
      yield partUpTo(printedTo, streams);
    }
  } finally {
    // Not awaited: one of them may still wait for an answer.
    for (const { parts } of streams) void parts.return?.();
  }
}

function advance(stream: Stream): void {
  if (stream.isOver || stream.head !== null || stream.coming !== null) return;
  stream.coming = stream.parts.next().then(({ value, done }) => {
    stream.coming = null;
    if (done === true) stream.isOver = true;
    else stream.head = { part: value, at: 0 };
  });
}

/** Until a part is there, or all have ended. */
async function someHead(streams: readonly Stream[]): Promise<void> {
  while (streams.every(({ head }) => head === null)) {
    const coming = streams.flatMap((stream) => stream.coming ?? []);
    if (coming.length === 0) return;
    await Promise.race(coming);
  }
}

/** Until the next part of every zone is there; those slower than the patience are behind from then on. */
async function allHeads(streams: readonly Stream[], patience: Patience | null): Promise<void> {
  const late = streams.filter(({ coming, isBehind }) => coming !== null && !isBehind);
  if (late.length === 0) return;
  const all = Promise.all(late.map(({ coming }) => coming));
  if (patience === null) {
    await all;
    return;
  }
  const nap = new AbortController();
  await Promise.race([all, patience.clock.sleep(patience.ms, nap.signal)]);
  nap.abort();
  for (const stream of late) stream.isBehind = stream.coming !== null;
}

/** The time up to which no zone that is waited for can bring anything. */
function frontierOf(streams: readonly Stream[]): number {
  const inStep = streams.filter(({ isOver, isBehind }) => !isOver && !isBehind);
  const reaches = inStep.map(({ head }) => (head === null ? Number.NEGATIVE_INFINITY : reachOf(head)));
  return reaches.length === 0 ? Number.NEGATIVE_INFINITY : Math.min(...reaches);
}

/** A failure stands in its place in time, before what the other zones have behind it. */
function reachOf({ part }: Head): number {
  return part.failure === null ? part.range.to : part.range.from;
}

function partUpTo(to: number, streams: readonly Stream[]): PrintedPart {
  const lists: (readonly LogRecord[])[] = [];
  const gaps: Gap[] = [];
  const failures: ZoneFailure[] = [];
  let from = to;
  for (const stream of streams) {
    const { head, zone } = stream;
    if (head === null) continue;
    const { range, records, gap, failure } = head.part;
    const isWhole = reachOf(head) <= to;
    const end = isWhole ? records.length : endBefore(records, head.at, to);
    if (end > head.at) lists.push(records.length === end - head.at ? records : records.slice(head.at, end));
    head.at = end;
    from = Math.min(from, range.from);
    if (!isWhole) continue;
    stream.head = null;
    if (gap !== null) gaps.push(ofZone(gap, zone));
    if (failure !== null) failures.push({ zone: zone?.name ?? null, failure });
  }
  return { range: { from, to }, records: inOrder(lists), gaps, failures };
}

/** A gap with its zone, where several are read. */
export function ofZone(gap: Gap, zone: NamedZone | null): Gap {
  return zone === null ? gap : { ...gap, zone: zone.id };
}

/** Equal times stand in the order of the zones. */
function inOrder(lists: readonly (readonly LogRecord[])[]): readonly LogRecord[] {
  const [only = [], ...others] = lists;
  return others.length === 0 ? only : lists.flat().sort((a, b) => a.timestamp - b.timestamp);
}

function endBefore(records: readonly LogRecord[], from: number, time: number): number {
  return firstWhere(from, records.length, (at) => (records[at]?.timestamp ?? 0) >= time);
}
