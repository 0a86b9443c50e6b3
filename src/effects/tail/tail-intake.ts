import type { LogRecord } from '../../domain/log.ts';
import {
  bufferOf,
  type CodedRows,
  createCodedReader,
  ID_BYTES,
  pickedRows,
} from '../../domain/logs/columns/coded-rows.ts';
import { type ArrivedPart, isBatch, type LogRows } from '../../domain/logs/log-rows.ts';
import type { TimeRange } from '../../domain/tail/coverage.ts';
import { bucketOf, occurrenceKey, rowKey, SeenKeys, seenKey } from '../../domain/tail/coverage-keys.ts';

type Counts = { seen: number; unique: number; late: number; duplicates: number; bad: number };

/**
 * `known`: rows of the counted range that had come before; `times`: of the rows within the slice; `occurrences`: how
 * often each key came in this answer.
 */
type TakenRows = { known: number; times: number[]; fresh: NewRow[]; occurrences: Map<number, number> };

/** A row of an answer: a record, or the `row`-th of a batch. */
type AnsweredRow = { of: LogRecord | CodedRows; row: number; time: number };

type NewRow = AnsweredRow & { key: number; n: number; late: boolean };

/** Where rows of an answer may lie: below `lowest` and in forgotten time nothing can be told from a duplicate. */
type TakeOptions = {
  slice: TimeRange;
  /** Rows from here on were not asked for: a server may include the end of a window. */
  end: number;
  /** Where rows that had come before are counted. */
  counted: TimeRange;
  lowest: number;
  isFinal: (range: TimeRange) => boolean;
  /** Whether an earlier answer covered this moment: a row that turns up there is late, a row in unread time is not. */
  wasRead: (time: number) => boolean;
  /** When the request was sent, server's time. */
  sentAt: number;
  /** Later times are not credible as "newest": the clock of that edge is ahead. */
  ceiling: number;
};

/** Broken rows remembered, so that none is shown again at each re-read; beyond this the oldest may be. */
const BROKEN_MOST = 200_000;

/** Tells new rows from known ones, orders them, and marks those later than rows of this stream usually are. */
export class Intake {
  readonly counts: Counts = { seen: 0, unique: 0, late: 0, duplicates: 0, bad: 0 };
  /** Time of the newest credible row, null before the first. */
  newest: number | null = null;
  readonly #keys = new SeenKeys();
  readonly #broken = new Set<number>();
  readonly #delay = new OrdinaryDelay();
  #forgottenBefore = Number.NEGATIVE_INFINITY;
  #waiting: ArrivedPart[] = [];

  /** Keys of dated rows held, for the bound on memory. */
  get held(): number {
    return this.#keys.size;
  }

  /** Within how many ms nine in ten recent rows came, up to a factor of √2. */
  get ordinary(): number {
    return this.#delay.bound;
  }

  seenIn(range: TimeRange): number {
    return this.#keys.count(range);
  }

  /** The new rows since the last call, in order of arrival; those of one answer by (time, key, n). */
  drain(): ArrivedPart[] {
    const rows = this.#waiting;
    this.#waiting = [];
    return rows;
  }

  take(rows: LogRows, o: TakeOptions): TakenRows {
    const taken: TakenRows = { known: 0, times: [], fresh: [], occurrences: new Map() };
    for (const each of rows) {
      if (isBatch(each)) this.#takeBatch(each, o, taken);
      else if (each.raw !== null) this.#takeBroken(each, taken);
      else if (this.#isWanted(each.timestamp, o, taken))
        this.#takeDated({ of: each, row: 0, time: each.timestamp }, rowKey(each), o, taken);
    }
    this.#pass(taken, o);
    return taken;
  }

  /**
   * Forgets the keys that no later answer can be asked about. `keepFrom`: final time from here on is read once more.
   */
  prune(isFinal: (range: TimeRange) => boolean, keepFrom: number): void {
    this.#forgottenBefore = Math.max(this.#forgottenBefore, keepFrom);
    this.#keys.prune((range) => isFinal(range) && range.to <= this.#forgottenBefore);
  }

  /** Keeps to the bound: forgets the oldest keys, and returns the time before which nothing may be read again. */
  evict(most: number): number | null {
    return this.#keys.size > most ? this.#keys.evict(Math.floor(most * 0.9)) : null;
  }

  #takeBatch(batch: CodedRows, o: TakeOptions, taken: TakenRows): void {
    const keyOf = batchKeys(batch);
    for (let row = 0; row < batch.count; row++) {
      const time = batch.times[row] as number;
      if (this.#isWanted(time, o, taken)) this.#takeDated({ of: batch, row, time }, keyOf(row), o, taken);
    }
  }

  /** Counts a dated row that was asked for; false where nobody can tell any more whether it came before. */
  #isWanted(time: number, o: TakeOptions, taken: TakenRows): boolean {
    if (time >= o.end) return false;
    this.counts.seen += 1;
    if (time >= o.slice.from && time < o.slice.to) taken.times.push(time);
    const isOld = time < o.lowest || this.#isForgotten(time, o);
    if (isOld) this.counts.duplicates += 1;
    return !isOld;
  }

