import { explain, type Failure } from '../../domain/failure.ts';
import type { LogRecord } from '../../domain/log.ts';
import type { Gap, TimeRange } from '../../domain/tail/coverage.ts';
import { rowKey } from '../../domain/tail/coverage-keys.ts';
import { TAIL_TUNING, tailFaultOf } from '../../domain/tail/tail-pace.ts';
import type { TailReport, TailRow, TailStatus } from '../../domain/tail/tail-report.ts';
import type { WindowPart } from '../../effects/read-window.ts';
import { serverClock } from '../../effects/server-clock.ts';
import { startTail, type Tail } from '../../effects/tail/tail.ts';
import { reasonOf } from '../../effects/tail/tail-health.ts';
import { say } from '../../text/say.ts';
import type { ZoneQuestion } from '../logs/log-question.ts';
import { type NamedZone, ofZone, type ZoneFailure } from '../logs/merged-parts.ts';
import type { Printer } from '../printer.ts';
import { GapLines } from './followed-output.ts';

const TROUBLED: readonly TailStatus[] = ['offline', 'rateLimited', 'failed'];

/** What a followed zone brings: rows and gaps to print, and the reason once nothing comes any more. */
type Followed = {
  records: readonly LogRecord[];
  gaps: readonly Gap[];
  /** Hardly a row before this is still to come, Unix ms: the tail claims the time, or the zone has rows behind it. */
  rowsTo: number;
  lost: readonly ZoneFailure[];
};

type FollowHow = {
  question: ZoneQuestion;
  name: NamedZone | null;
  /** The window before now, Unix ms. */
  range: TimeRange;
  signal: AbortSignal;
  /** A part of its window was printed. */
  printed: () => void;
  emit: (followed: Followed) => void;
};

/**
 * One zone of a followed log: its window up to now, then its tail, with a ledger and a quota of its own. Each row
 * comes once, and each unread moment is written once.
 */
export class FollowedZone {
  /** Why nothing comes: its first read failed, or it is refused what only the user can change. */
  lost: Failure | null = null;
  /** All before is read or a gap, Unix ms. */
  readTo: number;
  readonly #o: Printer;
  readonly #how: FollowHow;
  readonly #known: KnownRows;
  readonly #gapLines = new GapLines();
  readonly #status: (report: TailReport) => void;
  #windowGaps: Gap[] = [];
  #tail: Tail | null = null;
  #report: TailReport | null = null;

  constructor(o: Printer, how: FollowHow) {
    this.#o = o;
    this.#how = how;
    this.readTo = how.range.from;
    this.#known = new KnownRows(how.range.to - TAIL_TUNING.lateness);
    this.#status = createStatusLine(o, how.name);
  }

