import { wilsonLeast } from '../../../domain/differing.ts';
import type { LogBook } from '../../../domain/logs/log-book.ts';
import type { Traffic } from '../../../domain/logs/sums/traffic.ts';
import {
  type ReadTraffic,
  requestRate,
  requestsIn,
  trafficRead,
} from '../../../domain/logs/sums/traffic-read.ts';
import { shared, type TimeRange } from '../../../domain/tail/coverage.ts';
import { mergedReport, zonesInTrouble } from '../../../domain/tail/merged-report.ts';
import type { TailReport } from '../../../domain/tail/tail-report.ts';
import { type Strip, sparkline, stripped } from '../../../paint/row.ts';
import type { Look, ThemeSlot, Words } from '../../../paint/theme.ts';
import { hasTimeline } from '../../../state/list/screen-layout.ts';
import type { SavedSource, ZoneTail } from '../../../state/log-source.ts';
import { isEndless } from '../../../state/log-zones.ts';
import { memoised } from '../../../state/memoised.ts';
import type { LogSession, State, View } from '../../../state/model.ts';
import { wholeTimes } from '../../../state/sessions/log-times.ts';
import { shownLog } from '../../../state/sessions/session.ts';
import { reportOf } from '../../../state/sessions/zone-tails.ts';
import { bytes, count, duration, MINUTE, percent, rateText, timeOfDay } from '../../../text/units.ts';
import { hasAddresses } from '../placed-columns.ts';

/** Marks of a sparkline. */
const BUCKETS = 12;

/** The steps in which the rates of a growing file move: the first whose second number its time reaches, ms. */
const FOLLOWED_STEPS = [
  [5000, 60_000],
  [1000, 2000],
] as const;

/** Server errors alarm from this many on, where at least this share of the requests surely failed (Wilson, 95 %). */
const ALARM = { errors: 5, share: 0.01 } as const;

/** Below this many requests a share is written as its numbers. */
const SMALL = 100;

/** Requests a second, server errors, hit ratio by requests and by bytes: of the last minute, or of a closed window. */
export function ratesLine(state: State, _: View, { look }: Strip): string {
  const { session } = state;
  if (!session) return '';
  if (isEndless(session)) return minuteLine(state, session, look);
  const { source, from, to } = session;
  if (source.kind === 'files') return savedLine(state, session, source, look);
  return from === null || to === null ? '' : windowLine(state, session, { from, to }, look);
}

function minuteLine(state: State, session: LogSession, look: Look): string {
  const { columns } = state.size;
  const { report, words, tails } = ofZonesRead(session);
  const serverNow = report?.serverNow ?? state.now;
  // Whole, complete buckets: one that slides with every row costs bytes on every row, and one that has just begun
  // shows a drop that is none.
  const step = MINUTE / BUCKETS;
  const minuteTo = (newest: number) => {
    const to = Math.floor(newest / step) * step;
    return { newest, rates: ratesIn(session.book, { from: to - MINUTE, to }, wholeTimes(session, tails)) };
  };
  const complete = minuteTo(report?.completeTo ?? serverNow);
  const isBehind = serverNow - complete.newest > MINUTE;
  // A window read from its beginning shows its newest minute from the head.
  const latest = isBehind ? minuteTo(serverNow) : complete;
  const { newest, rates } = latest.rates.total.read > 0 ? latest : complete;
  const { read } = rates.total;
  // Rates of a past minute must not look like those of now, nor those of a part like those of all.
  const isOld =
    ['offline', 'failed', 'rateLimited'].includes(report?.status ?? '') || serverNow - newest > MINUTE;
  const around = [
    ...(isOld ? [look.paint('warning', `at ${timeOfDay(newest, look)}`)] : []),
    ...(words === '' ? [] : [look.paint('warning', words)]),
    ...filteredWord(state, look),
  ];
  // It stands last and keeps its room, so that no number moves when the minute is full.
  const part = read > 0 && read < MINUTE ? `in ${duration(Math.round(read / 1000) * 1000)}` : '';
  const room = columns - 1 - (part === '' ? 0 : '  in 59s'.length);
  const isWide = columns >= 100;
  // The marks give way to numbers, and to the timeline, which draws the same and more.
  const isDrawn = columns >= 76 && !isOld && !hasTimeline(state);
  const marks = { requests: true, hits: true, bytes: isWide, errors: isWide };
  const drawn = isDrawn ? [...around, ...ratesOf(rates, { look, ...marks })] : [];
  const isRoom = isDrawn && stripped(drawn.join('  ')).length <= room;
  const figures = isRoom ? drawn : [...around, ...ratesOf(rates, { look, ...NO_MARKS })];
  const line = fitting([...figures, ...addressWord(state, look)], room);
  return part === '' ? line : `${line}  ${look.paint('dim', part)}`;
}

