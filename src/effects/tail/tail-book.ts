import type { LogSlice } from '../../api/client.ts';
import { countOf, type LogRows } from '../../domain/logs/log-rows.ts';
import {
  blame,
  type Cover,
  type CoverState,
  completeTo,
  frontierOf,
  type Gap,
  type GapReason,
  gapsOf,
  isFinal,
  type Ledger,
  lastFinalOf,
  markFinal,
  markRead,
  openLedger,
  originOf,
  paint,
  provenTo,
  readRanges,
  type TimeRange,
  timeShared,
  wasRead,
  watermarkOf,
} from '../../domain/tail/coverage.ts';
import { type LocalTime, TailClock, type TimedAnswer } from '../../domain/tail/server-time.ts';
import {
  grownSpan,
  type LagCause,
  partsByCause,
  patienceFor,
  splitOf,
  type TailTuning,
  withCause,
} from '../../domain/tail/tail-pace.ts';
import type { TailReport } from '../../domain/tail/tail-report.ts';
import { Intake } from './tail-intake.ts';

/**
 * An answer with rows. `slice`: the part of the requested time that it covers; `sentAt`: a lower bound of the server's time when it was
 * requested; `latest`: what that time may be now.
 */
export type SliceAnswer<Rows> = { slice: TimeRange; value: Rows; sentAt: number; latest: number };

/** The result of an answer. `lacks`: rows seen before are missing, so the replica lags. */
type TakenAnswer = { times: number[]; lacks: boolean; newRows: number };

type EnteredSlice = Pick<LogSlice, 'rows' | 'hasMore' | 'stored' | 'strays'>;

const NOT_FINAL: readonly CoverState[] = ['unknown', 'read', 'gap'];
const ALL_STATES: readonly CoverState[] = [...NOT_FINAL, 'final'];

/** What a tail knows: the ledger, the rows seen, the server's time. It sends nothing and has no clock. */
export class TailBook {
  readonly intake = new Intake();
  readonly clock: TailClock;
  ledger: Ledger | null = null;
  /** Unknown time before this was asked for by the user, and is never given up for its age. */
  wantedTo = Number.NEGATIVE_INFINITY;
  /** Why the head is behind; empty while it is not. */
  causes: readonly LagCause[] = [];
  lateness: number;
  /** Rows per ms. */
  rate = 0;
  /** The most rows seen in one answer. */
  page: number;
  readonly #tuning: TailTuning;
  readonly #end: number;
  /** Keys before this are forgotten though their time is not final: reading it again would show rows twice. */
  #floor = Number.NEGATIVE_INFINITY;
  #gaps: readonly Gap[] = [];
  #gapsAt: Ledger | null = null;

  constructor(tuning: TailTuning, end: number) {
    this.#tuning = tuning;
    this.#end = end;
    this.lateness = tuning.lateness;
    this.page = tuning.limit;
    this.clock = new TailClock(tuning);
  }

  /** A time that the server's clock has surely reached. */
  now(local: LocalTime): number {
    return this.clock.earliest(local);
  }

