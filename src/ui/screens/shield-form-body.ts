import { fieldRow } from '../../domain/query/fields.ts';
import type { Query } from '../../domain/query/query.ts';
import { type FormRow, formRows, termTrouble } from '../../domain/query/query-form.ts';
import { printQuery } from '../../domain/query/query-text.ts';
import { printMoment } from '../../domain/query/query-time.ts';
import { printValue } from '../../domain/query/term-text.ts';
import { operatorWords } from '../../domain/query/terms.ts';
import { shownEdge, windowTrouble } from '../../domain/shield/shield-window.ts';
import { listHeight } from '../../state/list/layout.ts';
import type { State } from '../../state/model.ts';
import type { ShieldForm } from '../../state/shield/shield-model.ts';
import { fit } from '../../text/fit.ts';
import { sanitise } from '../../text/sanitise.ts';
import { duration } from '../../text/units.ts';
import { type Area, cursorSign, cut, headerLine, listLines, type Strip, textLine } from '../row.ts';

/** The query as a form, and the line of text that it is. */
export function shieldFormBody(state: State, form: ShieldForm, area: Area): string[] {
  const { draft } = form;
  const line = (row: FormRow, isCursor: boolean) => formLine(state, form, row, isCursor, area);
  return [
    headerLine('QUERY', area),
    ...listLines(formRows(draft), form, listHeight(state), line),
    '',
    textLine(' as text, Tab goes there:', area, 'dim'),
    textLine(` ${sanitise(printQuery(draft), 'text')}`, area, 'text'),
  ];
}

function formLine(
  state: State,
  form: ShieldForm,
  row: FormRow,
  isCursor: boolean,
  { columns, look }: Strip,
): string {
  const mark = cursorSign(isCursor, look);
  const label = (text: string) => look.paint('dim', fit(text, 10));
  const text = (value: string, room = columns - 13) => cut(value, Math.max(1, room), look);
  const value = (shown: string) => look.paint(isCursor ? 'cursor' : 'text', text(shown));
  switch (row.kind) {
    case 'window':
      return `${mark}${label('window')} ${value(windowWords(state, form.draft))}`;
    case 'add':
      return `${mark}${label('')} ${look.paint(isCursor ? 'cursor' : 'dim', text('+ another filter'))}`;
    case 'by': {
      const by = form.draft.groupBy.join(', then ');
      return `${mark}${label('group by')} ${value(by === '' ? 'nothing: single events' : by)}`;
    }
    case 'term': {
      const term = form.draft.terms[row.at];
      if (!term) return '';
      if (term.kind === 'text') {
        const words = `${term.negated ? 'contains not' : 'contains'} ${sanitise(term.value, 'text')}`;
        return `${mark}${label('any text')} ${value(words)}`;
      }
      const trouble = termTrouble('shield', term);
      const values = sanitise(
        term.values.map((each) => printValue(each, term.op, term.field)).join(', '),
        'text',
      );
      const parts = [
        { shown: fit(fieldRow('shield', term.field)?.title ?? term.field, 15), room: 15 },
        { shown: operatorWords(term), room: 12 },
        // The trouble quotes the value that it is about.
        {
          shown: trouble ? `${values}  ! ${sanitise(trouble, 'text')}` : values,
          room: columns - 13 - 29,
        },
      ];
      const painted = parts.map(({ shown, room }, part) =>
        look.paint(
          isCursor && part === form.part ? 'cursor' : trouble && part === 2 ? 'error' : 'text',
          text(shown, room),
        ),
      );
      return `${mark}${label('filter')} ${painted.join(' ')}`;
    }
  }
}

function windowWords(state: State, { window }: Query): string {
  const kept = `kept since ${printMoment(shownEdge(state.now))}`;
  const trouble = windowTrouble(window, state.now);
  const words =
    window === null
      ? 'the last 1h'
      : window.kind === 'last'
        ? `the last ${duration(window.duration)}`
        : `${printMoment(window.from)} to ${window.to === null ? 'now' : printMoment(window.to)}`;
  return trouble ? `${words}  ! ${trouble.message}; ${trouble.hint}` : `${words}  (${kept})`;
}
