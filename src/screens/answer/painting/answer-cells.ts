import { inSteps } from '../../../domain/logs/groups/group-shape.ts';
import { sharedDirectory } from '../../../domain/query/directory.ts';
import type {
  AnswerColumn,
  AnswerRow,
  AnswerSection,
} from '../../../domain/questions/inquiry/answer-table.ts';
import { directoryWords, pathCell } from '../../../paint/directory-cells.ts';
import { cell, type Strip } from '../../../paint/row.ts';
import { memoised } from '../../../state/memoised.ts';
import { fit, width } from '../../../text/fit.ts';
import { sanitise } from '../../../text/sanitise.ts';

/** The narrowest that names may get; below it the fixed columns after them go. */
const NAME_LEAST = 12;
/** The narrowest that figures stand behind: sections of short names then have them under each other. */
const NAME_USUAL = 24;
/** No name puts its figures further away. */
const NAME_MOST = 96;
/** Letters of a value whose width is asked for. */
const LOOKED_AT = 400;

/** A column with its cells, and the directory that its values leave out. */
type Placed = { column: AnswerColumn; index: number; width: number; directory: string };

/** The titles of a section's columns in a window of so many. */
export function answerHead(section: AnswerSection, { columns, look }: Strip): string {
  return placedColumns(section, { columns })
    .map(({ column, width: room, directory }) => {
      const text = column.title + directoryWords(directory, room - column.title.length, look);
      return fit(text, room, column.align ?? 'left', look.glyph.cut);
    })
    .join(' ');
}

/** A row of a section under those titles. */
export function answerCells(section: AnswerSection, row: AnswerRow, { columns, look }: Strip): string {
  return placedColumns(section, { columns })
    .map(({ column, index, width: room, directory }) => {
      const value = row.cells[index] ?? '';
      if (directory !== '') return pathCell(value, directory, room, [], look);
      return cell(value, room, look, 'strict', column.align ?? 'left');
    })
    .join(' ');
}

/**
 * The columns that fit. At most one of them takes what is left; where others stand behind it, it takes no more than its
 * longest value needs, in steps, so that figures stand beside the names and rows that are still read move them little.
 */
const placedColumns = memoised((section: AnswerSection, { columns }: { columns: number }): Placed[] => {
  const room = columns - 1;
  const shown = section.columns
    .map((column, index) => ({ column, index }))
    .filter(({ column }) => (column.from ?? 0) <= columns);
  const fixed = () =>
    shown.reduce((sum, { column }) => sum + 1 + (column.cells === 'rest' ? NAME_LEAST : column.cells), -1);
  while (shown.length > 1 && fixed() > room) shown.pop();
  const rest = Math.max(1, room - fixed() + NAME_LEAST);
  return shown.map(({ column, index }) => {
    if (column.cells !== 'rest') return { column, index, width: column.cells, directory: '' };
    const texts = section.rows.map(({ cells }) => cells[index] ?? '');
    const needed = neededCells([column.title, ...texts]);
    const isLast = shown.at(-1)?.column === column;
    const given = isLast ? rest : Math.min(rest, NAME_MOST, Math.max(NAME_USUAL, inSteps(needed)));
    return { column, index, width: given, directory: needed > given ? directoryOf(texts) : '' };
  });
});

function neededCells(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, width(sanitise(text.slice(0, LOOKED_AT), 'strict'))), 0);
}

/** What the paths among the values share; words of the answer itself are none. */
function directoryOf(texts: readonly string[]): string {
  return sharedDirectory(texts.filter((text) => text.includes('/')));
}
