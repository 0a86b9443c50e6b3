import type { LogSlice, LogSliceRequest } from '../api/client.ts';
import { FAILURES, type Failure, type FailureKind, failureOf, type Result } from '../domain/failure.ts';
import type { LogRecord } from '../domain/log.ts';
import { goneOf } from '../domain/log-retention.ts';
import { recordsOf } from '../domain/logs/log-rows.ts';
import type { ServerLogFilter } from '../domain/query/push-down.ts';
import { firstWhere } from '../domain/sorted.ts';
import type { Gap, TimeRange } from '../domain/tail/coverage.ts';
import { shrunkSpan, splitOf, TAIL_TUNING } from '../domain/tail/tail-pace.ts';
import { reasonOf } from './tail/tail-health.ts';

/** A part of a closed window, in time order: its rows, perhaps none, and the gap behind them, if any. */
export type WindowPart = {
  range: TimeRange;
  records: readonly LogRecord[];
  gap: Gap | null;
  /** Why the reading ends here; null while it goes on. */
  failure: Failure | null;
};

type WindowOptions = {
  pullZoneId: string;
  range: TimeRange;
  filter: ServerLogFilter;
  fetch: (request: LogSliceRequest, call: { signal: AbortSignal }) => Promise<Result<LogSlice>>;
  /** Slices asked for or held at once: their answers are what is in memory. Default 1. */
  atOnce?: number;
  /** Rows asked for in one request, at most. Default: as many as an answer may have. */
  page?: number;
  /** This many rows are enough: the reading ends with the answer that has them. Default: all. */
  most?: number | null;
  /**
   * The time, Unix ms: what is too old when its turn comes is a gap, and the reading goes on behind it. Default:
   * nothing grows too old.
   */
  now?: () => number;
  /** A store is asked for what is too old for the platform: only its failure makes a gap. */
  isStored?: boolean;
  onAnswer?: (slice: TimeRange, answer: LogSlice) => void;
  /** Called once with the reason why a store has nothing; the reading goes on behind its time. */
  onStoreFailure?: (failure: Failure) => void;
};

type Item = {
  range: TimeRange;
  state: 'waiting' | 'asked' | 'done';
  records: readonly LogRecord[];
  /** Why it is a gap, whatever rows came: `overflow` = more rows than the server sends of the smallest slice. */
  missing: 'overflow' | 'retention' | 'failed' | 'strays' | null;
  /** The parts that its source may lack rows of, in order of time. */
  gaps: readonly Gap[];
  stopper: AbortController;
};

/** Consecutive answers that promise rows and bring none, before the server is no longer believed. */
const EMPTY_MOST = 20;

/**
 * Reads a closed window, oldest first, several slices at once. A slice that holds more than one answer is cut: paging by
 * offset over a log that still grows loses rows. After a failure the rest of the window is one gap, and the reading ends.
 */
