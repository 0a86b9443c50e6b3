import type { CommandLine } from '../../config/command/command-line.ts';
import { exitCodeOf, explain } from '../../domain/failure.ts';
import { type AnswerFormat, answerText } from '../../domain/handover/answer-formats.ts';
import { askedCommand, type CommandSource, commandOf } from '../../domain/handover/place.ts';
import { type Asked, isWrong } from '../../domain/questions/asked/asked.ts';
import type { AnswerRow, AnswerTable } from '../../domain/questions/inquiry/answer-table.ts';
import type { Asking } from '../../effects/read-inquiry.ts';
import { sanitise } from '../../text/sanitise.ts';
import { say } from '../../text/say.ts';
import { count, counted, timeOfDay } from '../../text/units.ts';
import type { Printer } from '../printer.ts';
import { MET } from '../watch.ts';

/** What an answer is printed with. `flags`: what a copied command needs to see the same account. */
export type AskPrinter = Omit<Printer, 'client'> & { flags: readonly string[] };

/** What was asked, and how far. `zone`: the word that names its zones; null: `files`. */
export type AskedAnswer = {
  asked: Asked;
  zone: string | null;
  files: readonly string[];
  table: AnswerTable;
  /** Requests of all that the answer needs; and how far they were asked. */
  price: number;
  asking: Asking;
};

/** `misses of shop-eu from 2026-11-19 11:20:00 to 11:35:00 UTC, against the window before`. */
export function questionWords({ question, zones, range, against }: Asked): string {
  const [{ name }, ...others] = zones;
  const at = (time: number, date: boolean) => timeOfDay(time, { zone: 'utc', date });
  const more = others.length === 0 ? '' : ` and ${counted(others.length, 'more zone')}`;
  const title = against === null ? '' : `, against ${against.title}`;
  const day = at(range.from, true).slice(0, 10) !== at(range.to, true).slice(0, 10);
  return `${question} of ${sanitise(name, 'text', 100)}${more} from ${at(range.from, true)} to ${at(range.to, day)} UTC${title}`;
}

/** Prints an answer as far as it was read, and says what it lacks; the exit code. */
export async function printAnswer(o: AskPrinter, line: CommandLine, answer: AskedAnswer): Promise<number> {
  const { asked, table, asking } = answer;
  const format: AnswerFormat = line.isMarkdown ? 'markdown' : o.format;
  const lines = answerText(format, {
    question: asked.question,
    range: asked.range,
    table: { ...table, coverage: [table.coverage, ...shortfall(answer)].join('; ') },
    command: commandOf(askedCommand(asked, answer), o.flags),
    commandOf: (leads) => commandOf(rowSource(answer, leads), o.flags),
  });
  await o.write(lines.map((each) => `${each}\n`).join(''));
  if (asking.failure !== null) {
    const { what, next } = explain(asking.failure);
    say(o.stderr, `${count(asking.failures)} of ${counted(asking.asked, 'request')} failed: ${what}`, next);
  }
  if (line['fail-if-found'] && isWrong(asked.question, table)) return MET;
  return asking.failure === null ? 0 : exitCodeOf(asking.failure);
}

/** What of the requests was not sent, and what failed. */
function shortfall({ price, asking: { asked, answered, failures, isCut } }: AskedAnswer): string[] {
  return [
    ...(isCut ? [`${count(answered)} of ${counted(Math.max(price, asked), 'request')} answered`] : []),
    ...(failures > 0 ? [`${counted(failures, 'request')} failed`] : []),
  ];
}

function rowSource(
  { zone, files }: AskedAnswer,
  { subject, query, zones }: NonNullable<AnswerRow['leads']>,
): CommandSource {
  if (zone === null) return { screen: 'open', files, query };
  return { screen: subject, zone: zones?.join(',') ?? zone, query };
}
