import type { CommandLine } from '../config/command/command-line.ts';
import { failureOf } from '../domain/failure.ts';
import { keptSince } from '../domain/kept.ts';
import { NO_CAUSES } from '../domain/origin-cause.ts';
import { asksCause } from '../domain/query/cause-terms.ts';
import type { Query } from '../domain/query/query.ts';
import { printQuery } from '../domain/query/query-text.ts';
import { aheadOf, parseDay } from '../domain/query/query-time.ts';
import type { Watch } from '../domain/questions/watch/watch.ts';
import type { Gap, TimeRange } from '../domain/tail/coverage.ts';
import { serverClock } from '../effects/server-clock.ts';
import { say } from '../text/say.ts';
import { followLogs } from './follow/log-follow.ts';
import { printedFiles } from './logs/log-archive.ts';
import { dayReading, daySource, sayDayLimits } from './logs/log-day.ts';
import { type CountedRows, GROUPS_MOST, printLogGroups } from './logs/log-groups.ts';
import { type StoredPart, storedPart } from './logs/log-history.ts';
import {
  clashOf,
  goneOf,
  type PartSource,
  type PrintedQuestion,
  readingOf,
  withoutZoneTerms,
} from './logs/log-question.ts';
import { printWindow, sayGone, windowSource } from './logs/log-window.ts';
import { openCheckpoints, SharedOutput } from './logs/resume.ts';
import { causesOfWindow } from './logs/told-causes.ts';
import { presentOfLogs } from './present.ts';
import { formattedLines, type LineFormat } from './printed-lines.ts';
import { endOf, failed, type Printer, WRONG_USAGE } from './printer.ts';
import { logZonesNamed } from './zones.ts';

const DAY = 86_400_000;

/** Prints a window or a day of the log of zones, counts it by groups, or follows it; resolves to the exit code. */
export async function printLogs(
  o: Printer,
  line: CommandLine,
  asked: Query,
  watch: Watch | null,
): Promise<number> {
  const clash = clashOf(line, asked);
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
  const { code } = endOf(o);
  if (code !== null) return code;
  const reading = readingOf(zones, query, now, causeOf);
  if (day !== null) return printDay(o, reading, { line, query, day: isoDay(day.midnight) });
  const lines = formattedLines(o.format, zones);
  if (line.follow) {
    const older = await olderOf(o, reading, query);
    const { range } = older?.reading ?? reading;
    const watched = watch && { watch, since: query.window === null ? now : range.from };
    const how = { limit: line.limit, watched };
    if (older === null) return followLogs(o, reading, lines, how);
    const stored = { ...older, isJoined: true };
    const ended = await followLogs(older.printer, older.reading, lines, { ...how, stored });
    const told = await older.conclude();
    return ended || told;
  }
  const older = await olderOf(o, reading, query);
  if (older !== null) return printOlder(lines, { line, of: older });
  if (reading.range.from >= reading.range.to) {
    await o.write(
      goneOf(reading)
        .map((gap) => `${lines.gap(gap)}\n`)
        .join(''),
    );
    return failed(o, failureOf('windowRefused', { host: 'the platform' }));
  }
  if (reading.gone !== null) sayGone(o, reading.gone);
  const source = windowSource(o, reading, reading.range);
  if (query.groupBy.length > 0) return printGroups(o, reading, { source, limit: line.limit });
  const of = (range: TimeRange) => windowSource(o, reading, range);
  if (line.resume !== null) return resumed(o, reading, lines, { line, path: line.resume, source: of });
  return printWindow(o, reading, lines, { source, limit: line.limit, resume: null });
}

function printGroups(
  o: Printer,
  reading: PrintedQuestion,
  how: { source: PartSource; limit: number | null; counted?: CountedRows },
  gaps = goneOf(reading) as readonly Gap[],
): Promise<number> {
  const zones = reading.zones.map(({ zone }) => zone);
  return printLogGroups(o, { ...reading, zones, gaps }, { ...how, now: serverClock(o, 'logging') });
}