export async function* readWindow(o: WindowOptions): AsyncGenerator<WindowPart> {
  const atOnce = o.atOnce ?? 1;
  const most = o.most ?? null;
  const limit = Math.min(o.page ?? LARGEST_PAGE, most ?? LARGEST_PAGE);
  const plan = new WindowPlan(limit);
  const items: Item[] = o.range.to > o.range.from ? [waiting(o.range)] : [];
  let failure: Failure | null = null;
  let storeFailure: Failure | null = null;
  let isProbing = true;
  let emptyAnswers = 0;
  let changed = Promise.withResolvers<void>();

  function start(): void {
    while (failure === null) {
      const busy = items.filter((item) => item.state !== 'waiting').length;
      // Until the first answer shows how dense the log is, one request is enough.
      if (busy >= (isProbing ? 1 : atOnce)) return;
      const item = items.find((each) => each.state === 'waiting');
      if (item === undefined) return;
      if (dropGone(item)) continue;
      cut(item, plan.endOf(item.range));
      item.state = 'asked';
      void asked(item);
    }
  }

  /** Splits off what lies behind `at`, to ask for it later. */
  function cut(item: Item, at: number): void {
    const { from, to } = item.range;
    if (at >= to) return;
    item.range = { from, to: at };
    items.splice(items.indexOf(item) + 1, 0, waiting({ from: at, to }));
  }

  /** Turns what is too old to ask for into a gap; true when that is all of it. */
  function dropGone(item: Item): boolean {
    const isLost = o.isStored !== true || storeFailure !== null;
    const gone = o.now && isLost ? goneOf(item.range, o.now(), 'logs') : null;
    if (gone !== null) lost(item, gone);
    return item.state === 'done';
  }

  function lost(item: Item, gone: TimeRange): void {
    const missing = storeFailure === null ? 'retention' : 'failed';
    const tooOld: Item = { ...waiting(gone), state: 'done', missing };
    const { to } = item.range;
    if (gone.to === to) Object.assign(item, tooOld);
    else {
      items.splice(items.indexOf(item), 0, tooOld);
      item.range = { from: gone.to, to };
    }
  }

  async function asked(item: Item): Promise<void> {
    const answer = await o.fetch(
      { pullZoneId: o.pullZoneId, ...item.range, order: 'asc', limit, filter: o.filter },
      { signal: item.stopper.signal },
    );
    if (answer.ok) settle(item, answer.value);
    else refuse(item, answer.failure);
    start();
    changed.resolve();
    changed = Promise.withResolvers();
  }

  function settle(item: Item, answer: LogSlice): void {
    isProbing = false;
    const { rows, hasMore, part, stored } = answer;
    const records = recordsOf(rows);
    o.onAnswer?.(item.range, answer);
    if (part !== undefined) cut(item, part.to);
    if (stored?.failure !== undefined) storeFailed(stored.failure);
    item.gaps = stored?.gaps ?? [];
    if (answer.gone !== undefined) lost(item, answer.gone);
    emptyAnswers = hasMore && records.length === 0 ? emptyAnswers + 1 : 0;
    if (emptyAnswers > EMPTY_MOST) {
      const detail = 'it promises more rows and gives none';
      refuse(item, failureOf('noData', { detail }));
    } else if (!hasMore) {
      plan.read(item.range, records.length);
      done(item, records, answer.strays ? 'strays' : null);
    } else if (isEnough(records)) done(item, records, answer.strays ? 'strays' : null);
    else if (stored !== undefined && (records.at(-1)?.timestamp ?? 0) > item.range.from) {
      // A store's rows are in order, and a later page brings the rest of this instant.
      cut(item, records.at(-1)?.timestamp ?? 0);
      plan.read(item.range, records.length);
      done(item, records, null);
    } else {
      const times = records.flatMap((record) => (record.raw === null ? [record.timestamp] : []));
      const split = plan.cut(item.range, times);
      if (split === null) done(item, records, 'overflow');
      else askAgain(item, split);
    }
  }

  function isEnough(records: readonly LogRecord[]): boolean {
    return most !== null && records.length >= most && isAscending(records);
  }

  function storeFailed(why: Failure): void {
    if (storeFailure === null) o.onStoreFailure?.(why);
    storeFailure ??= why;
  }

  function refuse(item: Item, why: Failure): void {
    // The failure of one source says nothing about the other's time.
    const isOfStore = FAILURES[why.kind].traits.blames === 'store';
    if (isOfStore) storeFailed(why);
    // A try that came too late says nothing about times that are still kept.
    if (failure === null && (isOfStore || FAILURES[why.kind].traits.window === 'old')) {
      const { range } = item;
      if (dropGone(item)) return;
      if (item.range !== range) {
        item.state = 'waiting';
        return;
      }
      if (isOfStore) {
        done(item, [], 'failed');
        return;
      }
    }
    const narrowed = failure === null ? plan.narrowed(item.range, why.kind) : null;
    if (narrowed !== null) askAgain(item, narrowed);
    item.state = 'waiting';
    if (narrowed !== null || failure !== null) return;
    failure = why;
    // What comes after a gap is not printed, and so not waited for.
    for (const later of items.slice(items.indexOf(item) + 1)) later.stopper.abort();
  }

  function done(item: Item, records: readonly LogRecord[], missing: Item['missing']): void {
    item.state = 'done';
    item.records = inOrder(within(item.range, records));
    item.missing = missing;
  }

  function askAgain(item: Item, split: number): void {
    cut(item, split);
    item.state = 'waiting';
  }

  try {
    for (;;) {
      start();
      const head = items[0];
      if (head === undefined) return;
      if (head.state === 'done') {
        items.shift();
        const { records } = head;
        yield* partsOf(head, isEnough(records));
        if (isEnough(records)) return;
      } else if (failure !== null && head.state === 'waiting') {
        const range = { from: head.range.from, to: o.range.to };
        yield { range, records: [], gap: gapOf(range, reasonOf(failure)), failure };
        return;
      } else await changed.promise;
    }
  } finally {
    for (const item of items) item.stopper.abort();
  }
}

function waiting(range: TimeRange): Item {
  return { range, state: 'waiting', records: [], missing: null, gaps: [], stopper: new AbortController() };
}

