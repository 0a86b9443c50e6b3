import type { TimeRange } from '../domain/tail/coverage.ts';
import { isEndless, shownLog } from '../state/logs/session.ts';
import type { LogSession, State, View } from '../state/model.ts';
import { count, duration, percent, timeOfDay } from '../text/units.ts';
import { errorShare } from './error-share.ts';
import { stripped } from './row.ts';
import { sparkline } from './spark.ts';
import type { Look } from './theme.ts';
import { fitting, windowRatesLine } from './window-rates.ts';

/** Buckets of the sparklines and the time that they cover: the last minute, as a responder watches it. */
const SPARK_BUCKETS = 12;
const SPARK_SPAN = 60_000;
const SPARK_STEP = SPARK_SPAN / SPARK_BUCKETS;

/** The rates of the last minute: requests, hit ratio by requests and by bytes, server errors. */
export function ratesLine(state: State, _: View, look: Look): string {
  const { session } = state;
  const { columns } = state.size;
  if (!session) return '';
  if (!isEndless(session)) return windowRatesLine(state, session, look);
  const newest = session.report?.completeTo ?? session.report?.serverNow ?? state.now;
  const known = ratesBySession.get(session);
  if (known?.columns === columns && known.newest === newest && known.look === look) return known.line;
  const line = ratesOf(session, newest, columns, look, isFiltered(state));
  ratesBySession.set(session, { columns, newest, look, line });
  return line;
}

/** A session is another object after every change of its rows; a key that moves the cursor changes nothing here. */
const ratesBySession = new WeakMap<
  LogSession,
  { columns: number; newest: number; look: Look; line: string }
>();

function ratesOf(
  session: LogSession,
  newest: number,
  columns: number,
  look: Look,
  filtered: boolean,
): string {
  // Whole buckets that are over, and complete: one that slides with every row costs bytes on every row, and one that
  // has just begun shows a drop that is none.
  const to = Math.floor(newest / SPARK_STEP) * SPARK_STEP;
  const span = { from: to - SPARK_SPAN, to };
  const { total, buckets } = session.book.stats(span, SPARK_BUCKETS);
  // Before the first answer nothing at all is known of the minute.
  const unasked = { from: Number.NEGATIVE_INFINITY, to: session.from ?? Number.NEGATIVE_INFINITY };
  const gaps = session.report?.completeTo ? [...session.report.gaps, unasked] : [span];
  const read = SPARK_SPAN - gaps.reduce((sum, gap) => sum + overlap(gap, span), 0);
  const ratio = (part: number, other: number) => (part + other === 0 ? null : part / (part + other));
  const hitRequests = ratio(total.edgeRequests, total.originRequests);
  const hitBytes = ratio(total.edgeBytes, total.originBytes);
  const errors = errorShare(total.errors, total.requests);
  // A part of the minute that was not read is left blank: nothing known must not look like nothing there.
  const known = (bucket: (typeof buckets)[number], value: number | null) =>
    gaps.some((gap) => overlap(gap, bucket) > 0) ? null : value;
  const most = buckets.reduce((max, bucket) => Math.max(max, bucket.requests), 1);
  const isOld = ['offline', 'failed', 'rateLimited'].includes(session.report?.status ?? '');
  const ratesWith = (spark: (values: (number | null)[]) => string) => [
    look.paint('title', `${read > 0 ? perSecond(total.requests / (read / 1000)) : '-'} req/s`) +
      look.paint('dim', spark(buckets.map((bucket) => known(bucket, bucket.requests / most)))),
    `hit ${look.paint('hit', percent(hitRequests))}${look.paint('hit', spark(buckets.map((b) => known(b, ratio(b.edgeRequests, b.originRequests)))))}`,
    `bytes ${look.paint('hit', percent(hitBytes))}${look.paint('hit', columns >= 100 ? spark(buckets.map((b) => known(b, ratio(b.edgeBytes, b.originBytes)))) : '')}`,
    `5xx ${look.paint(errors.slot, errors.text)}${look.paint(errors.slot, columns >= 100 ? spark(buckets.map((b) => (b.requests === 0 ? null : b.errors / b.requests))) : '')}`,
  ];
  // Rates of a minute that is over must not look like those of now, nor those of a part like those of all.
  const when = isOld
    ? [look.paint('warning', `at ${timeOfDay(newest, { zone: look.utc ? 'utc' : 'local' })}`)]
    : [];
  const what = filtered ? [look.paint('local', 'filtered')] : [];
  const of =
    read > 0 && read < SPARK_SPAN
      ? [look.paint('dim', `in ${duration(Math.round(read / 1000) * 1000)}`)]
      : [];
  const around = [...when, ...what, ...of];
  const drawn = [...around, ...ratesWith((values) => ` ${sparkline(values, look)}`)];
  // The marks give way before a number does.
  const isRoom = columns >= 76 && !isOld && stripped(drawn.join('  ')).length < columns;
  return fitting(isRoom ? drawn : [...around, ...ratesWith(() => '')], columns - 1);
}

function isFiltered(state: State): boolean {
  return (shownLog(state)?.query.terms.length ?? 0) > 0;
}

/** ms that two ranges of time share. */
function overlap(a: TimeRange, b: TimeRange): number {
  return Math.max(0, Math.min(a.to, b.to) - Math.max(a.from, b.from));
}

function perSecond(rate: number): string {
  return rate >= 100 ? count(Math.round(rate)) : rate >= 10 ? rate.toFixed(0) : rate.toFixed(1);
}
