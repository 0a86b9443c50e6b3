import type { CommandLine } from '../config/command-line.ts';
import { explain } from '../domain/failure.ts';
import { keptWords, oldestAsked } from '../domain/kept.ts';
import type { Query } from '../domain/query/query.ts';
import { aheadOf } from '../domain/query/query-time.ts';
import { againstAsked } from '../domain/questions/asked/against-asked.ts';
import { type Asked, BY_STATISTICS } from '../domain/questions/asked/asked.ts';
import { inquiryOf } from '../domain/questions/asked/inquiry-of.ts';
import { type QuestionId, questionOf } from '../domain/questions/asked/questions.ts';
import type { Inquiry } from '../domain/questions/inquiry/inquiry.ts';
import type { TimeRange } from '../domain/tail/coverage.ts';
import { unlistedZone, type Zones } from '../domain/zone.ts';
import { type Asking, readInquiry } from '../effects/read-inquiry.ts';
import { say } from '../text/say.ts';
import { count, counted, duration } from '../text/units.ts';
import { type AskPrinter, printAnswer, questionWords } from './answer.ts';
import { withoutZoneTerms } from './log-question.ts';
import { presentOfLogs } from './present.ts';
import { endOf, failed, type Printer, WRONG_USAGE } from './printer.ts';
import { createProgressLine } from './progress.ts';
import { logZonesNamed } from './zones.ts';

/** Asks one of the questions of zones, and prints the answer; resolves to the exit code. */
export async function printAsk(
  o: AskPrinter & Pick<Printer, 'client'>,
  line: CommandLine,
  query: Query,
): Promise<number> {
  const question = line.word as QuestionId;
  const trouble = queryTrouble(question, query);
  if (trouble !== null) return wrongUsage(o, trouble);
  const word = line.zone ?? '';
  const named = await zonesOf(o, word, line.shield);
  if (typeof named === 'number') return named;
  const chosen = withoutZoneTerms(named, query);
  if (chosen === null) return wrongUsage(o, `zone: leaves none of the zones that '${word}' names`);
  const { zones } = chosen;
  if (questionOf(question).zones === 'one' && zones.length > 1)
    return wrongUsage(o, `${question} is asked of one zone, and '${word}' names ${zones.length}`);
  const now = zones[0].id === '' ? Math.floor(o.clock.wall()) : await presentOfLogs(o, zones);
  const ahead = aheadOf(query.window, now);
  if (ahead !== null) return wrongUsage(o, `${ahead.message}: ${ahead.hint}`);
  const range = rangeAsked(o, { question, isKept: line.against !== BY_STATISTICS.id }, query, now);
  if (range === null) return wrongUsage(o, 'this window is older than what is kept');
  const shieldZoneId = await shieldOf(o, question, zones);
  if (typeof shieldZoneId === 'number') return shieldZoneId;
  const { terms } = chosen.query;
  let asked: Asked = { question, subject: line.subject, zones, terms, range, against: null };
  if (questionOf(question).isCompared) {
    const edge = oldestAsked(now, line.subject);
    const isChosen = query.window?.kind === 'absolute';
    const compared = againstAsked(line.against, { range, held: [], edge, now, isChosen });
    if (!compared.ok) return wrongUsage(o, compared.why);
    asked = { ...asked, range: compared.range, against: compared.against };
  }
  const made = inquiryOf(asked, { now, shieldZoneId, withCauses: true });
  if (!made.ok) return wrongUsage(o, made.why);
  const { inquiry } = made;
  const price = inquiry.follow?.most ?? inquiry.needs.length;
  const most = line['most-requests'];
  sayPrice(o, asked, { price, most, why: made.why });
  const asking = await askedOf(o, inquiry, most);
  const table = inquiry.table();
  if (asking.code !== null && asking.code !== 0) {
    say(
      o.stderr,
      `interrupted after ${count(asking.answered)} of ${counted(price, 'request')}; read: ${table.coverage}`,
    );
  }
  const isWhole = asking.failures === 0 && !asking.isCut && inquiry.rest().length === 0;
  o.covered?.({
    of: 'requests',
    range,
    read: asking.answered - asking.failures,
    // A plan that was clear early is whole without its rest.
    total: isWhole ? asking.asked : Math.max(price, asking.asked),
    given: 1 + table.sections.reduce((sum, { rows }) => sum + rows.length, 0),
    gaps: 0,
    isWhole,
  });
  const code = await printAnswer(o, line, { asked, zone: word, files: [], table, price, asking });
  return asking.code ?? code;
}

