import type { TimeRange } from '../domain/coverage.ts';
import { explain, type Failure, type FailureKind } from '../domain/failure.ts';
import { placeTerms } from '../domain/match.ts';
import type { Term } from '../domain/query.ts';
import { printQuery } from '../domain/query-text.ts';
import type { TailReport } from '../domain/tail-report.ts';
import { hints } from '../keymap/resolve.ts';
import { type LogSession, type LogView, type State, topView } from '../state/model.ts';
import { shownLog } from '../state/session.ts';
import { fit, width } from '../text/fit.ts';
import { sanitise } from '../text/sanitise.ts';
import { clock, count, duration, percent } from '../text/units.ts';
import type { Look, Slot } from './theme.ts';

/** Buckets of the sparklines and the time that they cover: the last minute, as a responder watches it. */
const SPARK_BUCKETS = 12;
const SPARK_SPAN = 60_000;
const SPARK_STEP = SPARK_SPAN / SPARK_BUCKETS;

/** The first line: where the user is, and how the tail stands. */
export function titleLine(state: State, look: Look): string {
  const crumbs = state.views.map((view) => crumb(state, view));
  const left = ` edgescope${state.demo ? ' demo' : ''} ${look.glyph.crumb} ${crumbs.join(` ${look.glyph.crumb} `)}`;
  const badge = state.session
    ? statusBadge(state, state.session)
    : { text: state.endpoint, slot: 'dim' as Slot };
  const text = sanitise(badge.text, 'text', 60);
  const room = Math.max(0, state.size.columns - width(text) - 2);
  return `${look.paint('title', fit(left, room, 'left', look.glyph.cut))} ${look.paint(badge.slot, text)} `;
}

function crumb(state: State, view: State['views'][number]): string {
  switch (view.kind) {
    case 'zones':
      return state.views.length > 1
        ? 'zones'
        : `zones${state.zones.narrow ? ` /${sanitise(state.zones.narrow, 'text')}` : ''}`;
    case 'log':
      return sanitise(state.session?.zone.name ?? '', 'text', 40);
    case 'groups':
      return `by ${view.by.join(',')}`;
    case 'record':
      return 'row';
  }
}

type Badge = { text: string; slot: Slot };

/** QUIET, OFFLINE and RATE LIMITED are different nights: each has its own word and its own clock. */
function statusBadge(state: State, session: LogSession): Badge {
  const view = shownLog(state);
  if (view?.paused) {
    const text = `PAUSED ${count(session.book.backlog)} new`;
    const under = tailBadge(session.report, state.now);
    // A pause must not hide that nothing arrives any more.
    return under.slot === 'down'
      ? { text: `${text}, ${under.text}`, slot: 'down' }
      : { text, slot: 'paused' };
  }
  return tailBadge(session.report, state.now);
}

function tailBadge(report: TailReport | null, now: number): Badge {
  if (!report) return { text: 'CONNECTING', slot: 'quiet' };
  const ago = duration(Math.max(0, now - report.since));
  switch (report.status) {
    case 'connecting':
      return { text: `CONNECTING ${ago}`, slot: 'quiet' };
    case 'live':
      return { text: 'LIVE', slot: 'live' };
    case 'quiet':
      return {
        text: `QUIET ${duration(Math.max(0, now - (report.lastRowAt ?? report.since)))}`,
        slot: 'quiet',
      };
    case 'rateLimited':
      return { text: `RATE LIMITED ${duration(Math.max(0, (report.retryAt ?? now) - now))}`, slot: 'down' };
    case 'offline':
      return { text: `OFFLINE ${ago}`, slot: 'down' };
    case 'failed':
      return { text: isRefusal(report.failure) ? 'REFUSED' : `FAILING ${ago}`, slot: 'down' };
    case 'stopped':
      return { text: 'COMPLETE', slot: 'success' };
  }
}

const REFUSALS: ReadonlySet<FailureKind> = new Set([
  'noKey',
  'refusedKey',
  'forbidden',
  'suspended',
  'loggingDisabled',
]);

/** True when only the user can change the answer; a server in trouble is no refusal. */
function isRefusal(failure: Failure | null): boolean {
  return failure !== null && REFUSALS.has(failure.kind);
}

/** The rates of the last minute: requests, hit ratio by requests and by bytes, server errors. */
export function ratesLine(state: State, look: Look): string {
  const { session } = state;
  const { columns } = state.size;
  if (!session) return pickerLine(state, look);
  const newest = session.report?.completeTo ?? session.report?.serverNow ?? state.now;
  const known = ratesBySession.get(session);
  if (known?.columns === columns && known.newest === newest && known.look === look) return known.line;
  const line = ratesOf(session, newest, columns, look);
  ratesBySession.set(session, { columns, newest, look, line });
  return line;
}

