import { withHistory } from '../../api/history-client.ts';
import type { CommandLine } from '../../config/command/command-line.ts';
import { exitCodeOf, explain } from '../../domain/failure.ts';
import { type AnswerFormat, answerText } from '../../domain/handover/answer-formats.ts';
import { askedCommand, type CommandSource, commandOf } from '../../domain/handover/place.ts';
import type { AnswerTable, Leads } from '../../domain/inquiry/answer-table.ts';
import type { Inquiry } from '../../domain/inquiry/inquiry.ts';
import { KEPT_WORDS, keptSince, keptWords, oldestAsked } from '../../domain/log-retention.ts';
import type { LogHistory, StoreRead } from '../../domain/logs/log-history.ts';
import type { Query } from '../../domain/query/query.ts';
import { aheadOf, windowTimes } from '../../domain/query/query-time.ts';
import type { Asked } from '../../domain/questions/asked/asked.ts';
import { inquiryOf } from '../../domain/questions/asked/inquiry-of.ts';
import { type QuestionId, questionOf } from '../../domain/questions/asked/questions.ts';
import { againstAsked } from '../../domain/questions/comparison/lenses.ts';
import type { TimeRange } from '../../domain/tail/coverage.ts';
import { unlistedZone, type Zones } from '../../domain/zone.ts';
import { type InquiryReading, readInquiry } from '../../effects/read-inquiry.ts';
import { StoreFailure } from '../../store/engines/store-failure.ts';
import { logHistory } from '../../store/history-log.ts';
import { sanitise } from '../../text/sanitise.ts';
import { say } from '../../text/say.ts';
import { bytes, count, counted, isoSecond, joined, timeOfDay } from '../../text/units.ts';
import { isSettled, withoutZoneTerms } from '../logs/log-question.ts';
import { olderWords, sayKept } from '../logs/log-window.ts';
import { storeBehind } from '../logs/stored-window.ts';
import { presentOfLogs } from '../present.ts';
import {
  endOf,
  failed,
  type Printer,
  remark,
  remarkFailure,
  type StoreOpener,
  wrongUsage,
} from '../printer.ts';
import { createProgressLine, whereSlow } from '../progress.ts';
import { sayFailure } from '../store-guard.ts';
import { MET } from '../watch-command.ts';
import { logZonesNamed } from '../zones-command.ts';

/** Asks a question about zones and prints the answer; resolves to the exit code. */
export async function printAsk(o: Asker, line: CommandLine, query: Query): Promise<number> {
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
  const oldest = oldestAsked(now, line.subject);
  const wanted = windowTimes(query.window, now, questionOf(question).window ?? now - oldest);
  const against = questionOf(question).isCompared ? line.against : undefined;
  /** The times asked about, as far as they are kept after `edge`. */
  const timesOf = (edge: number) => {
    const range = { from: Math.max(wanted.from, edge), to: wanted.to };
    if (range.from >= range.to) return { ok: false, why: 'this window is older than what is kept' } as const;
    if (against === undefined) return { ok: true, range, against: null } as const;
    return againstAsked(against, { range, held: [], edge, now });
  };
  const isKept = questionOf(question).isKeptAsLog;
  const isLog = isKept && line.subject === 'logs';
  const open = isLog ? await storeOf(o, timesOf(Number.NEGATIVE_INFINITY), oldest) : null;
  const isBound = isKept && open === null;
  const times = timesOf(isBound ? oldest : Number.NEGATIVE_INFINITY);
  const gone = { from: wanted.from, to: Math.min(wanted.to, oldest) };
  const older = isLog && isBound ? olderWords(zones, gone) : [];
  if (!times.ok) {
    const code = wrongUsage(o, times.why);
    if (older.length > 0) say(o.stderr, ...older);
    return code;
  }
  if (times.range.from > wanted.from) sayKept(o, keptWords(oldest, line.subject), older);
  const isShieldKept = times.range.to > oldestAsked(now, 'shield');
  const shield = line.shield ? 'always' : questionOf(question).shield;
  const shieldZoneId = await shieldOf(o, shield, zones, isShieldKept);
  if (typeof shieldZoneId === 'number') return shieldZoneId;
  const { terms } = chosen.query;
  const { range } = times;
  const asked: Asked = { question, subject: line.subject, zones, terms, range, against: times.against };
  const stored = open === null ? {} : { edge: 0, storedUntil: oldest };
  const made = inquiryOf(asked, { now, shieldZoneId, withCauses: true, ...stored });
  if (!made.ok) return wrongUsage(o, made.why);
  const { inquiry } = made;
  const price = inquiry.follow?.most ?? inquiry.needs.length;
  const most = line['most-requests'];
  const store = open === null ? null : await askedStore(o, open, oldest);
  sayPrice(o, asked, { price, stored: storedWords(inquiry, store, price), most, why: made.why });
  const asking = await askedOf({ ...o, client: store?.client ?? o.client }, inquiry, most);
  await store?.conclude();
  const table = inquiry.table();
  if (asking.code !== null && asking.code !== 0) {
    say(
      o.stderr,
      `interrupted after ${count(asking.answered)} of ${counted(price, 'request')}; read: ${table.coverage}`,
    );
  }
  const { code, given, isCut } = await printAnswer(o, line, {
    ...{ asked, zone: word, files: [], table, price, asking },
  });
  const isRead = asking.failures === 0 && !asking.isCut && inquiry.rest().length === 0;
  o.covered?.({
    of: 'requests',
    range,
    read: asking.answered - asking.failures,
    // A plan that was clear early asked for no more.
    total: isRead ? asking.asked : Math.max(price, asking.asked),
    given,
    gaps: 0,
    isWhole: isRead && !isCut && table.isWhole && isSettled(range, now),
  });
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
  o: Asker,
  inquiry: Inquiry,
  most: number | null,
): Promise<InquiryReading & { code: number | null }> {
  const { client } = o;
  const end = endOf(o);
  let [answered, asked] = [0, 0];
  const words = (elapsed: string) =>
    `${count(answered)} of ${counted(asked, 'request')} answered, ${elapsed}`;
  const line = createProgressLine(o, whereSlow(words));
  const said = (asking: InquiryReading) => {
    ({ answered, asked } = asking);
    line.show();
  };
  const asking = await readInquiry({ client, inquiry, most, signal: end.signal, said }).finally(line.end);
  return { ...asking, code: end.code };
}