/** Why a query cannot be asked about; null when it can. */
export function queryTrouble(question: QuestionId, { groupBy, terms, window }: Query): string | null {
  if (groupBy.length > 0) return 'an answer has its own groups; leave out by:';
  const hasId = terms.some((term) => term.kind === 'field' && term.field === 'id');
  if (question !== 'timeline' || hasId || window?.kind === 'absolute') return null;
  return `timeline names ${questionOf(question).names}`;
}

async function askedOf(
  o: AskPrinter & Pick<Printer, 'client'>,
  inquiry: Inquiry,
  most: number | null,
): Promise<Asking & { code: number | null }> {
  const { client } = o;
  const end = endOf(o);
  let [answered, asked] = [0, 0];
  const line = createProgressLine(o, ({ startedAt, now }) =>
    now - startedAt < 1_000
      ? ''
      : `${count(answered)} of ${counted(asked, 'request')} answered, ${duration(now - startedAt)}`,
  );
  const said = (asking: Asking) => {
    ({ answered, asked } = asking);
    line.show();
  };
  const asking = await readInquiry({ client, inquiry, most, signal: end.signal, said }).finally(line.end);
  return { ...asking, code: end.code };
}

function sayPrice(
  o: AskPrinter,
  asked: Asked,
  { price, most, why }: { price: number; most: number | null; why: string },
): void {
  const isCut = most !== null && most < price;
  const requests = `${isCut ? `${count(most)} of ` : ''}${counted(price, 'request')}`;
  const onward =
    most !== null && most > price ? `and up to ${count(most)} where they leave something unread` : '';
  const parts = [`${questionWords(asked)}: ${requests}`, isCut ? '' : why, onward];
  say(o.stderr, parts.filter((text) => text !== '').join('; '));
}

/** The zones of a word; of `shield:<id>` nothing but its Shield is known. Or the exit code after saying why there are none. */
async function zonesOf(
  o: Pick<Printer, 'client'> & AskPrinter,
  word: string,
  isOfShield: boolean,
): Promise<Zones | number> {
  const id = isOfShield ? /^shield:(\d+)$/i.exec(word)?.[1] : undefined;
  if (id !== undefined) return [unlistedZone({ id: '', name: word, shieldZoneId: id })];
  return logZonesNamed(o, word);
}

/** Null: the zone has no Shield. Undefined: it is not asked. The exit code where the question needs it and it is not known. */
async function shieldOf(
  o: AskPrinter & Pick<Printer, 'client'>,
  question: QuestionId,
  [zone, ...others]: Zones,
): Promise<string | null | undefined | number> {
  const { shield } = questionOf(question);
  if (zone.shieldZoneId) return zone.shieldZoneId;
  if (shield === 'never' || others.length > 0) return undefined;
  const answer = await o.client.shieldZoneOfPullZone(zone.id, { priority: 'user' });
  if (answer.ok) return answer.value;
  if (shield === 'always' || answer.failure.kind === 'cancelled') return failed(o, answer.failure);
  say(o.stderr, `Shield is left out: ${explain(answer.failure).what}`);
  return undefined;
}

/** The times that are asked about, as far as they are kept; null = none of them is. */
function rangeAsked(
  o: AskPrinter,
  { question, isKept }: { question: QuestionId; isKept: boolean },
  { window }: Query,
  now: number,
): TimeRange | null {
  const { window: usual, subject, isKeptAsLog } = questionOf(question);
  const oldest = isKeptAsLog && isKept ? oldestAsked(now, subject) : Number.NEGATIVE_INFINITY;
  if (window === null) return { from: usual === null ? oldest : now - usual, to: now };
  const wanted =
    window.kind === 'absolute'
      ? { from: window.from, to: Math.min(now, window.to ?? now) }
      : { from: now - window.duration, to: now };
  if (wanted.to <= oldest) return null;
  if (wanted.from < oldest) say(o.stderr, keptWords(oldest, subject));
  return { from: Math.max(wanted.from, oldest), to: wanted.to };
}

export function wrongUsage(o: Pick<Printer, 'stderr'>, why: string): number {
  say(o.stderr, why);
  return WRONG_USAGE;
}
