import {
  type AnswerLine,
  type AnswerTable,
  answerLines,
} from '../../domain/questions/inquiry/answer-table.ts';
import { width, wrapText } from '../../text/fit.ts';
import { sanitise } from '../../text/sanitise.ts';

/** Cells of the foot that tell the price, beside what was read. */
const PRICE = 16;

/**
 * The lines of an answer as a window of so many columns lists them: a note goes on over lines, and what the line of the
 * headline or the foot has no room for stands whole before or behind the sections. Texts of notes are sanitised.
 */
export function shownLines(table: AnswerTable, columns: number): AnswerLine[] {
  const notes = (text: string): AnswerLine[] =>
    wrapText(sanitise(text, 'strict'), columns - 2).map((part) => ({ kind: 'note', text: part }));
  const ifCut = (text: string, room: number) => (width(sanitise(text, 'strict')) > room ? notes(text) : []);
  const blank: AnswerLine = { kind: 'blank' };
  const first = ifCut(table.headline, columns - 1);
  const last = ifCut(table.coverage, columns - PRICE);
  return [
    ...(first.length > 0 ? [...first, blank] : []),
    ...answerLines(table).flatMap((line) => (line.kind === 'note' ? notes(line.text) : [line])),
    ...(last.length > 0 ? [blank, ...last] : []),
  ];
}