/** A session is another object after every change of its rows; a key that moves the cursor changes nothing here. */
const ratesBySession = new WeakMap<
  LogSession,
  { columns: number; newest: number; look: Look; line: string }
>();

function ratesOf(session: LogSession, newest: number, columns: number, look: Look): string {
  // Buckets stand on whole multiples of their length: a picture that slides with every row costs bytes on every row.
  const to = Math.ceil(newest / SPARK_STEP) * SPARK_STEP;
  const span = { from: to - SPARK_SPAN, to };
  const { total, buckets } = session.book.stats(span, SPARK_BUCKETS);
  const gaps = session.report?.gaps ?? [];
  const read = SPARK_SPAN - (to - newest) - gaps.reduce((sum, gap) => sum + overlap(gap, span), 0);
  const ratio = (part: number, other: number) => (part + other === 0 ? null : part / (part + other));
  const hitRequests = ratio(total.edgeRequests, total.originRequests);
  const hitBytes = ratio(total.edgeBytes, total.originBytes);
  const errors = total.requests === 0 ? null : total.errors / total.requests;
  // A part of the minute that was not read is left blank: nothing known must not look like nothing there.
  const known = (bucket: (typeof buckets)[number], value: number | null) =>
    gaps.some((gap) => overlap(gap, bucket) > 0) ? null : value;
  const most = buckets.reduce(
    (max, bucket) => Math.max(max, bucket.requests / bucketSpan(bucket, newest)),
    0.001,
  );
  const wide = columns >= 76;
  const spark = (values: (number | null)[]) => (wide ? ` ${sparkline(values, look)}` : '');
  const parts = [
    look.paint('title', `${read > 0 ? perSecond(total.requests / (read / 1000)) : '-'} req/s`) +
      look.paint(
        'dim',
        spark(buckets.map((bucket) => known(bucket, bucket.requests / bucketSpan(bucket, newest) / most))),
      ),
    `hit ${look.paint('hit', percent(hitRequests))}${look.paint('hit', spark(buckets.map((b) => known(b, ratio(b.edgeRequests, b.originRequests)))))}`,
    `bytes ${look.paint('hit', percent(hitBytes))}${look.paint('hit', columns >= 100 ? spark(buckets.map((b) => known(b, ratio(b.edgeBytes, b.originBytes)))) : '')}`,
    `5xx ${look.paint(errors ? 'error' : 'dim', percent(errors))}${look.paint('error', columns >= 100 ? spark(buckets.map((b) => (b.requests === 0 ? null : b.errors / b.requests))) : '')}`,
  ];
  return ` ${parts.join('  ')}`;
}

/** The query as chips: what the server does in one colour, what is done here in another, with what it hid. */
export function queryLine(state: State, look: Look): string {
  const { session } = state;
  const view = topView(state);
  if (!session || view.kind === 'zones') return '';
  const { columns } = state.size;
  const zone = session.zone;
  const window = printQuery({ terms: [], window: view.query.window, groupBy: [] });
  // Where a term runs is decided among all terms that were asked: a second one for the same parameter runs here.
  const asked = placeTerms(session.asked.terms, zone);
  const chips = view.query.terms.map((term) => chip(term, isOnServer(term, asked)));
  const hidden =
    session.book.hidden > 0
      ? `hidden here ${count(session.book.hidden)} of ${count(session.book.size)}`
      : `${count(session.book.size)} rows${session.book.evicted > 0 ? `, ${count(session.book.evicted)} older dropped` : ''}`;
  let room = columns - hidden.length - 3;
  let line = ' ';
  for (const part of [{ text: window || 'newest rows', slot: 'dim' as Slot }, ...chips]) {
    const text = fit(
      sanitise(part.text, 'strict', Math.max(1, room)),
      Math.max(0, Math.min(part.text.length, room)),
      'left',
      look.glyph.cut,
    );
    line += `${look.paint(part.slot, text)} `;
    room -= width(text) + 1;
    if (room <= 0) break;
  }
  return `${line}${' '.repeat(Math.max(0, room))} ${look.paint(session.book.hidden > 0 ? 'local' : 'dim', hidden)}`;
}

function chip(term: Term, onServer: boolean): { text: string; slot: Slot } {
  return {
    text: printQuery({ terms: [term], window: null, groupBy: [] }),
    slot: onServer ? 'server' : 'local',
  };
}

function isOnServer(term: Term, asked: readonly { term: Term; runs: 'server' | 'local' }[]): boolean {
  const text = JSON.stringify(term);
  return asked.some((each) => each.runs === 'server' && JSON.stringify(each.term) === text);
}

