import type { CommandLine } from '../../config/command/command-line.ts';
import type { HeldLog } from '../../domain/inquiry/held-log.ts';
import { ofSaved, SAVED_ZONE, savedRanges } from '../../domain/inquiry/saved-inquiry.ts';
import { LogBook } from '../../domain/logs/log-book.ts';
import { arrivalsOf } from '../../domain/logs/log-rows.ts';
import { emptyReport, SAVED_CAPACITY, type SavedReport } from '../../domain/logs/saved-report.ts';
import { savedRange } from '../../domain/logs/saved-window.ts';
import type { Query } from '../../domain/query/query.ts';
import type { Asked } from '../../domain/questions/asked/asked.ts';
import { inquiryOf } from '../../domain/questions/asked/inquiry-of.ts';
import { type QuestionId, questionOf } from '../../domain/questions/asked/questions.ts';
import { againstAsked } from '../../domain/questions/comparison/lenses.ts';
import { shared } from '../../domain/tail/coverage.ts';
import { recallInquiry } from '../../effects/read-inquiry.ts';
import type { SavedInput } from '../../effects/saved/saved-input.ts';
import { readSavedLogs } from '../../effects/saved/saved-logs.ts';
import { sanitise } from '../../text/sanitise.ts';
import { say } from '../../text/say.ts';
import { count, counted } from '../../text/units.ts';
import { endOf, FAILED, wrongUsage } from '../printer.ts';
import { createProgressLine } from '../progress.ts';
import { type AskPrinter, printAnswer, queryTrouble, questionWords } from './ask.ts';

/** Asks a question of saved logs, without any request; resolves to the exit code. */
export async function printAskSaved(
  o: AskPrinter,
  line: CommandLine,
  query: Query,
  inputs: readonly SavedInput[],
): Promise<number> {
  const question = line.word as QuestionId;
  const trouble = queryTrouble(question, query);
  if (trouble !== null) return wrongUsage(o, trouble);
  const end = endOf(o);
  const { book, report } = await bookOf(o, inputs, end.signal);
  for (const { file, what } of report.troubles) say(o.stderr, `${sanitise(file, 'text', 200)} ${what}`);
  const read = counted(book.size, 'row was', 'rows were');
  const ended = end.told(`interrupted; ${read} read, and nothing is answered`);
  if (ended !== null) return ended;
  const asked = askedOfSaved(line, question, query, { book, report });
  if (typeof asked === 'string') return wrongUsage(o, asked);
  const now = asked.range.to;
  const made = inquiryOf(asked, {
    now,
    shieldZoneId: undefined,
    held: book.size,
    edge: report.span?.from ?? now,
  });
  if (!made.ok) return wrongUsage(o, made.why);
  const inquiry = ofSaved(made.inquiry, report);
  say(o.stderr, `${questionWords(asked)}: ${counted(book.size, 'row')}, no request`);
  recallInquiry(inquiry, { logs: [heldOf(book, report)], events: [] }, end.signal);
  const asking = { asked: 0, answered: 0, failures: 0, failure: null, isCut: false };
  const answer = { asked, zone: null, files: line.files, table: inquiry.table(), price: 0, asking };
  const { code } = await printAnswer(o, line, answer);
  const isWhole = report.troubles.every(({ isLoss }) => !isLoss);
  return code === 0 && !isWhole ? FAILED : code;
}

/** All rows of saved logs. A reading that the signal ended is `stopped`. */
async function bookOf(
  o: AskPrinter,
  inputs: readonly SavedInput[],
  signal: AbortSignal,
): Promise<{ book: LogBook; report: SavedReport }> {
  const book = new LogBook({ capacity: SAVED_CAPACITY });
  let report = emptyReport(inputs.length, null);
  const line = createProgressLine(o, () => (report.rows === 0 ? '' : `${count(report.rows)} rows read`));
  await readSavedLogs({
    inputs,
    follow: false,
    clock: o.clock,
    signal,
    emit({ rows, report: now }) {
      if (rows !== null) book.append(arrivalsOf(rows));
      report = now;
      line.show();
    },
  }).finally(line.end);
  book.settle();
  return { book, report: report.status === 'reading' ? { ...report, status: 'stopped' } : report };
}

function heldOf(book: LogBook, report: SavedReport): HeldLog {
  return {
    zoneId: SAVED_ZONE.id,
    filter: {},
    ranges: () => savedRanges(report, book.keptFrom),
    rows: (range, most) => book.between(range, most),
  };
}

/** A question about saved logs, as a screen would ask it; or why it cannot be asked. */
function askedOfSaved(
  line: CommandLine,
  question: QuestionId,
  { terms, window }: Query,
  { book, report }: { book: LogBook; report: SavedReport },
): Asked | string {
  const { span } = report;
  const all = span && { from: span.from, to: span.to + 1 };
  const [range] = all ? shared(savedRange(window, span) ?? all, [all]) : [];
  if (!range || !all) return 'the saved logs hold no row in this window';
  const asked: Asked = { question, subject: 'logs', zones: [SAVED_ZONE], terms, range, against: null };
  if (!questionOf(question).isCompared) return asked;
  const held = shared(all, savedRanges(report, book.keptFrom));
  const compared = againstAsked(line.against, { range, held, edge: all.from, now: all.to });
  return compared.ok ? { ...asked, range: compared.range, against: compared.against } : compared.why;
}
