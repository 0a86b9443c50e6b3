import { explain, type Failure } from '../../domain/failure.ts';
import type { LogRecord } from '../../domain/log.ts';
import { oldestAsked } from '../../domain/log-retention.ts';
import { arrivedRows, countOf, type LogRows } from '../../domain/logs/log-rows.ts';
import type { GapReason, TimeRange } from '../../domain/tail/coverage.ts';
import { TAIL_TUNING, tailFaultOf, UNWATCHED_TUNING } from '../../domain/tail/tail-pace.ts';
import type { TailReport } from '../../domain/tail/tail-report.ts';
import type { PullZone } from '../../domain/zone.ts';
import { readWindow } from '../../effects/read-window.ts';
import { serverClock } from '../../effects/server-clock.ts';
import { startTail } from '../../effects/tail/tail.ts';
import { createNumbering } from '../../store/load.ts';
import { type Note, notedGaps, notesAbout } from '../../store/noted-coverage.ts';
import type { ArrivingRows } from '../../store/sql/stored-columns.ts';
import { sanitise } from '../../text/sanitise.ts';
import { say } from '../../text/say.ts';
import type { Printer } from '../printer.ts';
import { type KeptStore, ROWS_AT_ONCE } from './kept-store.ts';
import type { TellPast } from './told-past.ts';

/** Rows without an id that are remembered of a zone: more than come within the time by which rows are late, and little of many zones. */
const REMEMBERED = 100_000;
/** How long rows of a tail are gathered before they are handed over, ms. */
const GATHERED = 2_000;
/** Answers about the past of one zone that wait for the store while the next one is read. */
const ANSWERS_WAITING = 2;
/** Time is noted in pieces as long as this, ms: a statement a minute. */
const NOTED = 60_000;
/** A tail begins at most so far back, ms: what is older is read as a window, which skips nothing. */
const FRESH = 2 * TAIL_TUNING.lateness;
/** How long a zone rests after a failure, ms; what only its owner can end is asked for less and less often. */
const REST = 30_000;
const LONGEST_REST = 8 * 60_000;

/**
 * One zone that is kept for good: what the store lacks and the platform still has is read first, then its tail is written as it
 * comes. Time is noted as read once the tail calls it final, or as a gap with its reason, and only when its rows are stored.
 */
export class KeptZone {
  /** Everything before is stored or noted as a gap, Unix ms. */
  keptTo = 0;
  stored = 0;
  /** False while another keeper has it. */
  isKept = true;
  /** Whether its tail is read, and the last answer was one. */
  isFollowed = false;
  /** Ms of time that were noted as a gap, for each reason. */
  readonly gaps = new Map<GapReason, number>();
  /** When the platform last answered or refused, by the monotonic clock. */
  heardAt: number;
  #failure: Failure | null = null;
  #rest = REST;
  /** The end of old time of which rows could still come when it was read; null: of none. It is read again, and then noted. */
  #unsettledTo: number | null = null;
  /** That of what is noted of rows that are written since the past was begun. */
  #mark = 0;
  readonly #o: Printer;
  readonly #zone: PullZone;
  readonly #store: KeptStore;
  readonly #tellPast: TellPast;
  #signal = AbortSignal.abort();
  /** The time of the platform. */
  readonly #now: () => number;

  constructor(o: Printer, how: { zone: PullZone; store: KeptStore; tellPast: TellPast }) {
    this.#o = o;
    this.#tellPast = how.tellPast;
    this.#zone = how.zone;
    this.#store = how.store;
    this.#now = serverClock(o, 'logging');
    this.heardAt = o.clock.monotonic();
  }

  get id(): string {
    return this.#zone.id;
  }

