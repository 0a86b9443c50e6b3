import type { CommandLine } from '../config/command/command-line.ts';
import type { LogRecord } from '../domain/log.ts';
import { recordsOf, type SavedReport, type SavedTrouble } from '../domain/logs/saved-report.ts';
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
import { type PrintedPart, partAlone } from './logs/merged-parts.ts';
import { formattedLines, type LineFormat } from './printed-lines.ts';
import { endOf, type Printer, WRONG_USAGE, wrongUsage } from './printer.ts';

/** Where saved logs are printed: nothing is asked of anybody. */
type SavedPrinter = Omit<Printer, 'client'>;

const NOT_READ = 1;

/** Saved rows are all there are: none of them may still come. */
const NEVER: TimeRange = { from: 0, to: 0 };

type Choice = { wanted: (record: LogRecord) => boolean; range: TimeRange | null };

/** Prints saved logs, several files merged by time, or follows them; resolves to the exit code. */
export async function printOpen(
  o: SavedPrinter,
  line: CommandLine,
  query: Query,
  inputs: readonly SavedInput[],
): Promise<number> {
  if (query.groupBy.length > 0 && line.follow)
    return wrongUsage(o, 'by: counts whole files; leave out --follow, or by: to print the rows');
  const choice = await choiceOf(o, line, query);
  if (choice === null) return WRONG_USAGE;
  if (query.groupBy.length > 0) return printGroups(o, choice, query.groupBy, line.limit, inputs);
  const lines = formattedLines(o.format);
  if (lines.head !== null) await o.write(`${lines.head}\n`);
  return line.follow
    ? printFollowed(o, lines, choice, line.limit, inputs)
    : printWhole(o, lines, choice, line.limit, inputs);
}

/** Null when the window cannot be known, which is said. */
async function choiceOf(o: SavedPrinter, line: CommandLine, query: Query): Promise<Choice | null> {
  const wanted = matcher(query);
  if (query.window?.kind !== 'last') return { wanted, range: savedRange(query.window, null) };
  // The newest row is known when all has been read: files are read twice, which a stream cannot be.
  const again = await openInputs(line.files, null);
  const isStream = !again.ok || again.inputs.some((input) => input.size === null);
  if (isStream) {
    if (again.ok) await closeInputs(again.inputs);
    say(
      o.stderr,
      'last: counts from the newest row, and a stream tells that only at its end',
      'use from: and to:, or a file',
    );
    return null;
  }
  const span = await itemSpan(again.inputs, o.clock.now());
  await closeInputs(again.inputs);
  return { wanted, range: savedRange(query.window, span) };
}

async function printWhole(
  o: SavedPrinter,
  lines: LineFormat,
  choice: Choice,
  limit: number | null,
  inputs: readonly SavedInput[],
): Promise<number> {
  const stopper = new AbortController();
  const streams = openStreams(inputs, o.clock.now(), stopper.signal);
  const printed = printing(o, lines, choice, { limit, isGrowing: false });
  const end = endOf(o);
  o.onEnd(() => stopper.abort());
  for await (const items of merged(streams)) {
    if (end.signal.aborted || !(await printed.take(items))) break;
  }
  stopper.abort();
  await closeInputs(inputs);
  const ended = end.told('interrupted; what comes after the last row is not printed');
  if (ended !== null) return ended;
  return printed.isCut() ? 0 : concluded(o, streams);
}

