import { failureOf, type Result } from '../../domain/failure.ts';
import type { LogRecord } from '../../domain/log.ts';
import type {
  FileHistory,
  FilesRead,
  PageAsked,
  RowsAsked,
  StoredPage,
} from '../../domain/logs/log-history.ts';
import { isCauseTerm } from '../../domain/query/cause-terms.ts';
import { matcher } from '../../domain/query/match.ts';
import { daysWithoutParts, foldersTime } from '../../domain/storage/log-parts.ts';
import { type Gap, overlaps, shared, type TimeRange } from '../../domain/tail/coverage.ts';
import type { Clock } from '../../time/clock.ts';
import { createSequence } from '../../time/sequence.ts';
import { type Slice, sliceOf } from './part-slice.ts';
import { type LostPart, type PartsOnDisk, partsOnDisk, Refused } from './parts-on-disk.ts';
import { archiveOf, type Spool, SpoolTrouble, type ZoneArchive } from './stored-parts.ts';

/** `doubles`: rows that were there twice, and are there once. */
type StoredFiles = FileHistory & { doubles(): number };

/** A list is asked for again after it, ms. */
const LISTED_FOR = 600_000;
/** Time between two words about the bytes that came, ms. */
const TOLD_EVERY = 200;
/** Rows that are held, of all slices but the one in use. */
const MOST_HELD = 90_000;

/** A zone's files, when they were listed, and the window of it that is being read. */
type Listed = PartsOnDisk & Pick<ZoneArchive, 'parts'> & { range: TimeRange; at: number; window: TimeRange };

/**
 * Pages are of whole milliseconds: each is about the time that its rows come from, as `part` says, and is merged from the parts that
 * may hold that time. Parts stay unpacked on the disk, as many as may, so that none is fetched twice; of their rows few are held.
 */
