import { FAILURES, type Failure } from '../domain/failure.ts';
import type { LogRecord } from '../domain/log.ts';
import type { LogPart, PartStore } from '../domain/storage/log-parts.ts';
import type { Gap, TimeRange } from '../domain/tail/coverage.ts';
import { TAIL_TUNING } from '../domain/tail/tail-pace.ts';
import { closeInputs } from '../effects/saved/saved-input.ts';
import { openStreams, type SavedStream } from '../effects/saved/saved-items.ts';
import { type Spool, spooled } from '../effects/saved/stored-parts.ts';
import { reasonOf } from '../effects/tail/tail-health.ts';
import { type NamedZone, ofZone, type PrintedPart } from './merged-parts.ts';

/** A part, with the zone by which its gaps are called where several are read. */
export type ZonePart = { store: PartStore; part: LogPart; zone: NamedZone | null };

/** What was read so far. `isForced`: rows were handed on although some of their time could still come. */
export type StoredTally = {
  parts: number;
  bytes: number;
  rows: number;
  doubles: number;
  late: number;
  isForced: boolean;
};

export function newTally(): StoredTally {
  return { parts: 0, bytes: 0, rows: 0, doubles: 0, late: 0, isForced: false };
}

/** Why a part was not read to its end. */
export type LostPart = { part: LogPart; zone: NamedZone | null; what: string | Failure };

/** A part that is being read: the rows that are not handed on, and up to where they came. */
type Reader = ZonePart & { stream: SavedStream; rows: LogRecord[]; last: LogRecord[]; seenTo: number };

/** Parts that are fetched ahead of the one that is read next. */
const AHEAD = 3;
/** Rows that are read before some are handed on, and that are held at most: a part may be of 5,000,000 lines. */
const ROWS_AT_ONCE = 5_000;
const MOST_HELD = 200_000;
/** Bytes that a part may unpack to: twice the size at which it is closed. */
const LARGEST_UNPACKED = 4e9;
/** The time of a line without one, before any that has one: in no window. */
const NO_TIME = 0;

/**
 * The rows of stored parts in order of time, each once: workers write side by side, and a line stands where it reached its worker.
 * Rows are held until none before them can come; where that would be too many, those that come later follow out of order, counted.
 * Throws a SpoolTrouble.
 */
