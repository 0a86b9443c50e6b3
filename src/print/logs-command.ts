import type { CommandLine } from '../config/command/command-line.ts';
import { failureOf } from '../domain/failure.ts';
import { NO_CAUSES } from '../domain/origin-cause.ts';
import { asksCause } from '../domain/query/cause-terms.ts';
import type { Query } from '../domain/query/query.ts';
import { aheadOf, parseDay } from '../domain/query/query-time.ts';
import type { TimeRange } from '../domain/tail/coverage.ts';
import type { Watch } from '../domain/watch/watch.ts';
import { serverClock } from '../effects/server-clock.ts';
import { say } from '../text/say.ts';
import { DAY } from '../text/units.ts';
import { followLogs } from './follow/log-follow.ts';
import { dayReading, daySource, sayDayLimits } from './logs/log-day.ts';
import { GROUPS_MOST, printLogGroups } from './logs/log-groups.ts';
import {
  causesOfWindow,
  goneGaps,
  type PartSource,
  type PrintedQuestion,
  queryClash,
  readingOf,
  withoutZoneTerms,
} from './logs/log-question.ts';
import { newestFirst, olderWords, printWindow, sayGone, windowSource } from './logs/log-window.ts';
import { openCheckpoints, SharedOutput } from './logs/resume.ts';
import { type StoredPart, storeBehind, storedPart } from './logs/stored-window.ts';
import { presentOfLogs } from './present.ts';
import { formattedLines, type LineFormat } from './printed-lines.ts';
import { endOf, failed, type Printer, wrongUsage } from './printer.ts';
import { logZonesNamed } from './zones-command.ts';

/** Prints a window or a day of the log of zones, counts it by groups, or follows it; resolves to the exit code. */
export async function printLogs(
  o: Printer,
  line: CommandLine,
  asked: Query,
  watch: Watch | null,
): Promise<number> {
  const clash = queryClash(line, asked);
  if (clash !== null) return wrongUsage(o, clash);
  const named = await logZonesNamed(o, line.zone ?? '');
  if (typeof named === 'number') return named;
  const chosen = withoutZoneTerms(named, asked);
  if (chosen === null) return wrongUsage(o, `zone: leaves none of the zones that '${line.zone}' names`);
  const { zones, query } = chosen;
  if (line.v1 && zones.length > 1)
    return wrongUsage(
      o,
      `--v1 reads the file of one zone, and '${line.zone}' names ${zones.length}; leave out --v1`,
    );
  const now = await presentOfLogs(o, zones);
  const day = line.v1 && line.day !== null ? parseDay(line.day, now) : null;
  if (day?.ok === false) return wrongUsage(o, day.message);
  const window = day === null ? query.window : ({ kind: 'absolute', from: day.midnight, to: null } as const);
  const ahead = aheadOf(window, now);
  if (ahead !== null) return wrongUsage(o, `${ahead.message}: ${ahead.hint}`);
  const plain = readingOf(zones, query, now);
  const range = day === null ? plain.range : { from: day.midnight, to: Math.min(now, day.midnight + DAY) };
  const causeOf = asksCause(query) ? await causesOfWindow(o, zones, range) : NO_CAUSES;
  const end = endOf(o);
  if (end.code !== null) return end.code;
  const reading = readingOf(zones, query, now, causeOf);
  const lines = formattedLines(o.format, zones);
  const of =
    day === null
      ? ((await olderOf(o, reading, query)) ?? platformOf(o, reading))
      : ofDay(o, dayReading(reading, day.midnight, query), query);
  if (line.follow) {
    const since = query.window === null ? now : of.reading.range.from;
    const watched = watch && { watch, since, query };
    const stored = of.stored && { ...of.stored, isJoined: true };
    const ended = await followLogs(of.printer, of.reading, lines, { limit: line.limit, watched, stored });
    const told = await of.conclude();
    return ended || told;
  }
  const code = await printClosed(of, lines, line);
  return (await of.conclude()) || code;
}

/** The source of a window's rows. */
type LogSource = Pick<StoredPart, 'printer' | 'groups' | 'conclude'> & {
  reading: PrintedQuestion;
  /** The store of what the logging API no longer keeps. */
  stored?: StoredPart;
  /** The time from which the logging API still keeps rows. */
  split: number;
  /** `isJoined`: gaps that touch are one. */
  source: (isJoined: boolean) => (range: TimeRange) => PartSource;
};

