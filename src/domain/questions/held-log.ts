import type { LogRecord } from '../log.ts';
import type { HeldRows } from '../logs/log-between.ts';
import { isNarrower, type ServerLogFilter } from '../query/push-down.ts';
import { shared, type TimeRange, without } from '../tail/coverage.ts';
import type { Inquiry, LogNeed, Met, Need } from './inquiry.ts';

/** Rows of a CDN log that are in memory. */
export type HeldLog = {
  /** Of the times below no row is missing that passes it. */
  filter: ServerLogFilter;
  /** Apart from each other, oldest first; fewer when rows were let go meanwhile. */
  ranges: () => readonly TimeRange[];
  /** About `most` rows from the beginning of a range, in the order of time, and how far they reach. */
  rows: (range: TimeRange, most: number) => HeldRows;
};

/** A part of what an inquiry needs: it is told all of it at once, or what is held of it little by little. */
type Task = { need: LogNeed; log: HeldLog; ranges: TimeRange[] };

/** Rows told before keys are looked at again: counting them takes an inquiry some 8 ms. */
const ROWS_A_TURN = 500;

/** Tells an inquiry, turn by turn, what is held of the rows that it needs: these cost no request. */
export class Recall {
  readonly #inquiry: Inquiry;
  readonly #tasks: Task[];
  readonly #all: number;

  constructor(inquiry: Inquiry, logs: readonly HeldLog[]) {
    this.#inquiry = inquiry;
    this.#tasks = inquiry.needs.flatMap((need) => taskOf(need, logs) ?? []);
    this.#all = this.#tasks.length;
  }

  /** True when nothing that is needed is held. */
  get isEmpty(): boolean {
    return this.#all === 0;
  }

  get isOver(): boolean {
    return this.#tasks.length === 0;
  }

  /** The share of it that was told, 0…1. */
  get share(): number {
    return this.#all === 0 ? 1 : 1 - this.#tasks.length / this.#all;
  }

  /** One turn. */
  step(): void {
    for (let left = ROWS_A_TURN; left > 0; ) {
      const [task] = this.#tasks;
      if (!task) return;
      left -= task.need.rows === undefined ? this.#toldPart(task) : this.#toldSample(task, task.need.rows);
      if (task.ranges.length === 0) this.#tasks.shift();
    }
  }

  #toldPart(task: Task): number {
    const [range, ...others] = task.ranges;
    // Rows may have been let go since the turn before.
    const [held] = range ? shared(range, task.log.ranges()) : [];
    if (!held || !range) {
      task.ranges = others;
      return 1;
    }
    const { records, to } = task.log.rows(held, ROWS_A_TURN);
    this.#told({ ...task.need, range: { from: held.from, to } }, records, false);
    task.ranges = to < range.to ? [{ from: to, to: range.to }, ...others] : others;
    return Math.max(1, records.length);
  }

  /** Of a sample the first rows that count are looked for, as the server does. */
  #toldSample(task: Task, most: number): number {
    const { need, log } = task;
    const counts = this.#inquiry.counts ?? (() => true);
    const found: LogRecord[] = [];
    let seen = 0;
    let { from } = need.range;
    while (from < need.range.to && found.length <= most) {
      const { records, to } = log.rows({ from, to: need.range.to }, ROWS_A_TURN);
      for (const record of records) if (counts(record)) found.push(record);
      seen += records.length;
      from = to;
    }
    task.ranges = [];
    if (shared(need.range, log.ranges())[0]?.from === need.range.from) {
      this.#told(need, found.slice(0, most), found.length > most);
    }
    return Math.max(1, seen);
  }

  #told(need: LogNeed, records: readonly LogRecord[], hasMore: boolean): void {
    const met: Met = { kind: 'logs', records, hasMore, isHeld: true };
    this.#inquiry.add(need, met);
  }
}

/** Requests that an inquiry costs besides what is held. */
export function priceBeside(inquiry: Inquiry, logs: readonly HeldLog[]): number {
  const { needs, follow } = inquiry;
  const held = needs.reduce((sum, need) => {
    const task = taskOf(need, logs);
    if (task === null) return sum;
    return sum + 1 - task.ranges.reduce((left, range) => without(left, range), [task.need.range]).length;
  }, 0);
  return (follow?.most ?? needs.length) - held;
}

function taskOf(need: Need, logs: readonly HeldLog[]): Task | null {
  if (need.kind !== 'logs') return null;
  for (const log of logs) {
    if (!isNarrower(need.filter, log.filter)) continue;
    const ranges = shared(need.range, log.ranges());
    const isWhole = ranges[0]?.from === need.range.from && ranges[0].to === need.range.to;
    if (need.rows === undefined ? ranges.length > 0 : isWhole) return { need, log, ranges };
  }
  return null;
}
