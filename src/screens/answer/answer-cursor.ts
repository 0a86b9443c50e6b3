import {
  type AnswerLine,
  type AnswerRow,
  type AnswerTable,
  answerLines,
} from '../../domain/inquiry/answer-table.ts';
import type { Zones } from '../../domain/zone.ts';
import type { AnswerView } from '../../state/answer-model.ts';
import { listHeight } from '../../state/list/screen-layout.ts';
import { clamp, followed, placed } from '../../state/list.ts';
import { noticed, type State } from '../../state/model.ts';
import { withTop } from '../../state/view-stack.ts';
import { width, wrapText } from '../../text/fit.ts';
import { sanitise } from '../../text/sanitise.ts';

/** The line under the cursor. */
export function answerLineUnder({ size }: State, view: AnswerView): AnswerLine | undefined {
  return shownLines(view.table, size.columns)[view.cursor];
}

/** The row under the cursor; null on a title, a head or a note. */
export function rowUnder(state: State, view: AnswerView): AnswerRow | null {
  const line = answerLineUnder(state, view);
  return line?.kind === 'row' ? line.row : null;
}

/** The zones of the row under the cursor; without a row, or where it names none, those of the answer. */
export function zonesUnder(state: State, view: AnswerView): Zones {
  const ids = rowUnder(state, view)?.leads?.zones;
  const [first, ...others] = ids ? view.zones.filter(({ id }) => ids.includes(id)) : [];
  return first ? [first, ...others] : view.zones;
}

/**
 * The cursor stays on its row, and the row on its screen line, while rows arrive above it; a cursor nobody moved goes
 * to what was asked about, or leads on.
 */
export function withCursorHeld(state: State, before: AnswerView, after: AnswerView): AnswerView {
  const { columns } = state.size;
  const lines = shownLines(after.table, columns);
  const height = listHeight(state);
  if (!after.isMoved)
    return {
      ...after,
      ...placed(after, firstLine(lines, after.stage.kind === 'read'), lines.length, height),
    };
  const at = heldLine(shownLines(before.table, columns)[after.cursor], lines, after.cursor);
  return { ...after, ...followed(after, at, lines.length, height) };
}

function firstLine(lines: readonly AnswerLine[], isRead: boolean): number {
  const subject = lines.findIndex((line) => line.kind === 'row' && line.row.isSubject);
  return Math.max(0, isRead && subject > 0 ? subject : lines.findIndex(isLeading));
}

function heldLine(held: AnswerLine | undefined, lines: readonly AnswerLine[], before: number): number {
  if (held?.kind !== 'row') return before;
  const at = lines.findIndex((line) => line.kind === 'row' && idOf(line) === idOf(held));
  return at < 0 ? before : at;
}

/** To the first line that leads somewhere in the next table or the one before, else to its title. */
export function toTable(state: State, view: AnswerView, by: 1 | -1): State {
  const lines = shownLines(view.table, state.size.columns);
  const titles = lines.flatMap((line, at) => (line.kind === 'title' ? at : []));
  const here = titles.findLastIndex((at) => at <= view.cursor);
  const to = clamp(here + by, 0, titles.length - 1);
  const title = titles[to];
  if (title === undefined || to === here) {
    return noticed(state, 'info', `this is the ${by > 0 ? 'last' : 'first'} table of the answer`);
  }
  const leading = lines.findIndex((line, at) => at > title && isLeading(line));
  const at = leading >= 0 && leading < (titles[to + 1] ?? lines.length) ? leading : title;
  const height = listHeight(state);
  // A line that was out of sight brings the title of its table along.
  const top = at >= view.top && at < view.top + height ? view.top : title;
  return withTop(state, { ...view, ...placed({ ...view, top }, at, lines.length, height), isMoved: true });
}

function isLeading(line: AnswerLine): boolean {
  return line.kind === 'row' && line.row.leads !== undefined;
}

function idOf(line: Extract<AnswerLine, { kind: 'row' }>): string {
  const { value, cells } = line.row;
  return `${line.section.title} ${value ? `${value.field} ${value.value}` : cells[0]}`;
}

/** Cells of the foot for the price, beside what was read. */
const PRICE = 16;

/** Cells at the right of the headline's first line for the place of the cursor. */
const PLACE = 10;

/** The answer's sentence broken into lines; the first stands above the list. */
export function headlineOf({ headline }: AnswerTable, columns: number): string[] {
  return wrapText(sanitise(headline, 'strict'), columns - PLACE);
}

/**
 * The lines of an answer in a window of so many columns: the rest of its headline, its sections with their wrapped
 * notes, and what the foot has no room for. Headlines and notes are sanitised.
 */
export function shownLines(table: AnswerTable, columns: number): AnswerLine[] {
  const notes = (text: string): AnswerLine[] =>
    wrapText(sanitise(text, 'strict'), columns - 2).map((part) => ({ kind: 'note', text: part }));
  const ifCut = (text: string, room: number) => (width(sanitise(text, 'strict')) > room ? notes(text) : []);
  const blank: AnswerLine = { kind: 'blank' };
  const [, ...headline] = headlineOf(table, columns);
  const last = ifCut(table.coverage, columns - PRICE);
  return [
    ...headline.map((text) => ({ kind: 'headline', text }) as const),
    ...(headline.length > 0 ? [blank] : []),
    ...answerLines(table, columns - 2).flatMap((line) => (line.kind === 'note' ? notes(line.text) : [line])),
    ...(last.length > 0 ? [blank, ...last] : []),
  ];
}
