import type { LogRecord } from '../../domain/log.ts';
import type { Query } from '../../domain/query/query.ts';
import { TAIL_TUNING } from '../../domain/tail/tail-pace.ts';
import { createWatcher, printWatch, SETTLED, type Watch } from '../../domain/watch/watch.ts';
import { serverClock } from '../../effects/server-clock.ts';
import { say } from '../../text/say.ts';
import type { Clock } from '../../time/clock.ts';
import { goneGaps, nameAmong, type PrintedQuestion, sayComing, sayLimit } from '../logs/log-question.ts';
import { printedWords, sayGone, type WindowHow, windowSource } from '../logs/log-window.ts';
import type { LineFormat } from '../printed-lines.ts';
import { createFailures, createStop, type Printer } from '../printer.ts';
import { createWatchTeller, metBy } from '../watch-command.ts';
import { createBoundedOutput } from './followed-output.ts';
import { FollowedZone } from './followed-zone.ts';

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
