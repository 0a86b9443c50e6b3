import type { AnswerColumn, AnswerLine, AnswerTone } from '../../domain/questions/inquiry/answer-table.ts';
import { listHeight } from '../../state/layout.ts';
import type { State } from '../../state/model.ts';
import { shownLines } from '../../state/questions/answer-lines.ts';
import type { AnswerView } from '../../state/questions/answer-model.ts';
import { fit } from '../../text/fit.ts';
import { sanitise } from '../../text/sanitise.ts';
import { count } from '../../text/units.ts';
import { cell, listLine, padLines, paragraphs } from '../row.ts';
import type { Look, ThemeSlot } from '../theme.ts';

const SLOTS = {
  plain: 'text',
  good: 'success',
  bad: 'error',
  notable: 'warning',
  faint: 'dim',
} as const satisfies Record<AnswerTone, ThemeSlot>;

/** The narrowest a column of what is left may get; below it the fixed columns after it go. */
const LEAST_REST = 12;

/** An answer as sections of rows; what a section means stands in its title and under it. */
export function answerBody(state: State, view: AnswerView, look: Look, height: number): string[] {
  const { columns } = state.size;
  if (view.stage.kind === 'priced') return padLines(priceLines(view, columns, look), columns, height);
  const lines = shownLines(view.table, columns);
  const place = lines.length > 0 ? `${count(view.cursor + 1)}/${count(lines.length)}` : '';
  const out = [look.paint('header', fit(` ${place}`, columns, 'right', ' '))];
  lines.slice(view.top, view.top + listHeight(state)).forEach((line, index) => {
    out.push(lineOf(line, view.top + index === view.cursor, columns, look));
  });
  return padLines(out, columns, height);
}

/** The ways to ask with their prices; nothing is asked before Enter. */
function priceLines(view: AnswerView, columns: number, look: Look): string[] {
  const choices = view.choices.map(({ title, inquiry, why, price: asked }, index) => {
    const price =
      inquiry === null ? 'cannot be asked' : `${inquiry.follow ? '<=' : ''}${count(asked)} requests`;
    const text = `${fit(title, 18)} ${fit(price, 15)} ${why}`;
    return listLine(text, index === view.cursor, columns, look, inquiry === null ? 'dim' : 'text');
  });
  return [
    look.paint('header', fit(' WAY TO ASK          PRICE', columns)),
    ...choices,
    listLine('', false, columns, look),
    ...paragraphs(['Enter asks, Esc goes back without asking.'], columns, look, 'dim'),
  ];
}

function lineOf(line: AnswerLine, isCursor: boolean, columns: number, look: Look): string {
  switch (line.kind) {
    case 'blank':
      return listLine('', isCursor, columns, look);
    case 'title':
      return listLine(sanitise(line.text, 'strict', columns), isCursor, columns, look, 'title');
    case 'note':
      return listLine(` ${line.text}`, isCursor, columns, look, 'dim');
    case 'head': {
      const heads = placedColumns(line.section.columns, columns).map(({ column, width }) =>
        fit(column.title, width, column.align ?? 'left', look.glyph.cut),
      );
      return listLine(heads.join(' '), isCursor, columns, look, 'header');
    }
    case 'row': {
      const slot = SLOTS[line.row.tone ?? 'plain'];
      const cells = placedColumns(line.section.columns, columns).map(({ column, index, width }) =>
        cell(line.row.cells[index] ?? '', width, look, 'strict', column.align ?? 'left'),
      );
      return listLine(cells.join(' '), isCursor, columns, look, slot);
    }
  }
}

/** The columns that fit, each with its width; at most one of them takes what is left. */
function placedColumns(all: readonly AnswerColumn[], columns: number) {
  const room = columns - 1;
  const shown = all
    .map((column, index) => ({ column, index }))
    .filter(({ column }) => (column.from ?? 0) <= columns);
  const fixed = () =>
    shown.reduce((sum, { column }) => sum + 1 + (column.cells === 'rest' ? LEAST_REST : column.cells), -1);
  while (shown.length > 1 && fixed() > room) shown.pop();
  const rest = Math.max(1, room - fixed() + LEAST_REST);
  return shown.map(({ column, index }) => ({
    column,
    index,
    width: column.cells === 'rest' ? rest : column.cells,
  }));
}
