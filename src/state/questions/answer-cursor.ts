import type { AnswerLine, AnswerRow } from '../../domain/questions/inquiry/answer-table.ts';
import type { Zones } from '../../domain/zone.ts';
import { listHeight } from '../list/layout.ts';
import { clamp, placed } from '../list/list.ts';
import { noticed, type State, withTop } from '../model.ts';
import { shownLines } from './answer-lines.ts';
import type { AnswerView } from './answer-model.ts';

/** The line under the cursor. */
export function answerLineUnder({ size }: State, view: AnswerView): AnswerLine | undefined {
  return shownLines(view.table, size.columns)[view.cursor];
}

/** The row under the cursor; null on a title, a head or a note. */
export function rowUnder(state: State, view: AnswerView): AnswerRow | null {
  const line = answerLineUnder(state, view);
  return line?.kind === 'row' ? line.row : null;
}

/** The zones that the row under the cursor is of; without one, or where it does not say, those of the answer. */
export function zonesUnder(state: State, view: AnswerView): Zones {
  const ids = rowUnder(state, view)?.leads?.zones;
  const [first, ...others] = ids ? view.zones.filter(({ id }) => ids.includes(id)) : [];
  return first ? [first, ...others] : view.zones;
}

/** The cursor stays on its row while rows arrive above it; one that nobody moved goes to what was asked about, or leads on. */
export function withCursorHeld(state: State, before: AnswerView, after: AnswerView): AnswerView {
  const { columns } = state.size;
  const lines = shownLines(after.table, columns);
  const at = before.isMoved
    ? heldLine(shownLines(before.table, columns)[before.cursor], lines, before.cursor)
    : firstLine(lines, after.stage.kind === 'read');
  return { ...after, ...placed(after, at, lines.length, listHeight(state)) };
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

/** So many tables on or back: to the first line of it that leads somewhere, else to its title. */
export function toTable(state: State, view: AnswerView, by: number): State {
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
  // Where the line was out of sight, the title of its table comes with it.
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
