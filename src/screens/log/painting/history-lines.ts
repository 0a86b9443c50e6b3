import { FAILURES } from '../../../domain/failure.ts';
import { isUnread, type LogReport } from '../../../domain/logs/paged-log.ts';
import { isLacking } from '../../../domain/tail/coverage.ts';
import { type Strip, timeText, todayOf } from '../../../paint/row.ts';
import { fittingForm, gapsPart, requestWords, warnedPart } from '../../../paint/status-line.ts';
import type { Look, Words } from '../../../paint/theme.ts';
import type { GroupsView, LogSession, State } from '../../../state/model.ts';
import { readShare } from '../../../state/sessions/log-coverage.ts';
import { isFull, isReading } from '../../../state/sessions/paging.ts';
import {
  countedTimes,
  countFailure,
  countTold,
  isCountedHere,
  isCountRefused,
  MOST_JOINED,
  sharesShown,
} from '../../../state/sessions/stored-groups.ts';
import { valuesSource } from '../../../state/sessions/stored-values.ts';
import { bytes, count, counted, percent, shortCount } from '../../../text/units.ts';

/** Cells that the query has at least, beside what its groups cover. */
const LEAST_CHIPS = 12;

/** The words for a window whose reading a key ended. */
export const STOPPED_WORDS = ['', 'stopped; Enter reads on'];

/** The rows' source and how much of the window was read. An unread part keeps it from being called complete. */
export function historyBadge(state: State, session: LogSession): Words {
  const { report, paged, tails, to } = session;
  const source = `HISTORY ${state.history?.engine ?? ''}`;
  if (report === null)
    return { text: paged?.isStopped ? `${source} STOPPED` : `${source} READING`, slot: 'quiet' };
  const failure = tails.find(({ pages }) => pages?.failure)?.pages?.failure ?? null;
  if (failure !== null) {
    const { tail } = FAILURES[failure.kind].traits;
    return { text: `${source} ${tail === 'denied' ? 'REFUSED' : 'FAILING'}`, slot: 'down' };
  }
  const share = shareWords(readShare(session));
  if (isReading(state)) return { text: `${source} READING ${share}`, slot: 'quiet' };
  const isOver = tails.every(({ pages }) => pages?.status === 'stopped');
  if (!isOver) return { text: `${source} ${share} read`, slot: 'quiet' };
  if (report.gaps.some(isLacking)) return { text: `${source} INCOMPLETE ${share}`, slot: 'warning' };
  // Files may lack rows without anybody knowing.
  if (report.gaps.length > 0) return { text: `${source} READ, imported`, slot: 'quiet' };
  if (to === null) return { text: `${source} ${share} read`, slot: 'quiet' };
  return { text: `${source} COMPLETE`, slot: 'success' };
}

/** The state of a store's count; null where rows in memory are counted. */
export function countBadge(state: State, view: GroupsView): Words | null {
  if (isCountedHere(view)) return null;
  const source = `HISTORY ${state.history?.engine ?? ''}`;
  const failure = countFailure(view);
  if (failure !== null)
    return { text: `${source} ${isCountRefused(failure) ? 'REFUSED' : 'FAILING'}`, slot: 'down' };
  const share = sharesShown(state, view)?.all;
  if (share === undefined) return { text: `${source} COUNTING`, slot: 'quiet' };
  if (isReading(state)) return { text: `${source} READING ${shareWords(share)}`, slot: 'quiet' };
  if (share < 1) return { text: `${source} INCOMPLETE ${shareWords(share)}`, slot: 'warning' };
  return hasFiles(view)
    ? { text: `${source} COUNTED, imported`, slot: 'quiet' }
    : { text: `${source} COUNTED`, slot: 'success' };
}

/** What counted groups cover: the whole window, less what the store lacks and what was not read here behind it. */
export function countWords(state: State, view: GroupsView, look: Look): string | null {
  const engine = state.history?.engine ?? '';
  if (view.counted?.answer === 'unable') return `${engine} cannot count this`;
  if (view.counted?.answer === 'tooMany') return `${engine} has more than ${count(MOST_JOINED)} groups`;
  const told = countTold(view);
  const { session, size } = state;
  const shares = sharesShown(state, view);
  if (countFailure(view) !== null || isCountedHere(view) || !session) return null;
  if (told === null || shares === null) return `counting in ${engine}`;
  const { stored, rest, all } = shares;
  const rows = `over ${count(view.rows)} rows${hasFiles(view) ? ' (some imported)' : ''}`;
  const counted = `${rows}, counted by ${engine}`;
  if (rest === null)
    return `${counted}${stored < 1 ? `, which has ${shareWords(stored)} of the window` : ' of the whole window'}`;
  const { backlog } = session.book;
  const held = backlog > 0 ? `, ${count(backlog)} held back` : '';
  const to = timeText(told.to, todayOf(state, look), look);
  const lacks = stored < 1 ? ` (${shareWords(stored)} of it)` : '';
  const texts = [
    `${counted} to ${to}${lacks} and here since (${shareWords(rest)} of it)${held}`,
    `${rows}: ${engine} to ${to}${lacks}, here ${shareWords(rest)} since${held}`,
    `${rows}, ${shareWords(all)} of the window${held}`,
  ];
  return texts.find((text) => text.length + LEAST_CHIPS <= size.columns) ?? texts.at(-1) ?? '';
}