export function storedFiles(o: {
  spool: Spool;
  clock: Clock;
  onRead?: (read: FilesRead) => void;
  onLost?: (lost: LostPart, words: string) => void;
}): StoredFiles {
  const { spool, clock } = o;
  let toldAt = Number.NEGATIVE_INFINITY;
  const zones = new Map<string, Listed>();
  let slices: (Slice & { zone: string })[] = [];
  let doubles = 0;
  const turns = createSequence();

  async function listed(
    zone: string,
    range: TimeRange,
    order: 'asc' | 'desc',
    signal: AbortSignal,
  ): Promise<Listed> {
    const known = zones.get(zone);
    if (known && isWithin(range, known.range) && clock.now() - known.at < LISTED_FOR) {
      // The newest first is read back to where a window begins; what else is asked may be about any part of it.
      const isNext = order === 'asc' || range.from === known.window.from;
      if (!isNext || !isWithin(range, known.window)) known.window = range;
      return known;
    }
    const wide = foldersTime(range);
    const archive = await archiveOf(spool.client, zone, wide, signal);
    if (!archive.ok) throw new Refused(archive.failure);
    const files = { ...archive.value, range: wide, at: clock.now(), window: range, lost: new Map() };
    zones.set(zone, files);
    slices = slices.filter((slice) => slice.zone !== zone);
    return files;
  }

  const disk = partsOnDisk(o, tell);
  const asked = ({ parts, window }: Listed) => parts.filter(({ span }) => overlaps(span, window));

  /** Of all zones that are read over the same window. */
  function readOf({ window: { from } }: Listed): FilesRead {
    const read: FilesRead = { parts: 0, of: 0, bytes: 0, ofBytes: 0 };
    for (const files of zones.values()) {
      if (files.window.from !== from) continue;
      for (const part of asked(files)) {
        const isRead = disk.isAtHand(files, part);
        read.of += 1;
        read.ofBytes += part.length;
        read.parts += isRead ? 1 : 0;
        read.bytes += isRead ? part.length : disk.underway(part);
      }
    }
    return read;
  }

  function tell(files: Listed, isStep: boolean): void {
    if (!isStep && clock.now() - toldAt < TOLD_EVERY) return;
    toldAt = clock.now();
    o.onRead?.(readOf(files));
  }

  async function sliceAt(
    files: Listed,
    { zone, order, range }: { zone: string; order: 'asc' | 'desc'; range: TimeRange },
    signal: AbortSignal,
  ): Promise<Slice & { isNew: boolean }> {
    const known = slices.find(
      (slice) =>
        slice.zone === zone &&
        (order === 'asc'
          ? slice.range.from <= range.from && slice.range.to > range.from
          : slice.range.from < range.to && slice.range.to >= range.to),
    );
    if (known !== undefined) return { ...known, isNew: false };
    const slice = await sliceOf({
      parts: asked(files),
      window: files.window,
      order,
      edge: order === 'asc' ? range.from : range.to,
      isAtHand: (part) => disk.isAtHand(files, part),
      fetched: (parts) => disk.fetched(files, parts, signal),
      reader: disk.reader,
      signal,
    });
    doubles += slice.doubles;
    let room = MOST_HELD;
    slices = [{ ...slice, zone }, ...slices].filter(({ records }, at) => {
      room -= records.length;
      return at === 0 || room > 0;
    });
    return { ...slice, isNew: true };
  }

  async function pageOf(
    { zones: [of], range, terms }: RowsAsked,
    { order, limit }: PageAsked,
    signal: AbortSignal,
  ): Promise<StoredPage> {
    const zone = of?.ids[0] ?? '';
    const files = await listed(zone, range, order, signal);
    tell(files, true);
    const { bytes } = readOf(files);
    const slice = await sliceAt(files, { zone, order, range }, signal);
    // The log on screen decides these itself, which alone knows what they ask.
    const decided = terms.filter(
      (term) => !isCauseTerm(term) && !(term.kind === 'field' && term.field === 'zone'),
    );
    const matches = matcher({ terms: decided, window: null, groupBy: [] }, of?.anonymisation);
    const within = { from: Math.max(range.from, slice.range.from), to: Math.min(range.to, slice.range.to) };
    const found = slice.records.filter(
      (row) => row.timestamp >= within.from && row.timestamp < within.to && matches(row),
    );
    const { records, part } = cutTo(order === 'asc' ? found : found.reverse(), within, { order, limit });
    const gaps = [
      ...daysWithoutParts(files.parts, part).map(unstored),
      ...[...files.lost.values()].map(({ gap }) => gap),
    ];
    return {
      records,
      next: null,
      here: [],
      hidden: 0,
      gaps: shared(part, gaps).map((gap) => ({ ...gap, zone })),
      read: { rows: slice.isNew ? slice.records.length : 0, bytes: readOf(files).bytes - bytes },
      files: true,
      ...(part.from > range.from || part.to < range.to ? { part } : {}),
    };
  }

  /** One piece of work after the other: they share the disk and the threads. */
  function inTurn<T>(signal: AbortSignal, work: () => Promise<T>): Promise<Result<T>> {
    return turns(async (): Promise<Result<T>> => {
      try {
        signal.throwIfAborted();
        return { ok: true, value: await work() };
      } catch (error) {
        if (signal.aborted) return { ok: false, failure: failureOf('cancelled') };
        if (error instanceof Refused) return { ok: false, failure: error.failure };
        const isOfDisk = error instanceof SpoolTrouble || (error as { code?: string }).code !== undefined;
        if (!isOfDisk) throw error;
        return { ok: false, failure: failureOf('noSpool', { detail: (error as Error).message }) };
      }
    });
  }

  return {
    engine: '',
    name: '',
    list: (zone, range, signal = NEVER) =>
      inTurn(signal, async () => readOf(await listed(zone, range, 'asc', signal))),
    page: (rows, page, signal = NEVER) => inTurn(signal, () => pageOf(rows, page, signal)),
    groups: async () => ({ ok: true, value: null }),
    values: async () => ({ ok: true, value: null }),
    steps: async () => ({ ok: true, value: null }),
    count: async () => ({ ok: true, value: { refusal: 'stored files are read, row by row', read: null } }),
    doubles: () => doubles,
    async close() {
      await disk.close();
    },
  };
}

const NEVER = new AbortController().signal;

/** The rows up to a limit, in whole milliseconds, and the time that they are all of. */
function cutTo(
  rows: readonly LogRecord[],
  range: TimeRange,
  { order, limit }: { order: 'asc' | 'desc'; limit: number },
): { records: LogRecord[]; part: TimeRange } {
  const over = rows[limit]?.timestamp;
  if (over === undefined) return { records: [...rows], part: range };
  // Where one millisecond has more than a page, it is a page.
  const isOne = rows[0]?.timestamp === over;
  const isIn = (time: number) => (isOne ? time === over : order === 'asc' ? time < over : time > over);
  const records = rows.filter(({ timestamp }) => isIn(timestamp));
  const edge = isOne === (order === 'asc') ? over + 1 : over;
  return { records, part: order === 'asc' ? { ...range, to: edge } : { ...range, from: edge } };
}

function isWithin(range: TimeRange, { from, to }: TimeRange): boolean {
  return range.from >= from && range.to <= to;
}

function unstored(range: TimeRange): Gap {
  return { ...range, id: `stored ${range.from}`, reason: 'notRead', rows: null };
}