/** `of`: the requests it takes in all, those of them that go to a store, and how many may be sent. */
function sayPrice(
  o: AskPrinter,
  asked: Asked,
  of: { price: number; stored: string; most: number | null; why: string },
): void {
  const { price, stored, most, why } = of;
  const isCut = most !== null && most < price;
  const requests = `${isCut ? `${count(most)} of ` : ''}${counted(price, 'request')}${stored}`;
  const onward =
    most !== null && most > price ? `and up to ${count(most)} where they leave something unread` : '';
  const parts = [`${questionWords(asked)}: ${requests}`, isCut ? '' : why, onward];
  say(o.stderr, joined(parts));
}

/**
 * The zones of a word; of `shield:<id>` only its Shield zone is known. Or the exit code after saying why there are
 * none.
 */
async function zonesOf(o: Asker, word: string, isOfShield: boolean): Promise<Zones | number> {
  const id = isOfShield ? /^shield:(\d+)$/i.exec(word)?.[1] : undefined;
  if (id !== undefined) return [unlistedZone({ id: '', name: word, shieldZoneId: id })];
  return logZonesNamed(o, word);
}

/**
 * Null: the zone has no Shield. Undefined: it is not asked. Or the exit code where the question needs a Shield zone
 * that is unknown.
 */
async function shieldOf(
  o: Asker,
  shield: ReturnType<typeof questionOf>['shield'],
  [zone, ...others]: Zones,
  isKept: boolean,
): Promise<string | null | undefined | number> {
  const isLeftOut = shield === 'where there is one' && !isKept;
  if (isLeftOut && zone.shieldZoneId !== null) remark(o, `Shield is left out: ${KEPT_WORDS.shield}`);
  if (isLeftOut) return undefined;
  if (zone.shieldZoneId) return zone.shieldZoneId;
  if (shield === 'never' || others.length > 0) return undefined;
  const answer = await o.client.shieldZoneOfPullZone(zone.id, { priority: 'user' });
  if (answer.ok) return answer.value;
  if (shield === 'always' || answer.failure.kind === 'cancelled') return failed(o, answer.failure);
  remarkFailure(o, 'Shield is left out: ', answer.failure);
  return undefined;
}

/** The store of what is older than the platform keeps; null: none of that is asked about, or there is no store. */
async function storeOf(
  o: Asker,
  times: ReturnType<typeof againstAsked> | { ok: true; range: TimeRange; against: null },
  oldest: number,
): Promise<StoreOpener | null> {
  if (!times.ok) return null;
  const isOlder = [times.range, ...(times.against?.ranges ?? [])].some(
    ({ from }) => from < keptSince(oldest),
  );
  return isOlder ? storeBehind(o) : null;
}

/** The requests of an inquiry that go to a store, in words. */
function storedWords({ needs, follow }: Inquiry, store: AskedStore | null, price: number): string {
  if (store === null) return '';
  const first = needs.filter((need) => need.kind === 'logs' && need.range.from < store.until).length;
  const all = first + (follow?.ofStore ?? 0);
  if (all === 0) return '';
  return all === price ? ' to the store' : `, of them ${count(all)} to the store`;
}

/** The printer of an answer. `flags`: what a copied command needs to see the same account. */
export type AskPrinter = Omit<Printer, 'client'> & { flags: readonly string[] };

