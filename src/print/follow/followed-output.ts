import type { LogRecord } from '../../domain/log.ts';
import { type Gap, type TimeRange, without } from '../../domain/tail/coverage.ts';
import type { LineFormat } from '../printed-lines.ts';

/** Characters that may wait for a slow reader; more are dropped and reported as a gap. */
const WAITING_MOST = 8_000_000;

/**
 * Lines for a reader that may be slow: what memory cannot hold is dropped, and a gap says so once there is room; one
 * a zone, where `zoneOf` tells them apart.
 */
export function createBoundedOutput(
  send: (text: string) => Promise<void>,
  lines: LineFormat,
  { most = WAITING_MOST, zoneOf }: { most?: number; zoneOf?: (record: LogRecord) => string } = {},
) {
  let waiting = 0;
  let last: Promise<void> = Promise.resolve();
  const dropped = new Map<string | undefined, Gap>();

  function write(text: string): void {
    if (text === '') return;
    waiting += text.length;
    last = send(text).then(() => {
      waiting -= text.length;
    });
  }
  function tellDropped(): void {
    for (const gap of dropped.values()) write(`${lines.gap(gap)}\n`);
    dropped.clear();
  }
  const textOf = (records: readonly LogRecord[]) =>
    records.map((record) => `${lines.row(record)}\n`).join('');

  return {
    add(records: readonly LogRecord[]): void {
      if (records.length === 0) return;
      if (waiting <= most) {
        tellDropped();
        write(textOf(records));
        return;
      }
      for (const record of records) {
        const { timestamp } = record;
        const zone = zoneOf?.(record);
        const before = dropped.get(zone);
        dropped.set(zone, {
          id: 'slow reader',
          from: Math.min(before?.from ?? timestamp, timestamp),
          to: Math.max(before?.to ?? 0, timestamp + 1),
          reason: 'overload',
          rows: (before?.rows ?? 0) + 1,
          ...(zone === undefined ? {} : { zone }),
        });
      }
    },
    /** Gaps are few and short, so they always find room. */
    addGaps(gaps: readonly Gap[]): void {
      write(gaps.map((gap) => `${lines.gap(gap)}\n`).join(''));
    },
    /** Waits until the reader has taken the rows. */
    flush(records: readonly LogRecord[]): Promise<void> {
      last = send(textOf(records));
      return last;
    },
    async done(): Promise<void> {
      tellDropped();
      await last;
    },
  };
}

/** A gap that grows is written after this long at the latest, one that stands still after that. Both ms. */
const TOLD_AFTER = 10_000;
const STILL_FOR = 2_000;

type Held = { to: number; since: number; changedAt: number };

/**
 * Writes every moment of a growing log's gaps exactly once: each line is a time that no line before named. A line is
 * never taken back; rows of its time that come after all follow it.
 */
export class GapLines {
  readonly #told: TimeRange[] = [];
  #held = new Map<number, Held>();

  /** The lines due now (ms of any clock) for the gaps as they stand. */
  due(gaps: readonly Gap[], now: number): Gap[] {
    const held = new Map<number, Held>();
    const due: Gap[] = [];
    for (const piece of this.#untold(gaps)) {
      const known = this.#held.get(piece.from);
      const changedAt = known?.to === piece.to ? known.changedAt : now;
      const since = known?.since ?? now;
      if (now - since >= TOLD_AFTER || now - changedAt >= STILL_FOR) due.push(piece);
      else held.set(piece.from, { to: piece.to, since, changedAt });
    }
    this.#held = held;
    return this.#tell(due);
  }

  /** The lines left at the end. */
  rest(gaps: readonly Gap[]): Gap[] {
    this.#held.clear();
    return this.#tell(this.#untold(gaps));
  }

  #untold(gaps: readonly Gap[]): Gap[] {
    return gaps.flatMap((gap) => {
      const left = this.#told.reduce((parts, told) => without(parts, told), [gap as TimeRange]);
      return left.map(({ from, to }) => ({ ...gap, from, to }));
    });
  }

  #tell(gaps: Gap[]): Gap[] {
    for (const { from, to } of gaps) {
      const before = this.#told.find((each) => each.to === from);
      if (before) before.to = to;
      else this.#told.push({ from, to });
    }
    return gaps;
  }
}