async function printGroups(
  o: SavedPrinter,
  { wanted, range }: Choice,
  by: readonly string[],
  limit: number | null,
  inputs: readonly SavedInput[],
): Promise<number> {
  const streams = openStreams(inputs, o.clock.now(), new AbortController().signal);
  async function* parts(): AsyncGenerator<PrintedPart> {
    for await (const items of merged(streams)) {
      const rows: LogRecord[] = [];
      for (const item of items) {
        if (item.kind === 'row') rows.push(item.record);
        else if (isWithin(range, item.gap.from, item.gap.to)) {
          yield partAlone({ range: item.gap, records: [], gap: item.gap, failure: null });
        }
      }
      yield partAlone({ range: NEVER, records: rows, gap: null, failure: null });
    }
  }
  const isWanted = (record: LogRecord) =>
    isWithin(range, record.timestamp, record.timestamp) && wanted(record);
  const choice = { range: NEVER, gone: null, zones: [], isWanted, hereText: '', groupBy: by };
  const reading = { ...choice, causeOf: NO_CAUSES };
  const code = await printLogGroups(o, reading, { source: parts, limit, now: () => o.clock.now() });
  await closeInputs(inputs);
  return Math.max(code, concluded(o, streams));
}

async function printFollowed(
  o: SavedPrinter,
  lines: LineFormat,
  choice: Choice,
  limit: number | null,
  inputs: readonly SavedInput[],
): Promise<number> {
  const stopper = new AbortController();
  o.onEnd(() => stopper.abort());
  if (limit === 0) {
    sayLimit(o, limit, 'row', true);
    await closeInputs(inputs);
    return 0;
  }
  const printed = printing(o, lines, choice, { limit, isGrowing: true });
  let report: SavedReport | null = null;
  let said = 0;
  await readSavedLogs({
    inputs,
    follow: true,
    clock: o.clock,
    signal: stopper.signal,
    async emit(event) {
      const before = report?.gaps ?? [];
      report = event.report;
      for (const trouble of report.troubles.slice(said)) sayTrouble(o, trouble);
      said = report.troubles.length;
      const items: SavedItem[] = report.gaps
        .filter((gap) => !before.includes(gap))
        .map((gap) => ({ kind: 'gap', gap }));
      for (const record of event.rows === null ? [] : recordsOf(event.rows))
        items.push({ kind: 'row', record });
      if (!(await printed.take(items))) stopper.abort();
    },
  });
  const last = report as SavedReport | null;
  return last?.troubles.some((trouble) => trouble.isLoss) && !printed.isCut() ? NOT_READ : 0;
}

/** Prints what is wanted of items; `take` is false once the limit is reached. A file that grows is not waited for then. */
function printing(
  o: SavedPrinter,
  lines: LineFormat,
  { wanted, range }: Choice,
  { limit, isGrowing }: { limit: number | null; isGrowing: boolean },
) {
  let left = limit ?? Number.POSITIVE_INFINITY;
  let isCut = false;
  return {
    isCut: () => isCut,
    async take(items: readonly SavedItem[]): Promise<boolean> {
      let text = '';
      for (const item of items) {
        if (item.kind === 'gap') {
          if (isWithin(range, item.gap.from, item.gap.to)) text += `${lines.gap(item.gap)}\n`;
          continue;
        }
        const { record } = item;
        if (!isWithin(range, record.timestamp, record.timestamp) || !wanted(record)) continue;
        if (left === 0) {
          isCut = true;
          break;
        }
        text += `${lines.row(record)}\n`;
        left--;
      }
      await o.write(text);
      const isUnsure = isGrowing && left === 0 && !isCut;
      isCut ||= isUnsure;
      if (isCut) sayLimit(o, limit, 'row', isUnsure);
      return !isCut;
    },
  };
}

function isWithin(range: TimeRange | null, from: number, to: number): boolean {
  return range === null || (from < range.to && to >= range.from);
}

/** Says what rows do not show of the files that they were read from; the exit code. */
export function concluded(o: Pick<Printer, 'stderr'>, streams: readonly SavedStream[]): number {
  let code = 0;
  for (const { input, progress } of streams) {
    const { trouble, bytesRead } = progress;
    const what = trouble ?? (bytesRead === 0 ? 'is empty' : null);
    if (what !== null) sayTrouble(o, { file: input.name, what });
    if (trouble !== null) code = NOT_READ;
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
