import { explain } from '../domain/failure.ts';
import type { LogRecord } from '../domain/log.ts';
import type { Watch } from '../domain/questions/watch/watch.ts';
import { createWatcher, SETTLED } from '../domain/questions/watch/watcher.ts';
import type { Gap } from '../domain/tail/coverage.ts';
import { rowKey } from '../domain/tail/coverage-keys.ts';
import { TAIL_TUNING, tailFaultOf } from '../domain/tail/tail-pace.ts';
import type { TailReport, TailStatus } from '../domain/tail/tail-report.ts';
import { serverClock } from '../effects/server-clock.ts';
import { startTail } from '../effects/tail/tail.ts';
import { say } from '../text/say.ts';
import { createBoundedOutput, GapLines } from './followed-output.ts';
import { type PrintedQuestion, sayComing, sayLimit } from './log-question.ts';
import { sayGone, sayInterrupted, windowSource } from './log-window.ts';
import type { LineFormat } from './printed-lines.ts';
import { endOf, failed, type Printer } from './printer.ts';
import { createWatchTeller, MET } from './watch.ts';

const TROUBLED: readonly TailStatus[] = ['offline', 'rateLimited', 'failed'];

/**
 * Prints a window up to now in order of time, then what comes. Ends by a signal, a closed pipe, `--limit`, a first read
 * that fails, a refusal that only the user can change, or a watch that is met; gaps that were not told yet are told then.
 */
export async function followLogs(
  o: Printer,
  reading: PrintedQuestion,
  lines: LineFormat,
  { limit, watched }: { limit: number | null; watched: { watch: Watch; since: number } | null },
): Promise<number> {
  const end = endOf(o);
  const ended = Promise.withResolvers<number>();
  end.signal.addEventListener('abort', () => ended.resolve(end.code ?? 0), { once: true });
  const { range } = reading;
  const known = new KnownRows(range.to - TAIL_TUNING.lateness);
  const out = createBoundedOutput(o.write, lines);
  let left = limit ?? Number.POSITIVE_INFINITY;
  if (lines.head !== null) await o.write(`${lines.head}\n`);
  if (limit === 0) {
    sayLimit(o, limit, 'row', true);
    return 0;
  }
  if (reading.gone !== null) {
    await o.write(`${lines.gap(reading.gone)}\n`);
    sayGone(o, reading.gone);
  }

  const watcher = watched && createWatcher(watched.watch, watched.since);
  const tell = createWatchTeller(o);
  let isMet = false;
  const judge = (completeTo: number, gaps: readonly Gap[]) => {
    const verdict = watcher?.judge(completeTo - SETTLED, gaps);
    if (verdict === undefined || isMet) return;
    tell.verdict(verdict);
    isMet = verdict.kind === 'met';
    if (isMet) ended.resolve(MET);
  };
  const take = (records: readonly LogRecord[]): LogRecord[] => {
    const wanted = records.filter(reading.isWanted).slice(0, left);
    left -= wanted.length;
    if (left <= 0) ended.resolve(0);
    if (watcher !== null) for (const record of wanted) watcher.addRecord(record);
    return wanted;
  };
  const unread: Gap[] = [];
  let printedTo = range.from;
  for await (const part of windowSource(o, reading, range)(null)) {
    if (end.code !== null) break;
    known.addAll(part.records);
    await out.flush(take(part.records));
    if (part.gap !== null) await o.write(`${lines.gap(part.gap)}\n`);
    if (part.failure !== null) return failed(o, part.failure);
    if (part.gap !== null) unread.push(part.gap);
    printedTo = part.range.to;
    judge(part.range.to, unread);
    if (left <= 0 || isMet) break;
  }

  if (end.code !== null && printedTo < range.to) {
    if (end.code !== 0) sayInterrupted(o, printedTo);
    return end.code;
  }

  const gapLines = new GapLines();
  const stopper = new AbortController();
  const say = createStatusLine(o);
  // Before this nothing comes any more: what lay before the window was read when all its late rows were there.
  let settled = range.to - TAIL_TUNING.lateness;
  const tail =
    left <= 0 || isMet
      ? null
      : startTail({
          question: {
            zone: reading.zone,
            filter: reading.server,
            // What came late to the window just printed is looked for as well.
            from: Math.max(range.from, range.to - TAIL_TUNING.lateness),
            to: null,
          },
          fetch: (request, call) => o.client.logs(request, call),
          clock: o.clock,
          signal: stopper.signal,
          emit({ rows, report }) {
            if (stopper.signal.aborted || left <= 0 || isMet) return;
            out.add(take(known.without(rows.map((row) => row.record))));
            out.addGaps(gapLines.due(report.gaps, o.clock.now()));
            say(report);
            settled = Math.max(settled, report.watermark ?? settled);
            if (report.completeTo !== null) judge(report.completeTo, report.gaps);
            const { failure } = report;
            if (failure !== null && tailFaultOf(failure.kind).reason === 'refused')
              ended.resolve(failed(o, failure));
          },
        });
  const code = await ended.promise;
  stopper.abort();
  if (left <= 0 && limit !== null) sayLimit(o, limit, 'row', true);
  else if (tail !== null) out.addGaps(gapLines.rest(tail.currentGaps()));
  await out.done();
  const isInterrupted = code !== 0 && code === end.code;
  if (isInterrupted && tail !== null)
    sayComing(o, { from: range.from, to: serverClock(o, 'logging')() }, settled + TAIL_TUNING.lateness);
  return code;
}

/** Rows of the recent past that were printed before the tail read their time again. */
class KnownRows {
  readonly #since: number;
  /** How often each was printed, and has not come again yet. */
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

  /** The records that were not printed; each that was is forgotten, as the tail brings it once. */
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

/** Says on standard error when the tail gets into trouble and when it is out of it, once each. */
function createStatusLine(o: Printer): (report: TailReport) => void {
  let said: TailStatus = 'live';
  return ({ status, failure }) => {
    if (status === said) return;
    if (TROUBLED.includes(status) && failure !== null) {
      said = status;
      const { what, next } = explain(failure);
      say(o.stderr, `${what} Still following. ${next}`);
    } else if (status === 'live' || status === 'quiet') {
      if (TROUBLED.includes(said)) say(o.stderr, 'the API answers again');
      said = 'live';
    }
  };
}
