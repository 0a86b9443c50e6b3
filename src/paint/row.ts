import { explain, type Failure } from '../domain/failure.ts';
import type { Highlight } from '../domain/handover/highlights.ts';
import type { Sought } from '../domain/query/terms.ts';
import { waitWords } from '../domain/request-event.ts';
import { DETAIL_LINES, detailedHeight, listHeight } from '../state/list/screen-layout.ts';
import type { ListPlace, Loading, Sideways } from '../state/list.ts';
import type { State } from '../state/model.ts';
import { readingTold, SLOW, waitingSince } from '../state/request-log.ts';
import type { ShieldLoading } from '../state/shield-model.ts';
import { fit, fromCell, width, wrapText } from '../text/fit.ts';
import { sanitise } from '../text/sanitise.ts';
import { dayClock, dayOf, duration, joined, timeOfDay } from '../text/units.ts';
import type { Look, ThemeSlot, Words } from './theme.ts';

/** Where a line is painted: its cells, and the look. */
export type Strip = { columns: number; look: Look };

/** Where lines are painted below each other, and how many fit. What they leave is blank. */
export type Area = Strip & { height: number };

/** A sanitised text in exactly `columns` cells, with a sign where it is truncated. */
export function cut(text: string, columns: number, look: Look): string {
  return fit(text, columns, 'left', look.glyph.cut);
}

/**
 * Untrusted text in exactly `columns` cells. Truncated first: an attacker's 60 kB user agent costs what a short one
 * does. `from`: the first cell of a scrolled column.
 */
export function cell(
  value: string | null,
  columns: number,
  look: Look,
  mode: 'strict' | 'text' = 'strict',
  align: 'left' | 'right' = 'left',
  from = 0,
): string {
  if (value === null) return ' '.repeat(columns);
  const most = from + columns + 1;
  const looked = value.length > most ? value.slice(0, most) : value;
  return fit(fromCell(sanitise(looked, mode), from, look.glyph.cut), columns, align, look.glyph.cut);
}

/** The cells of a column that are scrolled out of sight. */
export function cellsGone(id: string, sideways: Sideways | null): number {
  return sideways?.column === id ? sideways.cells : 0;
}

/** The title of a column, and how far its texts are scrolled. */
export function scrolledTitle(title: string, id: string, sideways: Sideways | null): string {
  const cells = cellsGone(id, sideways);
  return cells === 0 ? title : `${title} +${cells}`;
}

/** A search in the last line. */
export function soughtWords({ needle, field }: Sought): string {
  return `${field === undefined ? '/' : `${field}:`}${sanitise(needle, 'strict', 24)}`;
}

/** A text that stands out in a list: in lower case as shown, and its colour. */
export type Find = { text: string; slot: ThemeSlot };

/**
 * What stands out in a column: the search first (one for a value only in its own column), then the highlights, which
 * give way where both match the same letters.
 */
export function findsOf(
  search: { needle: string | null; field?: string | undefined } | null,
  highlights: readonly Highlight[],
  field: string | null = null,
): readonly Find[] {
  const isHere = search?.field === undefined || search.field === field;
  const sought: Find[] = [
    { text: (isHere && search?.needle) || '', slot: 'match' },
    ...highlights.map(({ text, colour }) => ({ text, slot: colour })),
  ];
  return sought
    .map(({ text, slot }) => ({ text: sanitise(text, 'strict').toLowerCase(), slot }))
    .filter(({ text }) => text !== '');
}

/** A text in one colour, its matches in theirs. */
export function marked(text: string, slot: ThemeSlot, finds: readonly Find[], look: Look): string {
  const [find, ...others] = finds;
  if (!find) return look.paint(slot, text);
  const lower = text.toLowerCase();
  let out = '';
  let done = 0;
  for (let at = lower.indexOf(find.text); at >= 0; at = lower.indexOf(find.text, done)) {
    const end = at + find.text.length;
    out += marked(text.slice(done, at), slot, others, look) + look.paint(find.slot, text.slice(at, end));
    done = end;
  }
  return out + marked(text.slice(done), slot, others, look);
}

/** A text as a line of the screen, with a sign where it is truncated. */
export function textLine(text: string, { columns, look }: Strip, slot: ThemeSlot): string {
  return look.paint(slot, cut(text, columns, look));
}

