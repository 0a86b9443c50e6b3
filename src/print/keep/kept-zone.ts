import { explain, type Failure } from '../../domain/failure.ts';
import { oldestAsked } from '../../domain/kept.ts';
import type { LogRecord } from '../../domain/log.ts';
import type { Gap, TimeRange } from '../../domain/tail/coverage.ts';
import { TAIL_TUNING, tailFaultOf } from '../../domain/tail/tail-pace.ts';
import type { TailReport } from '../../domain/tail/tail-report.ts';
import type { PullZone } from '../../domain/zone.ts';
import { readWindow } from '../../effects/read-window.ts';
import { serverClock } from '../../effects/server-clock.ts';
import { startTail } from '../../effects/tail/tail.ts';
import { type Note, notedGaps, notesAbout } from '../../store/coverage.ts';
import { createNumbering } from '../../store/numbering.ts';
import type { StoredRow } from '../../store/sql/stored-row.ts';
import { sanitise } from '../../text/sanitise.ts';
import { say } from '../../text/say.ts';
import { duration } from '../../text/units.ts';
import type { Printer } from '../printer.ts';
import type { KeptStore } from './kept-store.ts';

/** Rows that wait for the store; with more the tail is ended, and the time read again once the store takes rows. */
const MOST_WAITING = 100_000;
/** Rows written at once, and how long they are gathered before, ms. */
const ROWS_AT_ONCE = 20_000;
const GATHERED = 2_000;
/** Time is noted in pieces as long as this, ms: a statement a minute. */
const NOTED = 60_000;
/** A tail begins at most so far back, ms: what is older is read as a window, which skips nothing. */
const FRESH = 2 * TAIL_TUNING.lateness;
/** How long a zone rests after it was refused, ms. */
const REST = 30_000;

/**
 * One zone that is kept for good: what the store lacks and the platform still has is read first, then its tail is written as it
 * comes. Time is noted as read once the tail calls it final, or as a gap with its reason, and only when its rows are stored.
 */
export class KeptZone {
  /** Everything before is stored or noted as a gap, Unix ms. */
  keptTo = 0;
  stored = 0;
  failure: Failure | null = null;
  readonly #o: Printer;
  readonly #zone: PullZone;
  readonly #store: KeptStore;
  readonly #signal: AbortSignal;

  constructor(o: Printer, how: { zone: PullZone; store: KeptStore; signal: AbortSignal }) {
    this.#o = o;
    this.#zone = how.zone;
    this.#store = how.store;
    this.#signal = how.signal;
  }

  get name(): string {
    return sanitise(this.#zone.name, 'text', 100);
  }

  /** Until the signal fires. Throws what the store does not get over. */
  async run(): Promise<void> {
    while (!this.#signal.aborted) {
      const from = await this.#readPast();
      if (this.#signal.aborted) return;
      if (from === null) await this.#o.clock.sleep(REST, this.#signal);
      // What came while the past was read is the past by now.
      else if (serverClock(this.#o, 'logging')() - from < FRESH) await this.#follow(from);
    }
  }

  /** Reads what the store lacks of the time that is settled; its end, or null where a read failed. */
  async #readPast(): Promise<number | null> {
    const now = serverClock(this.#o, 'logging');
    const to = Math.floor(now()) - TAIL_TUNING.lateness;
    const range = { from: oldestAsked(now(), 'logs'), to };
    const mark = await this.#store.mark();
    const gaps = notedGaps(await this.#store.notes(this.#zone.id, range), this.#zone.id, range);
    // What is not kept so long would be gone again.
    const lacking = gaps.filter(({ reason }) => reason !== 'expired');
    const length = lacking.reduce((sum, gap) => sum + gap.to - gap.from, 0);
    if (length > NOTED) say(this.#o.stderr, `${this.name}: reading ${duration(length)} that the store lacks`);
    for (const gap of lacking) {
      if (this.#signal.aborted || !(await this.#readGap(gap, mark, now))) return null;
    }
    this.keptTo = Math.max(this.keptTo, to);
    return to;
  }

  /** False where the platform refused the rest. */
  async #readGap(range: TimeRange, mark: number, now: () => number): Promise<boolean> {
    const numbered = createNumbering();
    const parts = readWindow({
      pullZoneId: this.#zone.id,
      range,
      filter: {},
      fetch: (request, { signal }) => this.#o.client.logs(request, { priority: 'background', signal }),
      now,
    });
    for await (const part of parts) {
      if (this.#signal.aborted) return false;
      const gaps = part.gap === null ? [] : [part.gap];
      const notes = this.#notes(part.failure === null ? part.range : null, gaps);
      await this.#put(part.records.map(numbered), notes, mark);
      this.#heard(part.failure);
      if (part.failure !== null) return false;
    }
    return true;
  }

  /** Follows the tail from a time on, until the signal fires or more rows wait than can be held. */
  async #follow(from: number): Promise<void> {
    const own = new AbortController();
    const signal = AbortSignal.any([this.#signal, own.signal]);
    const numbered = createNumbering();
    const mark = await this.#store.mark();
    let waiting: LogRecord[] = [];
    let report: TailReport | null = null;
    let notedTo = from;
    startTail({
      question: { zone: this.#zone, filter: {}, from, to: null },
      fetch: (request, call) => this.#o.client.logs(request, call),
      clock: this.#o.clock,
      signal,
      emit: (event) => {
        if (signal.aborted) return;
        for (const { record } of event.rows) waiting.push(record);
        report = event.report;
        this.#heard(event.report.failure);
        if (waiting.length > MOST_WAITING) own.abort();
      },
    });
    const flush = async () => {
      // What is noted is of the same moment as the rows: none of them may be missing.
      const known = report as TailReport | null;
      const rows = waiting;
      waiting = [];
      const to = known?.watermark ?? notedTo;
      const isDue = to - notedTo >= NOTED || (signal.aborted && to > notedTo);
      const notes = isDue ? this.#notes({ from: notedTo, to }, known?.gaps ?? []) : [];
      for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
        await this.#put(rows.slice(at, at + ROWS_AT_ONCE).map(numbered), [], mark);
      if (!isDue) return;
      await this.#put([], notes, mark);
      notedTo = to;
      this.keptTo = Math.max(this.keptTo, to);
    };
    while (!signal.aborted) {
      await this.#o.clock.sleep(GATHERED, signal);
      if (waiting.length > 0 || (report as TailReport | null) !== null) await flush();
    }
  }

  #notes(read: TimeRange | null, gaps: readonly Gap[]): Note[] {
    return notesAbout(this.#zone.id, read, gaps);
  }

  async #put(rows: StoredRow[], notes: Note[], mark: number): Promise<void> {
    await this.#store.put(rows, notes, mark);
    this.stored += rows.length;
  }

  /** Says what ends the reading for now, and that it goes on, once each. */
  #heard(failure: Failure | null): void {
    const before = this.failure;
    this.failure = failure;
    if (failure?.kind === before?.kind || failure?.kind === 'cancelled') return;
    if (failure === null) say(this.#o.stderr, `${this.name}: the API answers again`);
    else {
      const { what, next } = explain(failure);
      const isRefused = tailFaultOf(failure.kind).reason === 'refused';
      say(this.#o.stderr, `${this.name}: ${what} ${isRefused ? next : 'Still trying.'}`);
    }
  }
}
