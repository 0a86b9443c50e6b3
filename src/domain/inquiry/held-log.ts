import type { LogRecord } from '../log.ts';
import type { Counting } from '../logs/counts.ts';
import type { HeldRows } from '../logs/order/matched-rows.ts';
import { isNarrower, type ServerLogFilter } from '../query/push-down.ts';
import type { ShieldAnswer } from '../shield/shield.ts';
import { shared, type TimeRange, without } from '../tail/coverage.ts';
import type { EvidenceMet, EvidenceNeed, Inquiry, LogNeed, Met, Need, ShieldNeed } from './inquiry.ts';

/** Rows of one zone's CDN log that are in memory. */
export type HeldLog = {
  zoneId: string;
  /** Of the times below no row is missing that passes it. */
  filter: ServerLogFilter;
  /** Apart from each other, oldest first; fewer when rows were let go meanwhile. */
  ranges: () => readonly TimeRange[];
  /** About `most` rows from the beginning of a range, in the order of time, and how far they reach. */
  rows: (range: TimeRange, most: number) => HeldRows;
  /** Times that were imported into a store from files, which may not have all rows. */
  imported?: readonly TimeRange[];
};

/** Shield events in memory: the answer to one question, page by page; null to another one. */
export type HeldEvents = { answer: (need: ShieldNeed) => ShieldAnswer | null };

/** What is in memory of the zones that are asked about. `told`: what was told before of the rest, and still holds. */
export type Held = {
  logs: readonly HeldLog[];
  events: readonly HeldEvents[];
  told?: (need: EvidenceNeed) => EvidenceMet | null;
};

/** Whoever is told. */
type Told = Pick<Inquiry, 'add' | 'counts'>;

/** A part of what an inquiry needs: a whole answer, a sample of rows at once, or what is held of all rows little by little. */
type Task =
  | { kind: 'rows'; need: LogNeed; log: HeldLog; ranges: TimeRange[]; found: LogRecord[] }
  | { kind: 'answer'; need: Need; met: Met; size: number };
type RowsTask = Extract<Task, { kind: 'rows' }>;

/** Rows told before keys are looked at again: counting them takes an inquiry some 8 ms. */
const ROWS_A_TURN = 500;

/** What is counted of rows that are all in memory is counted here. */
const COUNTED_HERE: readonly Counting['kind'][] = ['values', 'several'];

/** Tells an inquiry, turn by turn, what is held of some of its needs: these cost no request. */
export class Recall {
  readonly #inquiry: Told;
  readonly #needs: readonly Need[];
  readonly #tasks: Task[];
  readonly #all: number;
  /** What was not told of each need that was told in part, or whole. */
  readonly #untold = new Map<Need, readonly Need[]>();

  constructor(inquiry: Told, needs: readonly Need[], held: Held) {
    this.#inquiry = inquiry;
    this.#needs = needs;
    this.#tasks = needs.flatMap((need) => taskOf(need, held) ?? []);
    this.#all = this.#tasks.length;
  }

  /** True when nothing that is needed is held. */
  get isEmpty(): boolean {
    return this.#all === 0;
  }

  get isOver(): boolean {
    return this.#tasks.length === 0;
  }

  /** What of the needs was not told: it has to be asked for. */
  get untold(): readonly Need[] {
    return this.#needs.flatMap((need) => this.#untold.get(need) ?? [need]);
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
      left -= this.#toldOf(task);
      if (task.kind !== 'rows' || task.ranges.length === 0) this.#tasks.shift();
    }
  }

  /** About how many rows it was told. */
  #toldOf(task: Task): number {
    if (task.kind === 'answer') {
      this.#inquiry.add(task.need, task.met);
      this.#untold.set(task.need, []);
      return task.size;
    }
    const { rows } = task.need;
    return rows === undefined ? this.#toldPart(task) : this.#toldSample(task, rows);
  }

  #toldPart(task: RowsTask): number {
    const [range, ...others] = task.ranges;
    // Rows may have been let go since the turn before.
    const [held] = range ? shared(range, task.log.ranges()) : [];
    if (!held || !range) {
      task.ranges = others;
      return 1;
    }
    const { records, to } = task.log.rows(held, ROWS_A_TURN);
    this.#told(task, { from: held.from, to }, records, false);
    task.ranges = to < range.to ? [{ from: to, to: range.to }, ...others] : others;
    return Math.max(1, records.length);
  }

  /** Of a sample the first rows that count are looked for, as the server does. */
  #toldSample(task: RowsTask, most: number): number {
    const { need, log, found } = task;
    const [range] = task.ranges;
    if (!range) return 1;
    const counts = this.#inquiry.counts ?? (() => true);
    const { records, to } = log.rows(range, ROWS_A_TURN);
    for (const record of records) if (counts(record)) found.push(record);
    task.ranges = to < range.to && found.length <= most ? [{ from: to, to: range.to }] : [];
    const isHeld = shared(need.range, log.ranges())[0]?.from === need.range.from;
    if (task.ranges.length === 0 && isHeld)
      this.#told(task, need.range, found.slice(0, most), found.length > most);
    return Math.max(1, records.length);
  }

  #told({ need, log }: RowsTask, range: TimeRange, records: readonly LogRecord[], hasMore: boolean): void {
    const { imported = [] } = log;
    const isAll = range.from === need.range.from && range.to === need.range.to;
    const part = isAll ? need : { ...need, range };
    this.#inquiry.add(part, { kind: 'logs', records, hasMore, imported });
    const before = (this.#untold.get(need) ?? [need]) as readonly LogNeed[];
    const left = before.flatMap((each) => without([each.range], range));
    this.#untold.set(
      need,
      left.map((range) => ({ ...need, range })),
    );
  }
}

/** Requests that an inquiry costs besides what is held. */
export function priceBeside(
  { needs, follow, lacks }: Pick<Inquiry, 'needs' | 'follow' | 'lacks'>,
  held: Held,
): number {
  if (lacks) return 0;
  const saved = needs.reduce((sum, need) => {
    const task = taskOf(need, held);
    if (task === null) return sum;
    if (task.kind !== 'rows') return sum + 1;
    return sum + 1 - task.ranges.reduce((left, range) => without(left, range), [task.need.range]).length;
  }, 0);
  return (follow?.most ?? needs.length) - saved;
}

function taskOf(need: Need, { logs, events, told }: Held): Task | null {
  if (need.kind === 'shield') {
    const answer = events.map((each) => each.answer(need)).find((each) => each !== null);
    if (!answer) return null;
    return { kind: 'answer', need, met: { kind: 'shield', answer }, size: answer.events.length + 1 };
  }
  if (need.kind !== 'logs') {
    const met = told?.(need) ?? null;
    return met === null ? null : { kind: 'answer', need, met, size: 1 };
  }
  // What else is counted is told of all rows that somebody keeps.
  if (need.counts !== undefined && !COUNTED_HERE.includes(need.counts.of.kind)) return null;
  for (const log of logs) {
    if (log.zoneId !== need.zoneId) continue;
    if (!isNarrower(need.filter, log.filter)) continue;
    const ranges = shared(need.range, log.ranges());
    const isWhole = ranges[0]?.from === need.range.from && ranges[0].to === need.range.to;
    // What is counted in one question is no cheaper for the rows here, and exact by itself alone.
    const isOnce = need.rows !== undefined || need.counts !== undefined;
    if (isOnce ? isWhole : ranges.length > 0) return { kind: 'rows', need, log, ranges, found: [] };
  }
  return null;
}
