import type { LogRecord } from '../../domain/log.ts';
import { TAIL_TUNING } from '../../domain/tail/tail-pace.ts';
import { createWatcher, SETTLED, type Watch } from '../../domain/watch/watch.ts';
import { serverClock } from '../../effects/server-clock.ts';
import { say } from '../../text/say.ts';
import { goneGaps, nameAmong, type PrintedQuestion, sayComing, sayLimit } from '../logs/log-question.ts';
import { printedWords, sayGone, type WindowHow, windowSource } from '../logs/log-window.ts';
import type { LineFormat } from '../printed-lines.ts';
import { createFailures, createStop, type Printer } from '../printer.ts';
import { createWatchTeller, MET } from '../watch.ts';
import { createBoundedOutput } from './followed-output.ts';
import { FollowedZone } from './followed-zone.ts';
import { GatheredRows } from './gathered-rows.ts';

/** As long as the first window of a zone waits for that of another one, ms: a poll, and a little. */
const WAITED_FOR = 1_000;

/**
 * Prints a window up to now in order of time, then what comes, each zone as its own tail brings it. Ends by a signal, a closed pipe,
 * `--limit`, a watch that is met, or where nothing comes of any zone: their first reads fail, or each is refused what only
 * the user can change. Gaps that were not told yet are told then.
 */
export async function followLogs(
  o: Printer,
  reading: PrintedQuestion,
  lines: LineFormat,
  {
    limit,
    watched,
    stored,
  }: { limit: number | null; watched: { watch: Watch; since: number } | null } & Pick<WindowHow, 'stored'>,
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
    if (verdict.kind === 'met') stop(MET);
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
