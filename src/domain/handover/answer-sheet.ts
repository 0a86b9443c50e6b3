import type { AnswerRow, AnswerSection, AnswerTable } from '../questions/answer-table.ts';
import type { Row } from './shapes.ts';
import { lineOf, type Sheet, type SheetLine } from './sheet.ts';

/** The rows of an answer, those of all its sections. */
export function answerSheet(table: AnswerTable, missing: readonly string[]): Sheet {
  const lines = table.sections.flatMap((section) => section.rows.map((row) => answerLine(section, row)));
  const titles = table.sections.flatMap(({ columns }) => columns.map((column) => column.title));
  const columns = ['section', ...new Set(titles)];
  return {
    what: 'rows',
    rows: lines.length,
    columns,
    brief: columns,
    missing,
    of: null,
    lines: (from, to) => lines.slice(from, to),
  };
}

/** A row under the titles of its columns, and the section that it stands in. */
export function answerLine(section: AnswerSection, row: AnswerRow): SheetLine {
  const cells = (): Row => ({
    section: section.title,
    ...Object.fromEntries(section.columns.map(({ title }, at) => [title, row.cells[at] ?? null])),
  });
  return lineOf(row, cells, cells);
}
