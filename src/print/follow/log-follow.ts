import { explain, type Failure } from '../../domain/failure.ts';
import type { LogRecord } from '../../domain/log.ts';
import { arrivedRows } from '../../domain/logs/log-rows.ts';
import type { Query } from '../../domain/query/query.ts';
import type { Gap, TimeRange } from '../../domain/tail/coverage.ts';
import { rowKey } from '../../domain/tail/coverage-keys.ts';
import { TAIL_TUNING, tailFaultOf } from '../../domain/tail/tail-pace.ts';
import type { TailReport, TailStatus } from '../../domain/tail/tail-report.ts';
import { createWatcher, printWatch, SETTLED, type Watch } from '../../domain/watch/watch.ts';
import type { WindowPart } from '../../effects/read-window.ts';
import { serverClock } from '../../effects/server-clock.ts';
import { startTail, type Tail } from '../../effects/tail/tail.ts';
import { reasonOf } from '../../effects/tail/tail-health.ts';
import { say } from '../../text/say.ts';
import type { Clock } from '../../time/clock.ts';
import {
  goneGaps,
  nameAmong,
  type PrintedQuestion,
  sayComing,
  sayLimit,
  type ZoneQuestion,
} from '../logs/log-question.ts';
import { printedWords, sayGone, type WindowHow, windowSource } from '../logs/log-window.ts';
import { type NamedZone, ofZone, type ZoneFailure } from '../logs/merged-parts.ts';
import type { LineFormat } from '../printed-lines.ts';
import { createFailures, createStop, type Printer } from '../printer.ts';
import { createWatchTeller, metBy } from '../watch-command.ts';
import { createBoundedOutput, GapLines } from './followed-output.ts';

/** How long the first window of a zone waits for another zone's, ms: a poll and a little. */
const WAITED_FOR = 1_000;

/**
 * Prints a window up to now in order of time, then what comes, each zone by its own tail. Ends by a signal, a closed
 * pipe, `--limit`, a watch that is met, or where no zone brings anything: first reads failed, or each is refused what
 * only the user can change. The gaps left are written then.
 */
export async function followLogs(
  o: Printer,
  reading: PrintedQuestion,
  lines: LineFormat,
  {
    limit,
    watched,
    stored,
  }: {
    limit: number | null;
    watched: { watch: Watch; since: number; query: Query } | null;
  } & Pick<WindowHow, 'stored'>,
): Promise<number> {
  const { end, signal, stop, ended, failed } = createStop(o);
  const { range } = reading;
  const isSeveral = reading.zones.length > 1;
  const out = createBoundedOutput(
    o.write,
    lines,
    isSeveral ? { zoneOf: ({ pullZoneId }) => pullZoneId } : {},
  );
  if (lines.head !== null) await o.write(`${lines.head}\n`);
  if (limit === 0) {
    sayLimit(o, limit, 'row', 'there may be more');
    return 0;
  }
  if (reading.gone !== null) {
    out.addGaps(goneGaps(reading));
    sayGone(o, reading, reading.gone);
  }

  const failures = createFailures(o);
  const watcher = watched && createWatcher(watched.watch, watched.since);
  const tell = createWatchTeller(o);
  let left = limit ?? Number.POSITIVE_INFINITY;
  const wanted = (records: readonly LogRecord[]): LogRecord[] => {
    const kept = records.filter(reading.isWanted);
    if (watcher !== null) for (const record of kept) watcher.addRecord(record);
    return kept;
  };
  const within = (records: readonly LogRecord[]): readonly LogRecord[] => {
    const kept = left < records.length ? records.slice(0, left) : records;
    left -= kept.length;
    return kept;
  };
  const gathered = new GatheredRows({
    zones: reading.zones.length,
    clock: o.clock,
    put: (records) => {
      out.add(within(records));
      if (left <= 0) stop(failures.code);
    },
  });
  const zones = reading.zones.map(
    (question, at) =>
      new FollowedZone(o, {
        question,
        name: nameAmong(reading, question.zone),
        range,
        signal,
        printed: judge,
        emit({ records, gaps, rowsTo, lost }) {
          gathered.add(at, wanted(records), rowsTo);
          out.addGaps(gaps);
          judge();
          failures.say(lost);
          endWhereLost();
        },
      }),
  );

  function judge(): void {
    const readTo = Math.min(...zones.map((zone) => zone.readTo));
    const verdict = watcher?.judge(
      readTo - SETTLED,
      zones.flatMap(({ gaps }) => gaps),
    );
    if (verdict === undefined || signal.aborted) return;
    tell.verdict(verdict);
    if (verdict.kind !== 'met' || watched === null) return;
    const { watch, query } = watched;
    const names = reading.zones.map(({ zone }) => zone.name);
    stop(metBy(o, end.signal, { condition: printWatch(watch), zones: names, query }, watch, verdict));
  }

  function endWhereLost(): void {
    const lost = zones.filter((zone) => zone.lost !== null);
    const isInVain = watcher !== null && lost.some(({ isRefused }) => isRefused);
    if (isInVain && isSeveral) say(o.stderr, '--until is judged over all zones together, so it ends here');
    if (isInVain || lost.length === zones.length) stop(failures.code);
  }

  async function readWindows(): Promise<void> {
    const read = windowSource(o, reading, range, {
      through: (question, parts) => zones[reading.zones.indexOf(question)]?.window(parts) ?? parts,
      stored,
      ...(isSeveral ? { patience: { clock: o.clock, ms: WAITED_FOR } } : {}),
    });
    for await (const part of read(null)) {
      if (signal.aborted) return;
      await out.flush(within(wanted(part.records)));
      out.addGaps(part.gaps);
      failures.say(part.failures);
      if (left <= 0) stop(failures.code);
      if (part.failures.length > 0) endWhereLost();
    }
  }

  void readWindows().catch(failed);
  const code = await ended;
  gathered.flush();
  if (left <= 0 && limit !== null) sayLimit(o, limit, 'row', 'there may be more');
  else for (const zone of zones) out.addGaps(zone.lastGaps());
  await out.done();
  if (code === 0 || code !== end.code) return code;
  if (zones.every(({ isFollowed }) => isFollowed)) {
    const settled = Math.min(...zones.map((zone) => zone.settled));
    const now = serverClock(o, 'logging')();
    sayComing(o, { from: range.from, to: now }, settled + TAIL_TUNING.lateness);
  } else end.told(`interrupted; ${printedWords(Math.min(...zones.map(({ readTo }) => readTo)))}`);
  return code;
}