/** A source that counts nothing itself and has nothing to say at its end. */
function plainSource(
  printer: Printer,
  reading: PrintedQuestion,
  source: (range: TimeRange) => PartSource,
): LogSource {
  const { from: split } = reading.range;
  return { printer, reading, split, source: () => source, groups: async () => null, conclude: async () => 0 };
}

function platformOf(o: Printer, reading: PrintedQuestion): LogSource {
  return plainSource(o, reading, (range) => windowSource(o, reading, range));
}

function ofDay(o: Printer, reading: PrintedQuestion, query: Query): LogSource {
  sayDayLimits(o, reading, query);
  return plainSource(o, reading, () => daySource(o, reading, query));
}

/**
 * A window reaching further back than the logging API keeps, with the store of the rest. Null: no rest, or no store.
 */
async function olderOf(o: Printer, reading: PrintedQuestion, query: Query): Promise<LogSource | null> {
  const { gone } = reading;
  if (gone === null) return null;
  const open = await storeBehind(o);
  if (open === null) return null;
  if (asksCause(query)) {
    say(o.stderr, 'the history is left out: origin errors are known of what the platform keeps alone');
    return null;
  }
  const stored = storedPart(o, reading, query.terms, gone, open);
  const whole = { ...reading, gone: null, range: { from: gone.from, to: reading.range.to } };
  const source = (isJoined: boolean) => (range: TimeRange) =>
    windowSource(stored.printer, whole, range, { stored: { ...stored, isJoined } });
  return { ...stored, reading: whole, stored, split: gone.to, source };
}

/** A closed window. Each moment of it is of one source, so that no row comes twice. */
async function printClosed(of: LogSource, lines: LineFormat, line: CommandLine): Promise<number> {
  const { printer: o, reading, split } = of;
  const { range, gone } = reading;
  if (range.from >= range.to) {
    await o.write(
      goneGaps(reading)
        .map((gap) => `${lines.gap(gap)}\n`)
        .join(''),
    );
    const code = failed(o, failureOf('windowRefused', { host: 'the platform' }));
    const zones = reading.zones.map(({ zone }) => zone);
    for (const words of gone === null ? [] : olderWords(zones, gone)) say(o.stderr, words);
    return code;
  }
  if (gone !== null) sayGone(o, reading, gone);
  const { limit } = line;
  const now = serverClock(o, 'logging');
  const source = of.source(limit === null && line.resume === null);
  if (reading.groupBy.length === 0) {
    if (line.resume !== null) return resumed(o, reading, lines, { line, path: line.resume, source });
    const isNewestFirst = line.order === 'desc';
    const parts = isNewestFirst ? newestFirst(reading, source) : source(range);
    return printWindow(o, reading, lines, { source: parts, limit, now, resume: null, isNewestFirst });
  }
  const rest = { from: split, to: range.to };
  const isAll = rest.from >= rest.to;
  // Rows of the platform may make any group of the store one of the largest.
  const counted = await of.groups(
    reading.groupBy,
    isAll ? Math.min(limit ?? GROUPS_MOST, GROUPS_MOST) : GROUPS_MOST,
  );
  if (counted === null) return printLogGroups(o, reading, { source: source(range), limit, now });
  const uncounted = isAll ? NOTHING : windowSource(o, reading, rest);
  return printLogGroups(o, reading, { source: uncounted, limit, now, counted });
}

async function* NOTHING(): AsyncGenerator<never> {}

async function resumed(
  o: Printer,
  reading: PrintedQuestion,
  lines: LineFormat,
  how: { line: CommandLine; path: string; source: (range: TimeRange) => PartSource },
): Promise<number> {
  const { line, path, source: sourceOf } = how;
  // The same zones in whatever order they are named.
  const ids = reading.zones.map(({ zone }) => zone.id).toSorted();
  const question = { zone: ids.join(','), query: line.query, format: o.format, limit: line.limit };
  const resume = await openCheckpoints(o, path, question, reading.range);
  if (typeof resume === 'number') return resume;
  if (resume.isFinished) {
    say(o.stderr, `${path} says that all of it is written; nothing was asked`);
    return 0;
  }
  const rest = { ...reading, range: resume.range };
  const source = sourceOf(resume.range);
  try {
    const now = serverClock(o, 'logging');
    return await printWindow(o, rest, lines, { source, limit: line.limit, now, resume });
  } catch (error) {
    if (error instanceof SharedOutput) {
      say(
        o.stderr,
        'something else writes to the output at the same time, or into its middle; it is not gone on with',
      );
      return 1;
    }
    const { code } = error as { code?: string };
    if (code === undefined) throw error;
    say(o.stderr, `${path} cannot be written (${code}); the output may be longer than it says`);
    return 1;
  }
}