  /** The parts of its window; after the last one the tail goes on. */
  async *window(parts: AsyncIterable<WindowPart>): AsyncGenerator<WindowPart> {
    for await (const part of parts) {
      this.#known.addAll(part.records);
      this.lost = part.failure;
      yield part;
      if (part.gap !== null) this.#windowGaps.push(...this.#gapLines.rest([part.gap]));
      this.readTo = part.range.to;
      this.#how.printed();
    }
    if (!this.#how.signal.aborted) this.#follow();
  }

  /** Whether its window is printed. */
  get isFollowed(): boolean {
    return this.#tail !== null;
  }

  /** Whether only the user can make it come again. */
  get isRefused(): boolean {
    return isRefused(this.lost);
  }

  /** Nothing before this comes any more: the time before the window was read when all its late rows were there. */
  get settled(): number {
    const before = this.#how.range.to - TAIL_TUNING.lateness;
    return Math.max(before, this.#report?.watermark ?? before);
  }

  /** Everything missing by now, written or not. */
  get gaps(): readonly Gap[] {
    return [...this.#windowGaps, ...this.#missing(this.#report?.gaps ?? [])];
  }

  /** The gaps not yet written, at the end. */
  lastGaps(): Gap[] {
    return this.#told(this.#gapLines.rest(this.#missing(this.#tail?.currentGaps() ?? [])));
  }

  #follow(): void {
    const { zone, server } = this.#how.question;
    const { from, to } = this.#how.range;
    this.#tail = startTail({
      // Rows that came late to the window just printed are looked for, too.
      question: { zone, filter: server, from: Math.max(from, to - TAIL_TUNING.lateness), to: null },
      fetch: (request, call) => this.#o.client.logs(request, call),
      clock: this.#o.clock,
      signal: this.#how.signal,
      emit: ({ rows, report }) => {
        if (this.#how.signal.aborted) return;
        this.#report = report;
        this.readTo = Math.max(this.readTo, report.completeTo ?? this.readTo);
        this.#status(report);
        const gaps = this.#gapLines.due(this.#missing(report.gaps), this.#o.clock.now());
        this.#how.emit({
          records: this.#known.without(rows.map(({ record }) => record)),
          gaps: this.#told(gaps),
          rowsTo: this.#rowsTo(rows, report),
          lost: this.#newlyLost(report),
        });
      },
    });
  }

  /** A zone's rows are in order nearly always; one of the future does not count. */
  #rowsTo(rows: readonly TailRow[], { serverNow }: TailReport): number {
    const now = serverNow ?? this.readTo;
    return rows.reduce((to, { record }) => Math.max(to, Math.min(record.timestamp, now)), this.readTo);
  }

  #newlyLost({ failure, completeTo }: TailReport): ZoneFailure[] {
    const before = this.lost;
    if (isRefused(failure)) this.lost = failure;
    else if (failure === null && completeTo !== null) this.lost = null;
    const isNew = isRefused(failure) && before?.kind !== failure.kind;
    return isNew ? [{ zone: this.#how.name?.name ?? null, failure }] : [];
  }

  /** With what a tail's ledger cannot know of: all time since the window, until its first answer. */
  #missing(gaps: readonly Gap[]): readonly Gap[] {
    const { completeTo = null, failure = null } = this.#report ?? {};
    const isUnread =
      completeTo === null && (this.#tail === null ? this.#how.name !== null : failure !== null);
    if (!isUnread) return gaps;
    const to = Math.floor(serverClock(this.#o, 'logging')());
    const from = this.#tail === null ? this.readTo : this.#how.range.to;
    const reason = failure === null ? 'notRead' : reasonOf(failure);
    return to > from ? [{ id: 'never read', from, to, reason, rows: null }] : [];
  }

  #told(gaps: readonly Gap[]): Gap[] {
    return gaps.map((gap) => ofZone(gap, this.#how.name));
  }
}

/** Only the user can change what the zone is refused. */
function isRefused(failure: Failure | null): failure is Failure {
  return failure !== null && tailFaultOf(failure.kind).reason === 'refused';
}

/** Rows of the recent past that were printed before the tail read their time again. */
class KnownRows {
  readonly #since: number;
  /** How often each was printed without having come again. */
  readonly #printed = new Map<number, number>();

  /** `since`: rows before this time are not read again. */
  constructor(since: number) {
    this.#since = since;
  }

  addAll(records: readonly LogRecord[]): void {
    const recent = records.filter(({ timestamp }) => timestamp >= this.#since);
    for (const [key, same] of Map.groupBy(recent, rowKey)) {
      this.#printed.set(key, Math.max(same.length, this.#printed.get(key) ?? 0));
    }
  }

  /** The records that were not printed; each that was is dropped here, as the tail brings it once. */
  without(records: readonly LogRecord[]): readonly LogRecord[] {
    if (this.#printed.size === 0) return records;
    return records.filter((record) => {
      const key = rowKey(record);
      const left = this.#printed.get(key) ?? 0;
      if (left > 0) this.#printed.set(key, left - 1);
      return left === 0;
    });
  }
}

/**
 * Reports once on standard error that the tail gets into trouble, and once that it is out of it; what ends the tail
 * is reported elsewhere.
 */
function createStatusLine(o: Printer, name: NamedZone | null): (report: TailReport) => void {
  let said: TailStatus = 'live';
  const head = name === null ? '' : `${name.name}: `;
  return ({ status, failure }) => {
    if (status === said) return;
    if (TROUBLED.includes(status) && failure !== null) {
      said = status;
      if (isRefused(failure)) return;
      const { what, next } = explain(failure);
      say(o.stderr, `${head}${what} Still following. ${next}`);
    } else if (status === 'live' || status === 'quiet') {
      if (TROUBLED.includes(said)) say(o.stderr, `${head}the API answers again`);
      said = 'live';
    }
  };
}
