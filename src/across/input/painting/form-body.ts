import { fieldTitle } from '../../../domain/query/fields.ts';
import type { Query, Term } from '../../../domain/query/query.ts';
import { type FormRow, formRows, termTrouble } from '../../../domain/query/query-form.ts';
import { printQuery } from '../../../domain/query/query-text.ts';
import { printMoment } from '../../../domain/query/query-time.ts';
import { printValue } from '../../../domain/query/term-text.ts';
import { operatorWords } from '../../../domain/query/terms.ts';
import { shownEdge, windowTrouble } from '../../../domain/shield/shield-window.ts';
import {
  type Area,
  cursorSign,
  cut,
  headerLine,
  listLines,
  type Strip,
  textLine,
} from '../../../paint/row.ts';
import { listHeight } from '../../../state/list/screen-layout.ts';
import { promptSubject } from '../../../state/log-zones.ts';
import type { QueryForm, State } from '../../../state/model.ts';
import { fit } from '../../../text/fit.ts';
import { sanitise } from '../../../text/sanitise.ts';
import { duration } from '../../../text/units.ts';
import { askedBy } from '../form.ts';

/** Cells of a field's title, and of an operator in words. */
const TITLE = 15;
const OPERATOR = 16;

/** The query as a form, and as the line of text that it is. */
export function formBody(state: State, form: QueryForm, area: Area): string[] {
  const { draft } = form;
  const line = (row: FormRow, isCursor: boolean) => formLine(state, form, row, isCursor, area);
  return [
    headerLine('QUERY', area),
    ...listLines(formRows(draft), form, listHeight(state), line),
    '',
    textLine(' as text, Tab goes there:', area, 'dim'),
    textLine(` ${sanitise(printQuery(askedBy(form)), 'text')}`, area, 'text'),
  ];
}

function formLine(
  state: State,
  form: QueryForm,
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
      return `${mark}${label('group by')} ${value(by === '' ? 'nothing: each for itself' : by)}`;
    }
    case 'term': {
      const term = form.draft.terms[row.at];
      if (!term) return '';
      const isOff = form.off.includes(term);
      const shown = termWords(state, term);
      const slot = isCursor ? 'cursor' : isOff ? 'dim' : shown.isTrouble ? 'error' : 'text';
      return `${mark}${label(isOff ? 'off' : 'filter')} ${look.paint(slot, text(shown.text))}`;
    }
  }
}

/** A term in words, with what prevents asking it. */
function termWords(state: State, term: Term): { text: string; isTrouble: boolean } {
  const subject = promptSubject(state);
  if (term.kind === 'text') {
    const words = operatorWords({ op: term.isRegex ? 'regex' : 'contains', negated: term.negated });
    return { text: `${fit('any text', TITLE)} ${words} ${sanitise(term.value, 'text')}`, isTrouble: false };
  }
  const trouble = termTrouble(subject, term);
  const values = sanitise(
    term.values.map((each) => printValue(each, term.op, term.field)).join(', '),
    'text',
  );
  const title = fit(fieldTitle(subject, term.field), TITLE);
  const told = trouble === null ? '' : `  ! ${sanitise(trouble, 'text')}`;
  return {
    text: `${title} ${fit(operatorWords(term), OPERATOR)} ${values}${told}`,
    isTrouble: trouble !== null,
  };
}

function windowWords(state: State, { window }: Query): string {
  if (promptSubject(state) === 'logs' && window === null) return 'the newest rows';
  const isShield = promptSubject(state) === 'shield';
  const kept = `kept since ${printMoment(shownEdge(state.now))}`;
  const trouble = isShield ? windowTrouble(window, state.now) : null;
  const words =
    window === null
      ? 'the last 1h'
      : window.kind === 'last'
        ? `the last ${duration(window.duration)}`
        : `${printMoment(window.from)} to ${window.to === null ? 'now' : printMoment(window.to)}`;
  return trouble
    ? `${words}  ! ${trouble.message}; ${trouble.hint}`
    : isShield
      ? `${words}  (${kept})`
      : words;
}
