import type { CommandLine } from '../config/command/command-line.ts';
import type { LogRecord } from '../domain/log.ts';
import { recordsOf } from '../domain/logs/log-rows.ts';
import type { SavedReport, SavedTrouble } from '../domain/logs/saved-report.ts';
import { savedRange } from '../domain/logs/saved-window.ts';
import { NO_CAUSES } from '../domain/origin-cause.ts';
import { matcher } from '../domain/query/match.ts';
import type { Query } from '../domain/query/query.ts';
import type { TimeRange } from '../domain/tail/coverage.ts';
import { closeInputs, openInputs, type SavedInput } from '../effects/saved/saved-input.ts';
import {
  itemSpan,
  merged,
  openStreams,
  type SavedItem,
  type SavedStream,
} from '../effects/saved/saved-items.ts';
import { readSavedLogs } from '../effects/saved/saved-logs.ts';
import { sanitise } from '../text/sanitise.ts';
import { say } from '../text/say.ts';
import { count, counted } from '../text/units.ts';
import { printLogGroups } from './logs/log-groups.ts';
import { sayLimit } from './logs/log-question.ts';
import { printWindow } from './logs/log-window.ts';
import { type PrintedPart, partAlone } from './logs/merged-parts.ts';
import { formattedLines } from './printed-lines.ts';
import { endOf, FAILED, type Printer, WRONG_USAGE, wrongUsage } from './printer.ts';

/** The printer of saved logs, which ask nobody. */
type SavedPrinter = Omit<Printer, 'client'>;

/** Saved rows are all there are: none may still come. */
const NEVER: TimeRange = { from: 0, to: 0 };

/** The wanted rows, and their time; null = all. */
type Choice = { isWanted: (record: LogRecord) => boolean; range: TimeRange | null };

/** Prints saved logs, several files merged by time, or follows them; resolves to the exit code. */
export async function printOpen(
  o: SavedPrinter,
  line: CommandLine,
  query: Query,
  inputs: readonly SavedInput[],
): Promise<number> {
  if (query.groupBy.length > 0 && line.follow)
    return wrongUsage(o, 'by: counts whole files; leave out --follow, or by: to print the rows');
  const choice = await choiceOf(o, line, query, inputs);
  if (choice === null) {
    await closeInputs(inputs);
    return WRONG_USAGE;
  }
  return line.follow
    ? printFollowed(o, choice, line.limit, inputs)
    : printWhole(o, choice, { limit: line.limit, groupBy: query.groupBy }, inputs);
}

/** Null when the window cannot be known, which is said. */
async function choiceOf(
  o: SavedPrinter,
  line: CommandLine,
  query: Query,
  inputs: readonly SavedInput[],
): Promise<Choice | null> {
  const matches = matcher(query.terms);
  const within = (range: TimeRange | null): Choice => ({
    range,
    isWanted: (record) => isWithin(range, record.timestamp, record.timestamp) && matches(record),
  });
  if (query.window?.kind !== 'last') return within(savedRange(query.window, null));
  // The newest row is known once all is read: files are read twice, which a stream cannot be.
  const again = inputs.some(({ size }) => size === null) ? null : await openInputs(line.files, null);
  if (!again?.ok) {
    say(
      o.stderr,
      'last: counts from the newest row, and a stream tells that only at its end',
      'use from: and to:, or a file',
    );
    return null;
  }
  const how = { clock: o.clock, near: o.clock.now(), signal: endOf(o).signal };
  const span = await itemSpan(again.inputs, how).finally(() => closeInputs(again.inputs));
  return within(savedRange(query.window, span));
}

/** Prints the rows or their groups as a window of which none may still come. */
async function printWhole(
  o: SavedPrinter,
  { isWanted, range }: Choice,
  { limit, groupBy }: { limit: number | null; groupBy: readonly string[] },
  inputs: readonly SavedInput[],
): Promise<number> {
  const stopper = new AbortController();
  const streams = openStreams(inputs, { clock: o.clock, near: o.clock.now(), signal: stopper.signal });
  o.onEnd(() => stopper.abort());
  let isRead = false;
  async function* source(): AsyncGenerator<PrintedPart> {
    for await (const items of merged(streams)) {
      let records: LogRecord[] = [];
      for (const item of items) {
        if (item.kind === 'row') records.push(item.record);
        else if (isWithin(range, item.gap.from, item.gap.to)) {
          yield partAlone({ range: NEVER, records, gap: item.gap, failure: null });
          records = [];
        }
      }
      yield partAlone({ range: NEVER, records, gap: null, failure: null });
    }
    isRead = !stopper.signal.aborted;
  }
  const how = { source, limit, now: () => o.clock.now() };
  const all = { range: NEVER, gone: null, zones: [], isWanted, groupBy, causeOf: NO_CAUSES };
  const code = await (groupBy.length > 0
    ? printLogGroups(o, { ...all, hereText: '' }, how)
    : printWindow(o, { ...all, hereText: null }, formattedLines(o.format), {
        ...how,
        resume: null,
        isEndless: inputs.some(({ kind }) => kind === 'stream'),
        undone: () => 'what comes after the last row is not printed',
      }));
  stopper.abort();
  await closeInputs(inputs);
  return isRead ? Math.max(code, concluded(o, streams)) : code;
}