/**
 * What is known of the zones that are read as they should be: one that fails or is behind delays the rates of the
 * others no more than their rows. `words`: how many zones those are.
 */
function ofZonesRead({ tails, report, source }: LogSession): {
  report: TailReport | null;
  words: string;
  tails: readonly ZoneTail[];
} {
  const zones = source.kind === 'zones' ? source.zones.length : 0;
  const parts = tails.map(reportOf);
  const troubled = new Set(zonesInTrouble(parts).map(({ of }) => of));
  const read = parts.filter((part) => part.report !== null && !troubled.has(part));
  if (zones < 2 || read.length === 0 || read.length === zones) return { report, words: '', tails };
  const words = `${read.length} of ${zones} zones`;
  return { report: mergedReport(read), words, tails: read.map(({ tail }) => tail) };
}

function savedLine(state: State, session: LogSession, source: SavedSource, look: Look): string {
  const { report, range } = source;
  if (report.status === 'reading') {
    const total = report.bytesTotal === null ? '' : ` of ${bytes(report.bytesTotal)}`;
    const rest = source.names[0] === 'standard input' ? 'until it ends' : '';
    return look.paint(
      'dim',
      ` ${count(report.rows)} rows from ${bytes(report.bytesRead)}${total} ${rest} ${look.glyph.dot} Esc stops`,
    );
  }
  if (report.span === null) return '';
  const from = Math.max(report.span.from, range?.from ?? report.span.from);
  const end = report.status === 'following' ? wholeSteps(from, report.span.to) : report.span.to + 1;
  const to = Math.min(end, range?.to ?? Number.POSITIVE_INFINITY);
  return from < to
    ? windowLine(state, session, { from, to }, look)
    : look.paint('dim', ' no rows in this window');
}

function windowLine(state: State, session: LogSession, span: TimeRange, look: Look): string {
  const { columns } = state.size;
  const rates = ratesIn(session.book, span, wholeTimes(session));
  const length = span.to - span.from;
  const share = rates.total.read / length;
  const isPart = share < 1;
  const isWide = columns >= 100;
  const marks = hasTimeline(state)
    ? NO_MARKS
    : { requests: columns >= 76, hits: columns >= 92, bytes: isWide, errors: isWide };
  const parts = [
    look.paint(
      isPart ? 'warning' : 'dim',
      `over ${isPart ? `${percent(share)} of ` : ''}${duration(length)}`,
    ),
    ...filteredWord(state, look),
    ...ratesOf(rates, { look, ...marks }),
    ...addressWord(state, look),
  ];
  return fitting(parts, columns - 1);
}

/** What was read of a span of time, and of the parts that the marks stand for. */
type Rates = ReturnType<typeof trafficRead> & { step: number };

/** What was read of a window, and the rows of that. */
type WindowRead = TimeRange & { version: number; read: string };

/** The rates of a window stay the same at each key, and while rows come behind it. */
function ratesIn(book: LogBook, span: TimeRange, whole: readonly TimeRange[]): Rates {
  const read = JSON.stringify(shared(span, whole));
  return ratesOfWindow(book, { ...span, version: book.versionOf(span), read });
}