/** The line of truth: what was seen, what is missing, up to when the log is complete, and the price. */
export function footLine(state: State, look: Look): string {
  const { session } = state;
  const { columns } = state.size;
  const report = session?.report;
  const { dot } = look.glyph;
  // What nobody asked for yet is offered as a row of its own, but it is no hole in what was read.
  const holes = report?.gaps.filter((gap) => gap.reason !== 'notRead').length ?? 0;
  const left = report
    ? [
        `seen ${count(report.seen)}`,
        `unique ${count(report.unique)}`,
        `late ${count(report.late)}`,
        holes > 0 ? look.paint('gap', `gaps ${holes}`) : 'gaps 0',
        ...(report.bad > 0 ? [look.paint('warning', `not understood ${count(report.bad)}`)] : []),
      ].join(` ${dot} `)
    : 'nothing read yet';
  const until = report?.completeTo
    ? `complete to ${clock(report.completeTo, { zone: look.utc ? 'utc' : 'local' })}`
    : 'not complete yet';
  const budget = budgetWords(state);
  const right = `${budget.text} ${dot} ${until}`;
  const plain = stripped(left);
  const gap = columns - plain.length - right.length - 3;
  if (gap < 0) return fit(` ${right}`, columns);
  return ` ${look.paint('text', left)} ${' '.repeat(gap)}${look.paint(budget.slot, budget.text)}${look.paint('dim', ` ${dot} ${until}`)} `;
}

/** The last line: a notice, or the keys that matter here. */
export function bottomLine(state: State, look: Look): string {
  const { columns } = state.size;
  const { notice, session } = state;
  if (notice) {
    const slot = notice.tone === 'error' ? 'error' : notice.tone === 'warning' ? 'warning' : 'accent';
    return look.paint(
      slot,
      fit(` ${sanitise(notice.text, 'text', columns * 2)}`, columns, 'left', look.glyph.cut),
    );
  }
  const report = session?.report;
  const view = topView(state);
  if (
    report?.failure &&
    report.status !== 'live' &&
    report.status !== 'quiet' &&
    (session?.book.length ?? 0) > 0
  ) {
    const { what, next } = explain(report.failure);
    return look.paint('warning', fit(` ${what} ${next}`, columns, 'left', look.glyph.cut));
  }
  const search = view.kind === 'log' && view.search?.at ? searchWords(view) : '';
  let line = search ? ` ${look.paint('match', search)} ` : ' ';
  let room = columns - stripped(line).length;
  for (const { key, word } of hints(state)) {
    const length = key.length + word.length + 3;
    if (room < length) break;
    line += `${look.paint('key', key)} ${look.paint('dim', word)}  `;
    room -= length;
  }
  return line;
}

function searchWords(view: LogView): string {
  return view.search?.at
    ? `/${sanitise(view.search.needle, 'strict', 24)} ${count(view.search.at.index)}/${count(view.search.at.total)}`
    : '';
}

function budgetWords(state: State): Badge {
  const { budget } = state;
  if (!budget) return { text: '0/30', slot: 'dim' };
  if (budget.frozenUntil !== null && budget.frozenUntil > state.now) {
    return { text: `${budget.used}/${budget.cap}`, slot: 'down' };
  }
  const text = `${budget.used}/${budget.cap}${budget.degraded ? ' (quarter: shared ledger broken)' : ''}`;
  return { text, slot: budget.degraded || budget.used > 26 ? 'warning' : 'dim' };
}

function pickerLine(state: State, look: Look): string {
  const { zones } = state;
  if (zones.items.length === 0) return '';
  const shielded = zones.items.filter((zone) => zone.shieldZoneId).length;
  const logging = zones.items.filter((zone) => zone.logging).length;
  return look.paint(
    'dim',
    ` ${count(zones.total ?? zones.items.length)} zones  ${count(logging)} with logging  ${zones.shieldOf ? `${count(shielded)} with Shield` : 'Shield not known yet'}`,
  );
}

/** Levels of 0…1; null draws a blank, so that "nothing was asked" does not look like "nothing was hit". */
function sparkline(values: readonly (number | null)[], look: Look): string {
  const { spark } = look.glyph;
  return values
    .map((value) =>
      value === null ? ' ' : (spark[Math.min(spark.length - 1, Math.floor(value * spark.length))] ?? ' '),
    )
    .join('');
}

/** ms that two ranges of time share. */
function overlap(a: TimeRange, b: TimeRange): number {
  return Math.max(0, Math.min(a.to, b.to) - Math.max(a.from, b.from));
}

/** ms of a bucket that are over; the newest one has just begun. */
function bucketSpan(bucket: TimeRange, newest: number): number {
  return Math.max(1000, Math.min(bucket.to, newest) - bucket.from);
}

function perSecond(rate: number): string {
  return rate >= 100 ? count(Math.round(rate)) : rate >= 10 ? rate.toFixed(0) : rate.toFixed(1);
}

/** Text without its colours, for measuring. */
function stripped(text: string): string {
  return text.replace(/\x1b\[[\d;]*m/g, '');
}