  #takeDated(row: AnsweredRow, base: number, o: TakeOptions, taken: TakenRows): void {
    const { time } = row;
    const n = next(taken.occurrences, base);
    const key = occurrenceKey(base, n);
    const isKnown = this.#keys.has(time, key);
    if (isKnown && time >= o.counted.from && time < o.counted.to) taken.known += 1;
    if (!isKnown) this.#keys.add(time, key);
    if (!isKnown) taken.fresh.push({ ...row, key: base, n, late: false });
    else this.counts.duplicates += 1;
  }

  /**
   * A broken row may lack a time and stand where its neighbours in the answer put it, so its text alone identifies
   * it, and no final read depends on it.
   */
  #takeBroken(record: LogRecord, taken: TakenRows): void {
    this.counts.seen += 1;
    const base = rowKey({ ...record, timestamp: 0, requestId: null });
    const n = next(taken.occurrences, base);
    const key = occurrenceKey(base, n);
    const isKnown = this.#broken.has(key);
    this.#broken.add(key);
    if (this.#broken.size > BROKEN_MOST) this.#broken.delete(this.#broken.values().next().value ?? key);
    if (!isKnown) taken.fresh.push({ of: record, row: 0, time: record.timestamp, key: base, n, late: false });
    else this.counts.duplicates += 1;
  }

  #isForgotten(time: number, o: TakeOptions): boolean {
    if (time >= this.#forgottenBefore) return false;
    const bucket = bucketOf(time);
    return bucket.to <= this.#forgottenBefore && o.isFinal(bucket);
  }

  #pass(taken: TakenRows, { ceiling, wasRead, sentAt }: TakeOptions): void {
    taken.fresh.sort((a, b) => a.time - b.time || a.key - b.key || a.n - b.n);
    const head = this.newest;
    const bound = Math.max(LEAST, this.#delay.bound);
    for (const row of taken.fresh) {
      const { of, time } = row;
      const isBehind = wasRead(time);
      const delay = isBehind ? sentAt - time : 0;
      row.late = isBehind && delay > bound;
      if (head !== null) this.#delay.add(delay);
      this.counts.unique += 1;
      if (row.late) this.counts.late += 1;
      if (!isBatch(of) && of.raw !== null) this.counts.bad += 1;
      if (time <= ceiling && time > (this.newest ?? Number.NEGATIVE_INFINITY)) this.newest = time;
    }
    for (const arrival of arrivalsIn(taken.fresh)) this.#waiting.push(arrival);
  }
}

/** The keys of the rows of a batch, by row. */
function batchKeys(batch: CodedRows): (row: number) => number {
  const ids = bufferOf(batch.ids).toString('hex');
  const recordOf = createCodedReader(batch);
  const digits = 2 * ID_BYTES;
  return (row) =>
    batch.hasId[row] === 1
      ? seenKey(ids, batch.times[row] as number, row * digits, (row + 1) * digits)
      : rowKey(recordOf(row));
}

/** Rows in this order, those of one batch that follow one another together. */
function* arrivalsIn(rows: readonly NewRow[]): Generator<ArrivedPart> {
  for (let from = 0, to = 0; from < rows.length; from = to) {
    const { of, late } = rows[from] as NewRow;
    to = from + 1;
    if (!isBatch(of)) {
      yield { record: of, late };
      continue;
    }
    while (rows[to]?.of === of) to++;
    const run = rows.slice(from, to);
    const isWhole = run.length === of.count && run.every(({ row }, at) => row === at);
    yield {
      coded: isWhole
        ? of
        : pickedRows(
            of,
            run.map(({ row }) => row),
          ),
      late: run.some((each) => each.late) ? Uint8Array.from(run, (each) => Number(each.late)) : null,
    };
  }
}

function next(counts: Map<number, number>, key: number): number {
  const n = counts.get(key) ?? 0;
  counts.set(key, n + 1);
  return n;
}

/** A row within this is never called late, ms: polls and edges of a healthy stream differ by as much. */
const LEAST = 5_000;

/** The share of recent rows that came in ordinary time. */
const ORDINARY = 0.9;

/** Rows that the measure remembers; beyond this half of its weight is dropped. */
const REMEMBERED = 2_000;

/**
 * How late rows of this stream ordinarily are, by how late they came behind answers that covered their time. A row
 * within it needs no sign: streams of many edges are never quite in order.
 */
class OrdinaryDelay {
  /** Rows by delay in steps of √2: ms doubled, in halves. */
  readonly #rows = new Float64Array(96);
  #sum = 0;

  /** `delay`: ms from the row's time to the request; 0 for a row in time that was unread. */
  add(delay: number): void {
    const at = delay <= 0 ? 0 : Math.min(this.#rows.length - 1, Math.floor(2 * Math.log2(delay)) + 1);
    this.#rows[at] = (this.#rows[at] ?? 0) + 1;
    this.#sum++;
    if (this.#sum <= REMEMBERED) return;
    this.#rows.forEach((count, index) => {
      this.#rows[index] = count / 2;
    });
    this.#sum /= 2;
  }

  /** Nine in ten came sooner, up to a factor of √2, ms. */
  get bound(): number {
    let below = 0;
    const at = this.#rows.findIndex((count) => {
      below += count;
      return below >= this.#sum * ORDINARY;
    });
    return 2 ** (Math.max(0, at) / 2);
  }
}