  /** How long ago that is up to which everything is stored, ms; null as long as the store was not asked. */
  get lag(): number | null {
    return this.keptTo === 0 ? null : Math.max(0, this.#now() - this.keptTo);
  }

  get name(): string {
    return sanitise(this.#zone.name, 'text', 100);
  }

  /** Until the signal fires. Throws what the store does not get over. */
  async run(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    this.keptTo = 0;
    this.#failure = null;
    while (!this.#signal.aborted) {
      this.#unsettledTo = null;
      const from = await this.#readPast(Math.floor(this.#now()) - TAIL_TUNING.lateness);
      if (this.#signal.aborted) return;
      // What came while the past was read is the past by now.
      if (from !== null && this.#now() - from < FRESH) await this.#follow(from);
      if (this.#failure !== null) await this.#restAWhile(this.#failure);
    }
  }

  async #restAWhile({ kind }: Failure): Promise<void> {
    await this.#o.clock.sleep(this.#rest, this.#signal);
    if (isDenied(kind)) this.#rest = Math.min(LONGEST_REST, this.#rest * 2);
  }

  /**
   * Reads what the store lacks of the time up to `to`, which it resolves to; null where a read failed. Rows that come later than usual do so within
   * half an hour: younger time is stored, and not noted as read, so that it is read once more.
   */
  async #readPast(to: number): Promise<number | null> {
    const range = { from: oldestAsked(this.#now(), 'logs'), to };
    const settledTo = Math.floor(this.#now()) - TAIL_TUNING.latenessMost;
    const { notes, mark } = await this.#store.known(this.#zone.id, range);
    this.#mark = mark;
    const gaps = notedGaps(notes, [this.#zone.id], range);
    // What is not kept so long would be gone again.
    const lacking = gaps.filter(({ reason }) => reason !== 'expired');
    this.#keepTo(lacking[0]?.from ?? 0);
    const length = lacking.reduce((sum, gap) => sum + gap.to - gap.from, 0);
    const why =
      this.#unsettledTo === null ? 'that the store lacks' : 'again, since rows of it could still come';
    // Of tries in vain the first alone is told.
    if (length > NOTED && this.#failure === null) this.#tellPast(this.name, length, why);
    for (const gap of lacking) {
      if (this.#signal.aborted || !(await this.#readGap(gap, mark, settledTo))) return null;
    }
    const unsettled = lacking.find((gap) => gap.to > settledTo);
    this.#unsettledTo = unsettled === undefined ? null : to;
    this.#keepTo(unsettled === undefined ? to : Math.max(unsettled.from, settledTo));
    return to;
  }

  /** False where the platform refused the rest. */
  async #readGap(range: TimeRange, mark: number, settledTo: number): Promise<boolean> {
    const numbered = createArrival();
    const parts = readWindow({
      pullZoneId: this.#zone.id,
      range,
      filter: {},
      fetch: (request, { signal }) => this.#o.client.logs(request, { priority: 'background', signal }),
      now: this.#now,
    });
    const sent: Promise<void>[] = [];
    let leave = await this.#store.answers.take();
    try {
      for await (const part of parts) {
        if (this.#signal.aborted) return false;
        const gaps = part.gap === null ? [] : [part.gap];
        const settled = { from: part.range.from, to: Math.min(part.range.to, settledTo) };
        const isRead = part.failure === null && settled.from < settled.to;
        const notes = notesAbout(this.#zone.id, isRead ? settled : null, gaps);
        const put = this.#put(numbered(part.records), notes, mark);
        // Whoever waits for it is told.
        put.then(leave, leave);
        if (isRead) void put.then(() => this.#keepTo(settled.to)).catch(() => {});
        if (this.#store.hasRoom()) leave();
        sent.push(put);
        this.#heard(part.failure);
        if (part.failure !== null) return false;
        while (sent.length > ANSWERS_WAITING) await sent.shift();
        leave = await this.#store.answers.take();
      }
      return true;
    } finally {
      leave();
      await Promise.all(sent);
    }
  }

  /** Follows the tail from a time on, until the signal fires, the zone is denied or more rows wait than can be held. */
  async #follow(from: number): Promise<void> {
    const own = new AbortController();
    const signal = AbortSignal.any([this.#signal, own.signal]);
    const numbered = createArrival();
    const mark = this.#mark;
    let waiting: LogRecord[] = [];
    let report: TailReport | null = null;
    let notedTo = from;
    startTail({
      question: { zone: this.#zone, filter: {}, from, to: null },
      fetch: (request, call) => this.#o.client.logs(request, call),
      clock: this.#o.clock,
      tuning: UNWATCHED_TUNING,
      signal,
      emit: (event) => {
        if (signal.aborted) return;
        for (const { record } of arrivedRows(event.rows)) waiting.push(record);
        report = event.report;
        if (event.report.status !== 'connecting') this.#heard(event.report.failure);
        this.isFollowed = event.report.status === 'live' || event.report.status === 'quiet';
        // A zone that nobody may read is asked as seldom as the past is, and what came meanwhile is read then.
        const isOver = this.#failure !== null && isDenied(this.#failure.kind);
        if (isOver) own.abort();
        else this.#store.makeRoom();
      },
    });
    const flush = async () => {
      // What is noted is of the same moment as the rows: none of them may be missing.
      const known = report as TailReport | null;
      const rows = waiting;
      waiting = [];
      const to = known?.watermark ?? notedTo;
      const isDue = to - notedTo >= NOTED || (signal.aborted && to > notedTo);
      const notes = isDue ? notesAbout(this.#zone.id, { from: notedTo, to }, known?.gaps ?? []) : [];
      const sent: Promise<void>[] = [];
      while (rows.length > ROWS_AT_ONCE)
        sent.push(this.#put(numbered(rows.splice(0, ROWS_AT_ONCE)), [], mark));
      if (rows.length > 0 || isDue) sent.push(this.#put(numbered(rows), notes, mark));
      await Promise.all(sent);
      if (!isDue) return;
      notedTo = to;
      if (this.#unsettledTo === null) this.#keepTo(to);
    };
    const settle = async (to: number) => {
      if (this.#now() - to < TAIL_TUNING.latenessMost) return;
      if ((await this.#readPast(to)) === null) own.abort();
    };
    let hasGivenUp = false;
    const leave = this.#store.join({
      rows: () => waiting.length,
      giveUp() {
        // Nothing more is noted of this tail: its rows are gone.
        waiting = [];
        report = null;
        hasGivenUp = true;
        own.abort();
      },
    });
    try {
      while (!signal.aborted) {
        await this.#o.clock.sleep(GATHERED, signal);
        if (waiting.length > 0 || (report as TailReport | null) !== null) await flush();
        if (this.#unsettledTo !== null && !signal.aborted) await settle(this.#unsettledTo);
      }
    } finally {
      leave();
      this.isFollowed = false;
    }
    // A tail that begins at once brings as much again to a store that has too much.
    if (hasGivenUp) await this.#o.clock.sleep(REST, this.#signal);
  }

  #keepTo(to: number): void {
    this.keptTo = Math.max(this.keptTo, to);
  }

  async #put(rows: ArrivingRows, notes: Note[], mark: number): Promise<void> {
    await this.#store.put(rows, notes, mark);
    this.stored += countOf(rows.rows);
    for (const { state, from, to } of notes)
      if (state !== 'read') this.gaps.set(state, (this.gaps.get(state) ?? 0) + to - from);
  }

  /** Says what ends the reading for now, and that it goes on, once each. */
  #heard(failure: Failure | null): void {
    const before = this.#failure;
    this.#failure = failure;
    this.heardAt = this.#o.clock.monotonic();
    if (failure === null) this.#rest = REST;
    if (failure?.kind === before?.kind || failure?.kind === 'cancelled') return;
    if (failure === null) say(this.#o.stderr, `${this.name}: the API answers again`);
    else {
      const { what, next } = explain(failure);
      const hint = isDenied(failure.kind) ? `${next} It is asked less and less often.` : 'Still trying.';
      say(this.#o.stderr, `${this.name}: ${what} ${hint}`);
    }
  }
}

/** Rows of one reading or tail as they come. */
function createArrival(): (rows: LogRows) => ArrivingRows {
  const numbered = createNumbering({ remembered: REMEMBERED });
  return (rows) => ({ rows, numbered });
}

/** Whether only whoever owns the zone or the key can end it. */
function isDenied(kind: Failure['kind']): boolean {
  return tailFaultOf(kind).reason === 'refused';
}