  /** Learns the server's time from an answer, and blames its leap for the time skipped. */
  observe(answer: TimedAnswer, local: LocalTime): { hasStepped: boolean } {
    const { before, hasStepped, isAfterStep, leap } = this.clock.hear(answer, local);
    if (leap > this.#tuning.sleepNoticed) this.blame(isAfterStep ? 'slept' : 'notRead', before);
    return { hasStepped };
  }

  open(origin: number): void {
    this.ledger = openLedger(origin);
  }

  /** The oldest time that can be asked for. */
  lowest(now: number): number {
    const origin = this.ledger === null ? Number.NEGATIVE_INFINITY : originOf(this.ledger);
    return Math.max(origin, this.#floor, now - this.#tuning.retention);
  }

  /** The end of the time that an answer to a request sent at `sentAt` (server's time) may make final. */
  sealableTo(sentAt: number): number {
    return sentAt - this.lateness;
  }

  /** Takes the rows of an answer, complete or not. */
  take(slice: TimeRange, rows: LogRows, sentAt: number, latest: number): TakenAnswer {
    const ledger = this.ledger;
    const isRangeFinal = (range: TimeRange) => ledger !== null && isFinal(ledger, range);
    const covered = (time: number) => ledger !== null && wasRead(ledger, time);
    const counted = {
      from: slice.from,
      to: Math.max(slice.from, Math.min(slice.to, this.sealableTo(sentAt))),
    };
    const before = this.intake.seenIn(counted);
    const ceiling = latest + this.#tuning.ahead;
    const lowest = this.lowest(sentAt);
    const taken = this.intake.take(rows, {
      slice,
      end: this.#end,
      counted,
      lowest,
      isFinal: isRangeFinal,
      wasRead: covered,
      sentAt,
      ceiling,
    });
    for (const { time } of taken.fresh) {
      if (isRangeFinal({ from: time, to: time + 1 })) this.#raiseLateness(sentAt - time);
    }
    return { times: taken.times, lacks: taken.known < before, newRows: taken.fresh.length };
  }

  /**
   * Enters an answer: settles the slice, or cuts it where the server had more rows. `span`: the slice length so far,
   * and in the result the next one, which grows only if `mayGrow`. `next`: where to go on.
   */
  enter(
    { slice, value, sentAt, latest }: SliceAnswer<EnteredSlice>,
    span: number,
    mayGrow = slice.to - slice.from >= span,
  ): TakenAnswer & { span: number; next: number } {
    const { hasMore, rows } = value;
    const taken = this.take(slice, rows, sentAt, latest);
    const answered = { from: slice.from, to: Math.min(slice.to, sentAt) };
    const split = hasMore ? splitOf(slice, taken.times) : null;
    if (split !== null) return { ...taken, span: split - slice.from, next: slice.from };
    // A slice of 1 ms has more rows than the server sends: the rest cannot be had.
    if (hasMore) this.giveUp(slice, 'overflow', NOT_FINAL);
    else if (value.strays) this.giveUp(answered, 'strays', NOT_FINAL);
    else this.settle(answered, sentAt, taken.lacks);
    for (const { from, to, reason } of value.stored?.gaps ?? [])
      this.giveUp({ from: Math.max(from, slice.from), to: Math.min(to, slice.to) }, reason, ALL_STATES);
    const isLonger = !hasMore && mayGrow;
    const grown = isLonger ? grownSpan(span, countOf(rows), this.page, this.#tuning) : span;
    return { ...taken, span: grown, next: slice.to };
  }

  /** Enters a complete answer for the range. */
  settle(range: TimeRange, sentAt: number, lacks: boolean): void {
    if (this.ledger === null) return;
    this.ledger = markRead(this.ledger, range);
    const to = Math.min(range.to, this.sealableTo(sentAt));
    if (lacks || to <= range.from) return;
    this.ledger = markFinal(this.ledger, { from: range.from, to });
    this.#prune(this.ledger);
  }

  /** Gives up the parts of the range that are in one of the states. */
  giveUp(range: TimeRange, reason: GapReason, over: readonly CoverState[]): void {
    if (this.ledger === null) return;
    const cover: Cover = { state: 'gap', reason };
    this.ledger = paint(this.ledger, range, (s) => (over.includes(s.state) ? cover : null));
  }

  learnRate(rows: number, ms: number): void {
    this.rate = this.rate * 0.7 + (rows / Math.max(1, ms)) * 0.3;
  }

  /** A page may be short by accident, so complete answers raise the estimate again. */
  learnPage(rows: number, hasMore: boolean): void {
    if (!hasMore) this.page = Math.min(this.#tuning.limit, Math.max(rows, Math.ceil(this.page * 1.25)));
    else if (rows > 0) this.page = rows;
  }

  /** The reason, from now on (server's time), why the head does not keep up. */
  blame(reason: GapReason, now: number): void {
    this.causes = withCause(this.causes, now, reason);
  }

  /** The head skips the range. `otherwise`: the reason where nothing was blamed. */
  passOver(range: TimeRange, otherwise: GapReason): void {
    if (this.ledger === null) return;
    for (const part of partsByCause(this.causes, range, otherwise)) {
      this.ledger = blame(this.ledger, part, part.reason);
    }
    this.causes = [];
  }

  /** Gives up what is too old or waited too long, and bounds the memory. */
  abandon(now: number): void {
    if (this.ledger === null) return;
    const gone = { from: originOf(this.ledger), to: Math.min(this.#end, now - this.#tuning.retention) };
    this.giveUp(gone, 'retention', ['unknown', 'read']);
    for (const s of this.ledger.segments) {
      if (s.state !== 'unknown') continue;
      const to = Math.min(s.to, this.#end, now - patienceFor(s.reason, this.#tuning));
      const range = { from: Math.max(s.from, this.wantedTo), to };
      // A head that was neither refused nor overrun, and is still this far behind, did not run.
      const causes = s.reason === null ? this.causes : [];
      for (const part of partsByCause(causes, range, s.reason ?? 'slept')) {
        this.giveUp(part, part.reason, ['unknown']);
      }
    }
    const evicted = this.intake.evict(this.#tuning.keysMost);
    if (evicted !== null) this.#forget(evicted, 'overload');
    const tooMany = this.ledger.segments.length > this.#tuning.segmentsMost;
    if (tooMany) this.#collapse(this.ledger.segments.length >> 1);
  }

  /** Whether a closed window is final or given up to its end. */
  isComplete(): boolean {
    return this.ledger !== null && watermarkOf(this.ledger) >= this.#end;
  }

  extent(): Pick<TailReport, 'origin' | 'completeTo' | 'watermark' | 'readShare' | 'read' | 'gaps'> {
    const { ledger } = this;
    const hasEnd = Number.isFinite(this.#end);
    const nothing = { origin: null, completeTo: null, watermark: null, read: [], gaps: [] };
    if (ledger === null) return { ...nothing, readShare: hasEnd ? 0 : null };
    const read = readRanges(ledger);
    const window = { from: originOf(ledger), to: this.#end };
    const readShare = hasEnd ? timeShared(window, read) / (window.to - window.from) : null;
    // A window given up to its end has reached it, though nothing of it is proven.
    const watermark = this.isComplete() ? watermarkOf(ledger) : provenTo(ledger);
    const gaps = this.#gapsOf(ledger);
    return { origin: window.from, completeTo: completeTo(ledger), watermark, readShare, read, gaps };
  }

  /** Gaps, and skipped time still to be read. */
  currentGaps(): Gap[] {
    const frontier = this.ledger === null ? 0 : frontierOf(this.ledger);
    return (this.ledger?.segments ?? []).flatMap((s): Gap[] =>
      s.to <= frontier && (s.state === 'gap' || s.state === 'unknown')
        ? [{ id: s.id ?? '', from: s.from, to: s.to, reason: s.reason ?? 'notRead', rows: null }]
        : [],
    );
  }

  /** The same array while the gaps are the same, so that a change is a change of identity. */
  #gapsOf(ledger: Ledger): readonly Gap[] {
    if (this.#gapsAt === ledger) return this.#gaps;
    this.#gapsAt = ledger;
    const list = gapsOf(ledger);
    const isSame = list.length === this.#gaps.length && list.every((gap, i) => isSameGap(gap, this.#gaps[i]));
    if (!isSame) this.#gaps = list;
    return this.#gaps;
  }

  #prune(ledger: Ledger): void {
    const from = originOf(ledger);
    const isDone = (stretch: TimeRange) =>
      stretch.to <= Math.max(from, this.#floor) ||
      isFinal(ledger, { from: Math.max(from, stretch.from), to: stretch.to });
    this.intake.prune(isDone, (lastFinalOf(ledger) ?? Number.NEGATIVE_INFINITY) - this.#tuning.margin);
  }

  #raiseLateness(observed: number): void {
    if (observed > this.lateness) this.lateness = Math.min(this.#tuning.latenessMost, observed * 1.25);
  }

  #forget(before: number, reason: GapReason): void {
    if (this.ledger === null) return;
    this.#floor = Math.max(this.#floor, before);
    this.giveUp({ from: originOf(this.ledger), to: before }, reason, ['unknown', 'read']);
  }

  /** Collapses the oldest part of a fragmented ledger into one gap that cannot be read again. */
  #collapse(pieces: number): void {
    const { ledger } = this;
    const to = ledger?.segments[pieces]?.from;
    if (ledger === null || to === undefined) return;
    const first = gapsOf(ledger)[0];
    this.#floor = Math.max(this.#floor, to);
    this.giveUp({ from: first?.from ?? to, to }, first?.reason ?? 'overload', ALL_STATES);
  }
}

function isSameGap(a: Gap, b: Gap | undefined): boolean {
  return a.id === b?.id && a.from === b.from && a.to === b.to && a.reason === b.reason;
}