/** Whether the store counted imported files, which may lack rows. */
function hasFiles(view: GroupsView): boolean {
  return countTold(view)?.gaps.some((gap) => !isLacking(gap)) ?? false;
}

/** What the top values cover, where that is not the window as read here. */
export function valuesWords(state: State): string | null {
  const source = valuesSource(state);
  const engine = state.history?.engine ?? '';
  switch (source?.kind) {
    case undefined:
      return null;
    case 'counting':
      return `${engine} is counting the window`;
    case 'store': {
      const { share, lacking } = source;
      const without = lacking.length === 0 ? '' : `, not ${lacking.join(', ')}`;
      return `${engine} counted ${share < 1 ? `${shareWords(share)} of` : 'all of'} the window${without}`;
    }
    case 'rows':
      return `of the rows read alone${source.why === '' ? '' : `: ${source.why}`}`;
  }
}

/** The status line of counted groups; null where rows in memory are counted. */
export function countFootLine(state: State, view: GroupsView, look: Look): string | null {
  const told = countTold(view);
  if (told === null || !state.session) return null;
  const gaps = gapsPart(countedTimes(state.session, told).gaps.filter(isLacking).length, look);
  const groups = counted(view.total, 'group');
  return ` ${[groups, gaps, `store ${state.history?.name ?? ''}${costWords(told.read)}`].join(` ${look.glyph.dot} `)}`;
}

/** The status line of a log read by pages: what of its time was read, what is missing, what the store read for it. */
export function historyFootLine(state: State, { columns, look }: Strip): string {
  const { session, history } = state;
  const report = session?.report ?? null;
  if (session === null || report === null) return ' nothing read yet';
  const gaps = gapsPart(report.gaps.filter((gap) => isLacking(gap) && !isUnread(gap, true)).length, look);
  const full = isFull(session) ? [look.paint('warning', 'memory is full: ask for less time')] : [];
  const rest = [gaps, ...full, ...warnedPart(report.bad, 'not understood', look)];
  const span = spanWords(session, report, { today: todayOf(state, look), look });
  const rows = requestWords(report.unique);
  const cost = report.paging?.cost.rows ? report.paging.cost : null;
  const forms = [
    [rows.long, ...rest, span, `store ${history?.name ?? ''}${costWords(cost)}`],
    [rows.long, ...rest, span],
    [rows.short, gaps, ...full, span],
    [rows.short, gaps, ...full],
    [gaps, ...full],
    [gaps],
  ];
  return ` ${fittingForm(forms, columns - 2, look)}`;
}

/** What an empty pane means, where nothing went wrong. */
export function historyEmptyWords(session: LogSession, report: LogReport): string[] {
  if (session.paged?.isStopped) return STOPPED_WORDS;
  if (report.status !== 'stopped')
    return ['', `reading this window: ${shareWords(readShare(session))} of its time so far`];
  return noRowWords(report);
}

/** What it means that a window read to its end has no row. */
export function noRowWords({ gaps }: LogReport): string[] {
  return gaps.length === 0
    ? ['', 'no requests in this window']
    : ['', 'no row came of this window, and not all of it was read'];
}

/** Less than all is never rounded up to all. */
function shareWords(share: number | null): string {
  const whole = share ?? 0;
  return whole < 1 && whole > 0.999 ? '99.9%' : percent(whole);
}

function spanWords(
  { from, to }: LogSession,
  { paging }: LogReport,
  { today, look }: { today: string; look: Look },
): string {
  const time = (at: number) => timeText(at, today, look);
  const since = Math.max(from ?? 0, paging?.to ?? from ?? 0);
  return since <= (from ?? 0)
    ? `read ${time(from ?? 0)}${look.glyph.dash}${time(to ?? 0)}`
    : `read back to ${time(since)}`;
}

/** What the store read for it, where it says so. */
function costWords(cost: { rows: number; bytes: number } | null): string {
  return cost ? ` read ${shortCount(cost.rows)} rows, ${bytes(cost.bytes)}` : '';
}