/**
 * An item cut where a gap of its source ends, so that the gap stands behind the rows of its time. `isCut`: its end
 * was not read.
 */
function* partsOf({ range, records, missing, gaps }: Item, isCut: boolean): Generator<WindowPart> {
  const readTo = isCut ? (records.at(-1)?.timestamp ?? range.from) : range.to;
  let [from, at] = [range.from, 0];
  for (const gap of gaps) {
    const [since, to] = [Math.max(from, gap.from), Math.min(gap.to, readTo)];
    if (since >= to) continue;
    const end = firstWhere(at, records.length, (n) => (records[n]?.timestamp ?? 0) >= to);
    yield {
      range: { from, to },
      records: records.slice(at, end),
      gap: { ...gap, from: since, to },
      failure: null,
    };
    [from, at] = [to, end];
  }
  const rest = { from, to: range.to };
  const gap = missing === null || from === range.to ? null : gapOf(rest, missing);
  // Nothing is left of an item that ends with a gap.
  if (gap !== null || at < records.length || from < range.to || from === range.from)
    yield { range: rest, records: at === 0 ? records : records.slice(at), gap, failure: null };
}

/** A server may put a row at the end of a slice into that slice and the next. */
function within({ from, to }: TimeRange, records: readonly LogRecord[]): readonly LogRecord[] {
  const isInside = ({ raw, timestamp }: LogRecord) => raw !== null || (timestamp >= from && timestamp < to);
  return records.every(isInside) ? records : records.filter(isInside);
}

/** In order of time, whatever order the server sent. */
function inOrder(records: readonly LogRecord[]): readonly LogRecord[] {
  return isAscending(records) ? records : records.toSorted((a, b) => a.timestamp - b.timestamp);
}

function isAscending(records: readonly LogRecord[]): boolean {
  return records.every((record, at) => record.timestamp >= (records[at - 1]?.timestamp ?? 0));
}

function gapOf(range: TimeRange, reason: Gap['reason']): Gap {
  return { ...range, id: `${reason} ${range.from}`, reason, rows: null };
}

/** The most rows in one answer, by the documentation. */
export const LARGEST_PAGE = 10_000;

/** The share of an answer that a slice should fill: the rest is room for a rising density. */
const FILL = 0.7;
/** The first slice shows how dense the log is; wide windows are slow or time out (field report). */
const FIRST_SPAN = 3_600_000;
const SPAN_MOST = 12 * FIRST_SPAN;
const GROWTH = 8;

/** Cuts unread time into slices that each fit into one answer, by the density read so far. */
class WindowPlan {
  #span = FIRST_SPAN;
  #widest = SPAN_MOST;
  /** The most rows seen in one answer. */
  #page: number;
  readonly #limit: number;
  #newest = Number.NEGATIVE_INFINITY;

  constructor(limit: number) {
    this.#page = limit;
    this.#limit = limit;
  }

  /** The end of the slice that begins this range; a short rest joins it. */
  endOf({ from, to }: TimeRange): number {
    return to - from <= this.#span * 1.25 ? to : from + this.#span;
  }

  /** Learns from a complete answer. */
  read(slice: TimeRange, rows: number): void {
    this.#page = Math.min(this.#limit, Math.max(rows, Math.ceil(this.#page * 1.25)));
    this.#learn(slice, rows, slice.to - slice.from);
  }

  /** Where to cut a slice with more rows than came; null when it cannot be cut. */
  cut(slice: TimeRange, times: readonly number[]): number | null {
    if (times.length > 0) this.#page = Math.min(this.#page, times.length);
    const split = splitOf(slice, times);
    if (split !== null && times.length > 0) this.#learn(slice, times.length, split - slice.from);
    return split;
  }

  /** Where to cut a slice whose answer was too slow or too large; null when that does not help. */
  narrowed(slice: TimeRange, kind: FailureKind): number | null {
    const length = slice.to - slice.from;
    const shorter = shrunkSpan(length, kind, TAIL_TUNING);
    if (shorter === length) return null;
    this.#widest = shorter;
    this.#span = Math.min(this.#span, shorter);
    return slice.from + shorter;
  }

  #learn(slice: TimeRange, rows: number, ms: number): void {
    // Answers come in any order, and the present density is that of the newest time.
    if (slice.from < this.#newest) return;
    this.#newest = slice.from;
    const fitting = rows === 0 ? Number.POSITIVE_INFINITY : (this.#page * FILL * ms) / rows;
    const grown = Math.max(1, slice.to - slice.from) * GROWTH;
    this.#span = Math.max(1, Math.floor(Math.min(fitting, grown, this.#widest)));
  }
}