type Asker = AskPrinter & Pick<Printer, 'client'>;

/** The question, and how far it was asked. `zone`: the word for its zones; null: `files`. */
type AskedAnswer = {
  asked: Asked;
  zone: string | null;
  files: readonly string[];
  table: AnswerTable;
  /** The requests that the whole answer takes, and the progress through them. */
  price: number;
  asking: InquiryReading;
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

/** The result of printing an answer: the exit code, its lines, and whether the limit left out what a screen lists. */
type PrintedCode = { code: number; given: number; isCut: boolean };

/** Prints an answer as far as it was read, and says what it lacks. */
export async function printAnswer(
  o: AskPrinter,
  line: CommandLine,
  answer: AskedAnswer,
): Promise<PrintedCode> {
  const { asked, table, asking } = answer;
  const format: AnswerFormat = line.isMarkdown ? 'markdown' : o.format;
  const { lines, isCut } = answerText(format, {
    question: asked.question,
    zone: answer.zone === null ? null : asked.zones.map(({ name }) => name).join(','),
    range: asked.range,
    limit: line.limit,
    table: { ...table, coverage: [table.coverage, ...shortfall(answer)].join('; ') },
    command: commandOf(askedCommand(asked, answer), o.flags),
    commandOf: (leads) => commandOf(rowSource(answer, leads), o.flags),
  });
  await o.write(lines.map((each) => `${each}\n`).join(''));
  if (asking.failure !== null) {
    const some = `${count(asking.failures)} of ${counted(asking.asked, 'request')} failed: `;
    remarkFailure(o, some, asking.failure, explain(asking.failure).next);
  }
  const printed = { given: lines.length, isCut };
  if (line['fail-if-found'] && table.verdict === 'wrong') return { ...printed, code: MET };
  return { ...printed, code: asking.failure === null ? 0 : exitCodeOf(asking.failure) };
}

/** The requests that were not sent, and those that failed. */
function shortfall({ price, asking: { asked, answered, failures, isCut } }: AskedAnswer): string[] {
  return [
    ...(isCut ? [`${count(answered)} of ${counted(Math.max(price, asked), 'request')} answered`] : []),
    ...(failures > 0 ? [`${counted(failures, 'request')} failed`] : []),
  ];
}

function rowSource({ zone, files }: AskedAnswer, { subject, query, zones }: Leads): CommandSource {
  if (zone === null) return { screen: 'open', files, query };
  return { screen: subject, zone: zones?.join(',') ?? zone, query };
}

type AskedStore = Awaited<ReturnType<typeof askedStore>>;

/**
 * The store that answers a question for what is older than `until`. A store that does not open leaves its time
 * unread, each time it is asked; whatever else is known is answered.
 */
async function askedStore(o: Printer, open: StoreOpener, until: number) {
  const first = await open(false).catch((error: unknown) => {
    if (!(error instanceof StoreFailure)) throw error;
    sayFailure(o, error);
    return error;
  });
  const isOpen = !(first instanceof StoreFailure);
  const { dialect: engine, name } = isOpen
    ? { dialect: first.place.dialect, name: first.store }
    : { dialect: '', name: 'of the profile' };
  if (isOpen)
    say(o.stderr, `HISTORY ${engine}: what is older than ${isoSecond(until)} comes from the store ${name}`);
  let opened = isOpen ? first : null;
  const history = logHistory({
    engine,
    name,
    clock: o.clock,
    async open() {
      if (!isOpen) throw first;
      const again = opened ?? (await open(false));
      opened = null;
      return again;
    },
  });
  const spent = { rows: 0, bytes: 0, answers: 0 };
  const spend = (read: StoreRead) => {
    spent.answers += 1;
    spent.rows += read?.rows ?? 0;
    spent.bytes += read?.bytes ?? 0;
  };
  return {
    client: withHistory(o.client, metered(history, spend), { clock: o.clock }),
    until,
    /** Says what was read, and closes the store. */
    async conclude(): Promise<void> {
      await history.close();
      // Opened, and never asked.
      await opened?.close();
      if (!isOpen) return;
      const read = spent.rows > 0 ? `${counted(spent.rows, 'row')}, ${bytes(spent.bytes)}, for ` : '';
      say(o.stderr, `the store ${read === '' ? 'gave' : 'read'} ${read}${counted(spent.answers, 'answer')}`);
    },
  };
}

/** The same store; `spend` gets what the engine read for each answer. */
function metered(history: LogHistory, spend: (read: StoreRead) => void): LogHistory {
  return {
    ...history,
    async page(...asked) {
      const answer = await history.page(...asked);
      if (answer.ok) spend(answer.value.read);
      return answer;
    },
    async count(...asked) {
      const answer = await history.count(...asked);
      if (answer.ok && 'counts' in answer.value) spend(answer.value.read);
      return answer;
    },
  };
}