/** The first line of a list: what it is, and at the right end the cursor's place. */
export function headerLine(text: string, { columns, look }: Strip, place = ''): string {
  return look.paint('header', cut(` ${text}`, columns - place.length, look) + place);
}

/** The items of a list that are on screen, a line each. */
export function listLines<T>(
  items: readonly T[],
  { cursor, top }: ListPlace,
  rows: number,
  line: (item: T, isCursor: boolean) => string,
): string[] {
  return items.slice(top, top + rows).map((item, index) => line(item, top + index === cursor));
}

/** Two lines about the line under the cursor. */
export function detailLines(first: string, second: string, strip: Strip, slot: ThemeSlot = 'dim'): string[] {
  const { columns, look } = strip;
  return [
    look.paint('dim', ` ${look.glyph.crumb} `) + look.paint('text', cut(first, columns - 3, look)),
    textLine(`   ${second}`, strip, slot),
  ];
}

/** A list with the detail of the line under its cursor, where the screen is tall enough. */
export function withDetailLines(lines: string[], detail: string[], state: State, { height }: Area): string[] {
  if (detailedHeight(state) === listHeight(state)) return lines;
  return [...padLines(lines, height - DETAIL_LINES), ...detail];
}

/** A failure in one line: what to do comes before the details where both do not fit. */
export function failureLine(failure: Failure, columns: number, now?: number): string {
  const { what, next } = explain(failure, now);
  const both = `${what} ${next}`;
  return both.length <= columns ? both : `${next} ${what}`;
}

/** Time passed in whole seconds: nobody can read a title that counts milliseconds. */
export function wholeSeconds(ms: number): string {
  return duration(Math.floor(Math.max(0, ms) / 1000) * 1000);
}

/** A failure in place of the lines that it prevents. */
export function failureWords(failure: Failure, now?: number): string[] {
  const { what, meaning, next } = explain(failure, now);
  return ['', what, meaning, next];
}

/** What stands in place of an empty list of the account. */
export function emptyListWords(
  { loading, nextPage }: { loading: Loading; nextPage: number | null },
  items: string,
  state: State,
): string[] {
  if (loading.kind === 'failed') return failureWords(loading.failure, state.now);
  if (loading.kind === 'loading') return ['', readingTold(`reading the ${items}`, loading.since, state)];
  return ['', nextPage === null ? `this account has no ${items}` : 'not read; Ctrl-r asks'];
}

/** A row that was not understood, as it came, behind the sign of its line. */
export function rawLine(raw: string, { columns, look }: Strip, finds: readonly Find[]): string {
  return marked(cell(`not understood: ${raw}`, columns - 1, look), 'warning', finds, look);
}

/** A line of the body: the sign, then the text in the cells left. */
export function listLine(
  text: string,
  isCursor: boolean,
  { columns, look }: Strip,
  slot: ThemeSlot = 'text',
): string {
  return cursorSign(isCursor, look) + look.paint(isCursor ? 'title' : slot, cut(text, columns - 1, look));
}

export function cursorSign(isCursor: boolean, look: Look): string {
  return isCursor ? look.paint('accent', look.glyph.cursor) : ' ';
}

/**
 * The sign before a line: the cursor, a user's mark, `!` for what was not understood, `~` for what is older than the
 * rest. The cursor on a marked line inverts its sign.
 */
export function gutterSign(
  { isCursor, isMarked, isRaw, isOlder }: Record<'isCursor' | 'isMarked' | 'isRaw' | 'isOlder', boolean>,
  look: Look,
): string {
  if (isMarked) return look.paint(isCursor ? 'cursor' : 'accent', look.glyph.mark);
  if (isCursor) return cursorSign(true, look);
  return isRaw ? look.paint('error', '!') : isOlder ? look.paint('late', '~') : ' ';
}

/** Sentences as lines of the body, broken between words. */
export function paragraphs(texts: readonly string[], strip: Strip, slot: ThemeSlot): string[] {
  return texts
    .flatMap((text) => wrapText(text, strip.columns - 2))
    .map((line) => listLine(line, false, strip, slot));
}