async function printFollowed(
  o: SavedPrinter,
  { isWanted, range }: Choice,
  limit: number | null,
  inputs: readonly SavedInput[],
): Promise<number> {
  const lines = formattedLines(o.format);
  if (lines.head !== null) await o.write(`${lines.head}\n`);
  const stopper = new AbortController();
  o.onEnd(() => stopper.abort());
  if (limit === 0) {
    sayLimit(o, limit, 'row', 'there may be more');
    await closeInputs(inputs);
    return 0;
  }
  let left = limit ?? Number.POSITIVE_INFINITY;
  /** Prints the wanted items. A growing file is not waited for once the limit is reached. */
  async function print(items: readonly SavedItem[]): Promise<void> {
    let text = '';
    let isMore = false;
    for (const item of items) {
      if (item.kind === 'gap') {
        if (isWithin(range, item.gap.from, item.gap.to)) text += `${lines.gap(item.gap)}\n`;
        continue;
      }
      if (!isWanted(item.record)) continue;
      isMore = left === 0;
      if (isMore) break;
      text += `${lines.row(item.record)}\n`;
      left--;
    }
    await o.write(text);
    if (left > 0) return;
    sayLimit(o, limit, 'row', isMore ? 'there are more' : 'there may be more');
    stopper.abort();
  }
  let report: SavedReport | null = null;
  let said = 0;
  await readSavedLogs({
    inputs,
    follow: true,
    clock: o.clock,
    signal: stopper.signal,
    async emit(event) {
      const before = report?.gaps.length ?? 0;
      report = event.report;
      for (const trouble of report.troubles.slice(said)) sayTrouble(o, trouble);
      said = report.troubles.length;
      const items: SavedItem[] = report.gaps.slice(before).map((gap) => ({ kind: 'gap', gap }));
      for (const record of event.rows === null ? [] : recordsOf(event.rows))
        items.push({ kind: 'row', record });
      await print(items);
    },
  });
  const last = report as SavedReport | null;
  return last?.troubles.some((trouble) => trouble.isLoss) && left > 0 ? FAILED : 0;
}

function isWithin(range: TimeRange | null, from: number, to: number): boolean {
  return range === null || (from < range.to && to >= range.from);
}

/** Says what the rows do not show of their files; returns the exit code. */
export function concluded(o: Pick<Printer, 'stderr'>, streams: readonly SavedStream[]): number {
  let code = 0;
  for (const { input, progress } of streams) {
    const { trouble, bytesRead } = progress;
    const what = trouble ?? (bytesRead === 0 ? 'is empty' : null);
    if (what !== null) sayTrouble(o, { file: input.name, what });
    if (trouble !== null) code = FAILED;
  }
  const sum = (name: 'rows' | 'bad' | 'cut' | 'notText') =>
    streams.reduce((total, { parser }) => total + parser[name], 0);
  const [bad, cut, notText] = [sum('bad'), sum('cut'), sum('notText')];
  if (bad > 0)
    say(
      o.stderr,
      `${count(bad)} of ${counted(sum('rows'), 'row was', 'rows were')} not understood; NDJSON has them as _raw`,
    );
  if (cut > 0) say(o.stderr, `${counted(cut, 'line was', 'lines were')} too long and cut`);
  if (notText > 0) say(o.stderr, `${counted(notText, 'line has', 'lines have')} bytes that are no UTF-8`);
  return code;
}

function sayTrouble(o: Pick<Printer, 'stderr'>, { file, what }: Pick<SavedTrouble, 'file' | 'what'>): void {
  say(o.stderr, `${sanitise(file, 'text', 200)} ${what}`);
}