const ratesOfWindow = memoised((book: LogBook, { from, to, read }: WindowRead): Rates => {
  const trafficIn = (range: TimeRange) => book.stats(range, 1).total;
  const traffic = trafficRead(trafficIn, { from, to }, JSON.parse(read) as TimeRange[], BUCKETS);
  return { ...traffic, step: (to - from) / BUCKETS };
});

type Marks = Readonly<Record<'requests' | 'hits' | 'bytes' | 'errors', boolean>>;

const NO_MARKS: Marks = { requests: false, hits: false, bytes: false, errors: false };

/**
 * The four rates, each with its sparkline where `marks` has one; what alarms comes before what explains it, so a
 * narrow window has the alarms. Unknown must not look like nothing.
 */
const ratesOf = memoised(
  ({ total, parts, step }: Rates, { look, ...marks }: Marks & { look: Look }): string[] => {
    const { sums } = total;
    const rates = parts.map((part) => requestsIn(part, step));
    const most = Math.max(...rates.map((rate) => rate ?? 0));
    const errors = errorShare(sums.errors, sums.requests);
    const drawn = (
      id: keyof Marks,
      slot: ThemeSlot,
      levelOf: (sums: Traffic, rate: number) => number | null,
    ) => {
      if (!marks[id]) return '';
      const values = rates.map((rate, at) =>
        rate === null ? null : levelOf((parts[at] as ReadTraffic).sums, rate),
      );
      return look.paint(slot, ` ${sparkline(values, look)}`);
    };
    const rate = requestRate(sums.requests, total.read);
    return [
      look.paint('title', `${rate === null ? '-' : rateText(rate)} req/s`) +
        drawn('requests', 'dim', (_, rate) => (most === 0 ? 0 : rate / most)),
      `5xx ${look.paint(errors.slot, errors.text)}` +
        drawn('errors', errors.slot, (part) => ratio(part.errors, part.requests - part.errors)),
      `hit ${look.paint('hit', percent(ratio(sums.edgeRequests, sums.originRequests)))}` +
        drawn('hits', 'hit', (part) => ratio(part.edgeRequests, part.originRequests)),
      `by bytes ${look.paint('hit', percent(ratio(sums.edgeBytes, sums.originBytes)))}` +
        drawn('bytes', 'hit', (part) => ratio(part.edgeBytes, part.originBytes)),
    ];
  },
);

/** `2.4%`, or `1 of 3` of few requests: one error among three is no third of the traffic. */
export function errorShare(errors: number, requests: number): Words {
  const share = requests === 0 ? null : errors / requests;
  const text = errors > 0 && requests < SMALL ? `${count(errors)} of ${count(requests)}` : percent(share);
  const isAlarm = errors >= ALARM.errors && (wilsonLeast(errors, requests) ?? 0) >= ALARM.share;
  return { text, slot: isAlarm ? 'error' : errors > 0 ? 'text' : 'dim' };
}

function filteredWord(state: State, look: Look): string[] {
  return (shownLog(state)?.query.terms.length ?? 0) > 0 ? [look.paint('local', 'filtered')] : [];
}

/** Why no row has an address. */
function addressWord(state: State, look: Look): string[] {
  return hasAddresses(state) ? [] : [look.paint('dim', 'no addresses kept')];
}

/** The end of the last complete step: rates that slide with every row cost as many bytes as the row. */
function wholeSteps(from: number, newest: number): number {
  const span = newest - from;
  const step = FOLLOWED_STEPS.find(([, least]) => span >= least)?.[0];
  return step === undefined ? newest + 1 : from + Math.floor(span / step) * step;
}

/** As many parts as fit: a truncated number is a wrong one. */
function fitting(parts: readonly string[], room: number): string {
  let [line, left] = ['', room];
  for (const part of parts) {
    const { length } = stripped(part);
    if (length + 2 > left) break;
    line += `${line === '' ? ' ' : '  '}${part}`;
    left -= length + 2;
  }
  return line;
}

function ratio(part: number, other: number): number | null {
  return part + other === 0 ? null : part / (part + other);
}