/** A window that reaches further back than the logging API keeps, with whoever has the rest of it. */
type Older = StoredPart &
  Pick<Query, 'terms'> & {
    reading: PrintedQuestion;
    split: number;
    /** `isJoined`: gaps that touch are one. */
    source: (isJoined: boolean) => (range: TimeRange) => PartSource;
  };

/** Null: the logging API has all of the window, or there is neither a store nor a stored file. */
async function olderOf(o: Printer, reading: PrintedQuestion, query: Query): Promise<Older | null> {
  const { gone } = reading;
  if (gone === null) return null;
  const opener = (await o.history?.()) ?? null;
  if (opener?.ok === false) say(o.stderr, opener.error.message, opener.error.hint);
  if (asksCause(query)) {
    if (opener?.ok)
      say(o.stderr, 'the history is left out: origin errors are told of what the platform keeps');
    return null;
  }
  const whole = { ...reading, gone: null, range: { from: gone.from, to: reading.range.to } };
  const files = o.stored == null ? null : printedFiles(o, o.stored);
  const open = opener?.ok ? opener.value : null;
  if (open === null) {
    // A window of all that is kept begins a minute too early: that minute is worth no file.
    if (files === null || gone.from >= keptSince(gone.to)) return null;
    const zones = reading.zones.map(({ zone }) => zone);
    if (!(await files.announce(zones, gone, endOf(o).signal))) return null;
  }
  const { terms } = query;
  const stored = storedPart(o, reading, query, { range: gone, open, files });
  const source = (isJoined: boolean) => (range: TimeRange) =>
    windowSource(stored.printer, whole, range, { stored: { ...stored, terms, isJoined } });
  return { ...stored, terms, reading: whole, split: gone.to, source };
}

/** A window of two sources: each moment is of one of them, so that no row comes twice. */
async function printOlder(
  lines: LineFormat,
  { line, of }: { line: CommandLine; of: Older },
): Promise<number> {
  const { printer: o, reading, split } = of;
  const source = of.source(line.limit === null && line.resume === null);
  const print = async (): Promise<number> => {
    if (reading.groupBy.length === 0) {
      if (line.resume !== null) return resumed(o, reading, lines, { line, path: line.resume, source });
      return printWindow(o, reading, lines, {
        source: source(reading.range),
        limit: line.limit,
        resume: null,
      });
    }
    const counted = await of.groups(reading.groupBy, GROUPS_MOST);
    if (counted === null)
      return printGroups(o, reading, { source: source(reading.range), limit: line.limit });
    const rest = { from: split, to: reading.range.to };
    const how = {
      source: rest.from < rest.to ? windowSource(o, reading, rest) : NOTHING,
      limit: line.limit,
      counted,
    };
    return printGroups(o, reading, how, counted.gaps);
  };
  const code = await print();
  return (await of.conclude()) || code;
}

async function* NOTHING(): AsyncGenerator<never> {}

function wrongUsage(o: Pick<Printer, 'stderr'>, why: string): number {
  say(o.stderr, why);
  return WRONG_USAGE;
}

function isoDay(midnight: number): string {
  return new Date(midnight).toISOString().slice(0, 10);
}

function printDay(
  o: Printer,
  reading: PrintedQuestion,
  { line, query, day }: { line: CommandLine; query: Query; day: string },
): Promise<number> {
  const hereText = printQuery({ ...query, window: null, groupBy: [] });
  const ofDay = dayReading(reading, day, hereText);
  sayDayLimits(o, ofDay, query);
  const how = { source: daySource(o, ofDay, day, query), limit: line.limit };
  if (query.groupBy.length > 0) return printGroups(o, ofDay, how);
  return printWindow(o, ofDay, formattedLines(o.format), { ...how, resume: null });
}

async function resumed(
  o: Printer,
  reading: PrintedQuestion,
  lines: LineFormat,
  how: { line: CommandLine; path: string; source: (range: TimeRange) => PartSource },
): Promise<number> {
  const { line, path, source: sourceOf } = how;
  // In whatever order they are named, they are the same zones.
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
    return await printWindow(o, rest, lines, { source, limit: line.limit, resume });
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