export async function* storedRows(o: {
  spool: Spool;
  /** In order of the time at which they may begin. */
  parts: readonly ZonePart[];
  range: TimeRange;
  isWanted: (record: LogRecord) => boolean;
  signal: AbortSignal;
  tally: StoredTally;
  onLost: (lost: LostPart) => void;
}): AsyncGenerator<PrintedPart> {
  const { range, signal, tally } = o;
  const waiting = [...o.parts];
  const fetching: { asked: ZonePart; input: ReturnType<typeof spooled> }[] = [];
  const own = new AbortController();
  const both = AbortSignal.any([signal, own.signal]);
  let readers: Reader[] = [];
  let printedTo = range.from;
  let gaps: Gap[] = [];
  let read = 0;

  /** The time before which no part that is not open has rows. */
  const unopened = () =>
    Math.min(...[...fetching.map(({ asked }) => asked), ...waiting].map(({ part }) => part.span.from));
  const reachOf = ({ part, seenTo }: Reader) => Math.max(part.span.from, seenTo - TAIL_TUNING.lateness);

  function fetchAhead(): void {
    while (fetching.length < AHEAD && waiting.length > 0) {
      const asked = waiting.shift() as ZonePart;
      const input = spooled(o.spool, asked, both, (bytes) => {
        tally.bytes += bytes;
      });
      // It is waited for in its turn.
      input.catch(() => {});
      fetching.push({ asked, input });
    }
  }

  /** What is not read of a part from then on is a gap. */
  function lose({ part, zone }: ZonePart, from: number, what: string | Failure): void {
    const gap = {
      id: `stored ${part.folder.join('/')} ${part.name}`,
      from: Math.max(from, part.span.from, range.from),
      to: Math.min(part.span.to, range.to),
      reason: typeof what === 'string' ? 'failed' : reasonOf(what),
      rows: null,
    } as const;
    if (gap.from < gap.to) gaps.push(ofZone(gap, zone));
    o.onLost({ part, zone, what });
  }

  async function openNext(): Promise<void> {
    fetchAhead();
    const { asked, input } = fetching.shift() as (typeof fetching)[number];
    const got = await input;
    if (signal.aborted) return;
    tally.parts++;
    if (got.ok) {
      const [stream] = openStreams([got.value], NO_TIME, both, LARGEST_UNPACKED);
      if (stream) readers.push({ ...asked, stream, rows: [], last: [], seenTo: Number.NEGATIVE_INFINITY });
      return;
    }
    lose(asked, range.from, got.failure);
    if (!isOfAll(got.failure)) return;
    // What refuses one refuses all: they are not asked for one after the other.
    for (const each of [...fetching.splice(0).map((one) => one.asked), ...waiting.splice(0)])
      lose(each, range.from, got.failure);
  }

  async function readOn(reader: Reader): Promise<void> {
    const { value, done } = await reader.stream.batches.next();
    const { trouble } = reader.stream.progress;
    // The end of what is cut off may be half a line that looks like a whole one.
    if (done !== true || trouble === null) reader.rows.push(...reader.last.filter(isAsked));
    reader.last = [];
    if (done === true) {
      if (trouble !== null) lose(reader, reader.seenTo - TAIL_TUNING.lateness, trouble);
      await closeInputs([reader.stream.input]);
      readers = readers.filter((each) => each !== reader);
      ended.push(...reader.rows);
      return;
    }
    const rows = value.flatMap((item) => (item.kind === 'row' ? [item.record] : []));
    read += rows.length;
    for (const { timestamp } of rows) if (timestamp > reader.seenTo) reader.seenTo = timestamp;
    reader.last = rows.splice(-1);
    for (const row of rows) if (isAsked(row)) reader.rows.push(row);
  }

  const isAsked = (row: LogRecord) =>
    row.timestamp >= range.from && row.timestamp < range.to && o.isWanted(row);
  /** Rows of parts that are read. */
  let ended: LogRecord[] = [];

  function* handOn(to: number): Generator<PrintedPart> {
    const held = [...ended, ...readers.flatMap(({ rows }) => rows)].sort((a, b) => a.timestamp - b.timestamp);
    const isTooMuch = held.length > MOST_HELD;
    tally.isForced ||= isTooMuch;
    const frontier = isTooMuch ? Math.max(to, held[held.length >> 1]?.timestamp ?? to) : to;
    ended = held.filter(({ timestamp }) => timestamp >= frontier);
    for (const reader of readers) reader.rows = [];
    const ready = held.slice(0, held.length - ended.length);
    tally.late += ready.filter(({ timestamp }) => timestamp < printedTo).length;
    const records = ready.filter(firstOfItsKind());
    tally.doubles += ready.length - records.length;
    tally.rows += records.length;
    const next = Math.max(printedTo, Math.min(frontier, range.to));
    const told = gaps.filter((gap) => gap.to <= next);
    gaps = gaps.filter((gap) => gap.to > next);
    if (records.length > 0 || told.length > 0 || next > printedTo)
      yield { range: { from: printedTo, to: next }, records, gaps: told, failures: [] };
    printedTo = next;
  }

  try {
    for (;;) {
      fetchAhead();
      const [slowest] = readers.toSorted((a, b) => reachOf(a) - reachOf(b));
      if (slowest === undefined && fetching.length === 0) break;
      if (slowest !== undefined && reachOf(slowest) < unopened()) await readOn(slowest);
      else await openNext();
      if (signal.aborted) return;
      if (read < ROWS_AT_ONCE) continue;
      read = 0;
      yield* handOn(Math.min(unopened(), ...readers.map(reachOf)));
    }
    yield* handOn(Number.POSITIVE_INFINITY);
  } finally {
    own.abort();
    await closeInputs(readers.map(({ stream }) => stream.input));
    for (const { input } of fetching)
      void input.then(
        (got) => (got.ok ? closeInputs([got.value]) : undefined),
        () => {},
      );
  }
}

/** Whether it is not about one file: a file that has gone or is damaged says nothing of the others. */
function isOfAll({ kind }: Failure): boolean {
  const { arrived } = FAILURES[kind].call;
  return arrived !== 'maybe' && kind !== 'notFound';
}

/** Whether a row is the first of its request, in order of time: equal rows have one time. */
function firstOfItsKind(): (record: LogRecord) => boolean {
  let time = Number.NaN;
  let seen = new Set<string>();
  return ({ timestamp, requestId, statusCode, cacheStatus, pullZoneId }) => {
    if (timestamp !== time) seen = new Set();
    time = timestamp;
    if (requestId === null) return true;
    const key = `${requestId} ${pullZoneId} ${statusCode} ${cacheStatus}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  };
}
