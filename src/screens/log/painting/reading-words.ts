import { FAILURES, type Failure } from '../../../domain/failure.ts';
import { isUnread, type LogReport } from '../../../domain/logs/paged-log.ts';
import type { SavedReport } from '../../../domain/logs/saved-report.ts';
import { isLacking } from '../../../domain/tail/coverage.ts';
import { cut, type Strip, stripped, timeText, todayOf } from '../../../paint/row.ts';
import { fittingForm, gapsPart, requestWords, warnedPart, withEnds } from '../../../paint/status-line.ts';
import type { Look, Words } from '../../../paint/theme.ts';
import type { SavedSource } from '../../../state/log-source.ts';
import { memoised } from '../../../state/memoised.ts';
import type { GroupsView, LogSession, State } from '../../../state/model.ts';
import { readShare } from '../../../state/sessions/log-coverage.ts';
import { isFull, isReading } from '../../../state/sessions/paging.ts';
import {
  countedTimes,
  countFailure,
  countTold,
  isCountedHere,
  MOST_JOINED,
  sharesShown,
} from '../../../state/sessions/stored-groups.ts';
import { valuesSource } from '../../../state/sessions/stored-values.ts';
import { sanitise } from '../../../text/sanitise.ts';
import { bytes, count, counted, percent, shortCount, timeOfDay } from '../../../text/units.ts';

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
    return { text: `${source} ${isDenied(failure) ? 'REFUSED' : 'FAILING'}`, slot: 'down' };
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
    return { text: `${source} ${isDenied(failure) ? 'REFUSED' : 'FAILING'}`, slot: 'down' };
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

/** The state of reading saved logs. Files that could not be read whole are never called read. */
export function savedBadge(report: SavedReport): Words {
  const part = partWords(report);
  switch (report.status) {
    case 'reading':
      return { text: `READING ${part}`, slot: 'quiet' };
    case 'stopped':
      return { text: `STOPPED at ${part}`, slot: 'paused' };
    default:
      if (report.troubles.some((trouble) => trouble.isLoss)) return { text: 'INCOMPLETE', slot: 'down' };
      return report.status === 'following'
        ? { text: 'FOLLOWING', slot: 'live' }
        : { text: 'READ', slot: 'success' };
  }
}

/** The name of the file, or the number of files. */
function savedName(names: readonly string[]): string {
  const [only = ''] = names;
  const last = only.slice(only.lastIndexOf('/') + 1);
  return names.length === 1 ? sanitise(last, 'text', 40) : `${names.length} files`;
}

/** The window of saved logs: `last:` counts from their newest row, and the words say so. */
export function savedWindowWords(window: string, source: SavedSource, today: string, look: Look): string {
  const { range } = source;
  if (window === '') return 'all rows';
  if (range === null || !window.startsWith('last:')) return window;
  return `${window} of the file, from ${timeText(range.from, today, look)}`;
}

/** The status line of saved logs: what was read, what was not understood, from when to when. */
export const savedFootLine = memoised((report: SavedReport, { columns, look }: Strip): string => {
  const { rows, gaps, files, filesRead, troubles } = report;
  const lost = troubles.filter((trouble) => trouble.isLoss).map((trouble) => savedName([trouble.file]));
  const truth = [
    counted(rows, 'request'),
    ...(lost.length > 0 ? [look.paint('gap', `incomplete: ${lost.slice(0, 2).join(', ')}`)] : []),
    ...warnedPart(report.bad, 'not understood', look),
    ...warnedPart(report.cut, 'lines cut', look),
    ...warnedPart(report.notText, 'not UTF-8', look),
  ];
  const withGaps = [...truth, gapsPart(gaps.length, look)];
  const fileWords = files === 1 ? [] : [`${filesRead === files ? '' : `${filesRead} of `}${files} files`];
  const left = [[...withGaps, ...fileWords], withGaps, truth].map((parts) =>
    parts.join(` ${look.glyph.dot} `),
  );
  for (const right of spanTexts(report, look)) {
    const text = left.find((each) => stripped(each).length + right.length + 3 <= columns);
    if (text !== undefined) return withEnds(text, look.paint('dim', right), columns);
  }
  return cut(` ${stripped(left.at(-1) ?? '')}`, columns, look);
});

/** What an empty pane means. */
export function savedEmptyWords(session: LogSession): string[] {
  const { book, source } = session;
  if (source.kind !== 'files') return [];
  const { status, rows, troubles } = source.report;
  if (status === 'reading' && rows === 0) return ['', 'reading the first rows'];
  if (book.hidden > 0) {
    return [
      '',
      `no row passes the filter: hidden here ${count(book.hidden)} of ${count(book.size)}`,
      source.range === null
        ? 'x drops the last filter, :drop-all all of them'
        : 'x drops the last filter, :drop-all all of them; t changes the window, :zoom-out widens it',
    ];
  }
  const why = troubles.map(({ file, what }) => `${sanitise(file, 'text', 60)} ${what}`);
  return ['', ...(why.length > 0 ? why : ['there are no rows in it'])];
}

/** Bytes read of all bytes; nobody knows the length of a stream. */
function partWords({ bytesRead, bytesTotal }: SavedReport): string {
  if (bytesTotal === null) return bytes(bytesRead);
  return `${bytesTotal === 0 ? 100 : Math.min(100, Math.floor((bytesRead * 100) / bytesTotal))}%`;
}

/** From the oldest to the newest row, with the days where there is room. */
function spanTexts({ span }: SavedReport, look: Look): string[] {
  if (span === null) return ['no rows', ''];
  const { zone } = look;
  const [from, to] = [timeOfDay(span.from, { zone, date: true }), timeOfDay(span.to, { zone, date: true })];
  const isOneDay = from.slice(0, 10) === to.slice(0, 10);
  const { dash } = look.glyph;
  const short = `${timeOfDay(span.from, { zone })}${dash}${timeOfDay(span.to, { zone })}`;
  return isOneDay
    ? [`${from}${dash}${timeOfDay(span.to, { zone })}`, short, '']
    : [`${from}${dash}${to}`, ''];
}

/** Whether only the user can change the answer; a server in trouble refuses nothing. */
export function isDenied(failure: Failure | null): boolean {
  return failure !== null && FAILURES[failure.kind].traits.tail === 'denied';
}