/** How long a row waits for those of other zones, ms: a poll of a busy zone. */
const HELD_MOST = 800;

/** `since`: when it came, ms of the clock. */
type Held = { record: LogRecord; since: number };

/**
 * Puts the rows of several zones into one order of time. A row waits until every zone was read up to it, and a poll
 * at most; then it goes out, whatever other zones bring later.
 */
class GatheredRows {
  readonly #clock: Clock;
  readonly #put: (records: readonly LogRecord[]) => void;
  /** Up to where each zone was read, Unix ms. */
  readonly #readTo: number[];
  /** In the order in which they came. */
  #held: Held[] = [];
  #cancel = () => {};

  constructor(o: { zones: number; clock: Clock; put: (records: readonly LogRecord[]) => void }) {
    this.#clock = o.clock;
    this.#put = o.put;
    this.#readTo = Array.from({ length: o.zones }, () => Number.NEGATIVE_INFINITY);
  }

  /** `zone`: its place among the zones; hardly a row of it before `readTo`, Unix ms, is still to come. */
  add(zone: number, records: readonly LogRecord[], readTo: number): void {
    if (this.#readTo.length === 1) {
      this.#put(records);
      return;
    }
    const since = this.#clock.now();
    this.#readTo[zone] = Math.max(this.#readTo[zone] ?? readTo, readTo);
    for (const record of records) this.#held.push({ record, since });
    this.#release(Math.min(...this.#readTo));
  }

  /** Releases what still waits. */
  flush(): void {
    this.#release(Number.POSITIVE_INFINITY);
  }

  /** Releases what is older than a time, and what has waited long enough with all before it. */
  #release(time: number): void {
    this.#cancel();
    const now = this.#clock.now();
    let to = time;
    for (const { record, since } of this.#held) {
      if (since > now - HELD_MOST) break;
      to = Math.max(to, record.timestamp + 1);
    }
    const ready = this.#held.filter(({ record }) => record.timestamp < to).map(({ record }) => record);
    this.#held = this.#held.filter(({ record }) => record.timestamp >= to);
    const [oldest] = this.#held;
    if (oldest) this.#cancel = this.#clock.after(oldest.since + HELD_MOST - now, () => this.#release(time));
    if (ready.length > 0) this.#put(ready.sort((a, b) => a.timestamp - b.timestamp));
  }
}

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
class FollowedZone {
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
        const records = arrivedRows(rows).map(({ record }) => record);
        const gaps = this.#gapLines.due(this.#missing(report.gaps), this.#o.clock.now());
        this.#how.emit({
          records: this.#known.without(records),
          gaps: this.#told(gaps),
          rowsTo: this.#rowsTo(records, report),
          lost: this.#newlyLost(report),
        });
      },
    });
  }

  /** A zone's rows are in order nearly always; one of the future does not count. */
  #rowsTo(records: readonly LogRecord[], { serverNow }: TailReport): number {
    const now = serverNow ?? this.readTo;
    return records.reduce((to, { timestamp }) => Math.max(to, Math.min(timestamp, now)), this.readTo);
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