/** Exactly so many lines. */
export function padLines(lines: readonly string[], height: number): string[] {
  return Array.from({ length: height }, (_, at) => lines[at] ?? '');
}

/** A painted line padded with blanks, for what stands to its right. */
export function filled(line: string, columns: number): string {
  return line + ' '.repeat(Math.max(0, columns - width(stripped(line))));
}

/** A painted line in at most `columns` cells: the cut shows, and its colours end as they would have. */
export function cutLine(line: string, { columns, look }: Strip): string {
  if (width(stripped(line)) <= columns) return line;
  let room = columns;
  const parts = line.split(/(\x1b\[[\d;]*m)/).map((part) => {
    if (part.startsWith('\x1b')) return part;
    const before = room;
    room = Math.max(0, room - width(part));
    return room > 0 ? part : cut(part === '' ? '' : part + look.glyph.cut, before, look);
  });
  return parts.join('');
}

/** Cells of a date and a time to the minute. */
const TO_THE_MINUTE = 11;

/** The day that needs no date. */
export function todayOf({ now }: Pick<State, 'now'>, { zone }: Look): string {
  return dayOf(now, zone);
}

/** A time in its column: with the date before it where that is not `today`, blank where it is. */
export function timeCell(at: number, cells: number, today: string, look: Look): string {
  const text = timeText(at, today, look);
  if (cells >= dayClock(at, look.zone).length) return fit(text, cells, 'right');
  // A column of today has no room for a date: a row of another day keeps its seconds.
  return cells < TO_THE_MINUTE ? text.slice(-cells) : fit(text.slice(0, cells), cells);
}

/** A time of day, with month and day before it where that is not `today`. */
export function timeText(at: number, today: string, look: Look): string {
  return dayOf(at, look.zone) === today ? timeOfDay(at, look) : dayClock(at, look.zone);
}

/** Text without its colours, for measuring. */
export function stripped(text: string): string {
  return text.replace(/\x1b\[[\d;]*m/g, '');
}

/** Levels of 0…1; null is unknown and must look neither low nor empty. */
export function sparkline(values: readonly (number | null)[], look: Look): string {
  const { spark, hatch } = look.glyph;
  const levelOf = (value: number) => spark[Math.min(spark.length - 1, Math.floor(value * spark.length))];
  return values.map((value) => (value === null ? hatch : (levelOf(value) ?? hatch))).join('');
}

/** From a first to a last time, by month and day. */
export function spanText(first: number, last: number, look: Look): string {
  const { zone } = look;
  const [from, to] = [first, last].map((at) => timeOfDay(at, { zone, date: true }).slice(5)) as [
    string,
    string,
  ];
  const isOneDay = from.slice(0, 5) === to.slice(0, 5);
  return `${from} ${look.glyph.dash} ${isOneDay ? to.slice(6) : to}`;
}

/** Nothing before the hints. */
export const NO_ASIDE: Words = { slot: 'dim', text: '' };

export const FAILED_BADGE: Words = { text: 'FAILED', slot: 'down' };

export function readingBadge(state: State, loading: Loading, word: string): Words {
  if (loading.kind === 'loading') return sinceBadge(state, loading.since);
  return loading.kind === 'failed'
    ? FAILED_BADGE
    : { text: word, slot: word === 'WRITE' ? 'warning' : 'dim' };
}

export function sinceBadge(state: State, since: number): Words {
  return { text: `READING ${wholeSeconds(state.now - since)}`, slot: 'quiet' };
}

/** No backslash: it would show as an escape. */
const SPINNER = ['|', '/', '-'] as const;

/** The spinner with the time passed, once that is long enough to wonder, and what it waits for. */
export function spinner(loading: ShieldLoading, { now, requests }: Pick<State, 'now' | 'requests'>): string {
  if (loading.kind !== 'asking') return '';
  const { since } = loading;
  const passed = now - since;
  if (passed < SLOW) return '';
  const waiting = waitingSince({ requests }, since);
  const waits = waiting === null ? '' : waitWords(waiting.wait, now);
  return `${SPINNER[Math.floor(passed / 200) % SPINNER.length]} ${joined([duration(passed), waits, 'Esc cancels'], ', ')}`;
}
