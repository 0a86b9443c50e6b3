import type { TimeRange } from '../domain/tail/coverage.ts';
import type { SavedSource } from '../state/logs/log-source.ts';
import { shownLog } from '../state/logs/session.ts';
import type { LogSession, State } from '../state/model.ts';
import { bytes, count, duration, percent } from '../text/units.ts';
import { errorShare } from './error-share.ts';
import { stripped } from './row.ts';
import { sparkline } from './spark.ts';
import type { Look } from './theme.ts';

const BUCKETS = 12;
/** Of a file that grows, the rates move on by the first of these whose second number its time reaches, ms. */
const FOLLOWED_STEPS = [
  [5000, 60_000],
  [1000, 2000],
] as const;

/** The rates of saved logs, or of a window with an end, over the whole of it; while it is read, how far that is. */
export function windowRatesLine(state: State, session: LogSession, look: Look): string {
  const { columns } = state.size;
  const known = linesBySession.get(session);
  if (known?.columns === columns && known.look === look) return known.line;
  const line = lineOf(state, session, look);
  linesBySession.set(session, { columns, look, line });
  return line;
}

/** A session is another object after every change of its rows or of its filter. */
const linesBySession = new WeakMap<LogSession, { columns: number; look: Look; line: string }>();

function lineOf(state: State, session: LogSession, look: Look): string {
  const { source, report } = session;
  if (source.kind === 'files') return savedLine(state, session, source, look);
  if (report === null || session.from === null || session.to === null || !report.readShare) return '';
  const whole = { from: session.from, to: session.to };
  return ratesOver(state, session, { whole, share: report.readShare, look });
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
  const whole: TimeRange = { from, to: Math.min(end, range?.to ?? Number.POSITIVE_INFINITY) };
  if (whole.from >= whole.to) return look.paint('dim', ' no rows in this window');
  return ratesOver(state, session, { whole, share: 1, look });
}

/** `share`: how much of the time was read; the rates are those of that. */
function ratesOver(
  state: State,
  { book }: LogSession,
  { whole, share, look }: { whole: TimeRange; share: number; look: Look },
): string {
  const { total, buckets } = book.stats(whole, BUCKETS);
  const seconds = Math.max(1, ((whole.to - whole.from) / 1000) * share);
  const most = buckets.reduce((max, bucket) => Math.max(max, bucket.requests), 1);
  const isWide = state.size.columns >= 92;
  const isWidest = state.size.columns >= 100;
  const spark = (isShown: boolean, values: (number | null)[]) =>
    isShown ? ` ${sparkline(values, look)}` : '';
  const errors = errorShare(total.errors, total.requests);
  const isFiltered = (shownLog(state)?.query.terms.length ?? 0) > 0;
  const perSecond = total.requests / seconds;
  const parts = [
    look.paint(
      share < 1 ? 'warning' : 'dim',
      `over ${share < 1 ? `${percent(share)} of ` : ''}${duration(whole.to - whole.from)}`,
    ),
    ...(isFiltered ? [look.paint('local', 'filtered')] : []),
    look.paint('title', `${perSecond >= 10 ? count(Math.round(perSecond)) : perSecond.toFixed(1)} req/s`) +
      look.paint(
        'dim',
        spark(
          state.size.columns >= 76,
          // Where nothing was read nothing is known.
          buckets.map(({ requests }) => (requests === 0 && share < 1 ? null : requests / most)),
        ),
      ),
    `hit ${look.paint('hit', percent(ratio(total.edgeRequests, total.originRequests)))}` +
      look.paint(
        'hit',
        spark(
          isWide,
          buckets.map((b) => ratio(b.edgeRequests, b.originRequests)),
        ),
      ),
    `bytes ${look.paint('hit', percent(ratio(total.edgeBytes, total.originBytes)))}` +
      look.paint(
        'hit',
        spark(
          isWidest,
          buckets.map((b) => ratio(b.edgeBytes, b.originBytes)),
        ),
      ),
    `5xx ${look.paint(errors.slot, errors.text)}` +
      look.paint(
        errors.slot,
        spark(
          isWidest,
          buckets.map((b) => ratio(b.errors, b.requests - b.errors)),
        ),
      ),
  ];
  return fitting(parts, state.size.columns - 1);
}

/** To the end of the last step that is over: rates that slide with every row cost as many bytes as the row. */
function wholeSteps(from: number, newest: number): number {
  const span = newest - from;
  const step = FOLLOWED_STEPS.find(([, least]) => span >= least)?.[0];
  return step === undefined ? newest + 1 : from + Math.floor(span / step) * step;
}

/** As many of the parts as there is room for: a number that is cut is a wrong one. */
export function fitting(parts: readonly string[], room: number): string {
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
