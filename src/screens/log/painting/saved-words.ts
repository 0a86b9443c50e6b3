import type { SavedReport } from '../../../domain/logs/saved-report.ts';
import { cut, stripped, timeText } from '../../../paint/row.ts';
import { gapsPart, warnedPart, withEnds } from '../../../paint/status-line.ts';
import type { Look, Words } from '../../../paint/theme.ts';
import type { SavedSource } from '../../../state/log-source.ts';
import type { LogSession } from '../../../state/model.ts';
import { sanitise } from '../../../text/sanitise.ts';
import { bytes, count, counted, timeOfDay } from '../../../text/units.ts';

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
export function savedFootLine(report: SavedReport, columns: number, look: Look): string {
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
}

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
