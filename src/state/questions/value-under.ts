import { LOG_COLUMNS } from '../../domain/logs/columns.ts';
import { fieldNamed } from '../../domain/query/fields.ts';
import type { QuerySubject } from '../../domain/query/query.ts';
import { eventFields } from '../../domain/shield/shield-rows.ts';
import { listHeight } from '../layout.ts';
import { firstColumn, logWindow } from '../logs/log.ts';
import { fieldsOf } from '../logs/record.ts';
import { type State, topView } from '../model.ts';
import { dimensionUnder } from '../shield/shield.ts';
import { rowUnder } from './answer-cursor.ts';

/** The value that a key would act on now: a query field of a subject, and its text; null stands for "has none". */
export type ValueUnder = { subject: QuerySubject; field: string; value: string | null };

/** The value under the cursor, or why there is none. */
export function valueUnder(state: State): ValueUnder | string {
  const view = topView(state);
  switch (view.kind) {
    case 'zones':
    case 'storage':
    case 'storageZone':
    case 'storageEdit':
    case 'keys':
    case 'notebook':
      return 'this list holds no values of a log';
    case 'log': {
      const book = state.session?.book;
      const item = book?.at(logWindow(view, book, listHeight(state)).cursor);
      if (!book || item?.kind !== 'row') return 'there is no value on this row';
      const { field, title, value } = LOG_COLUMNS[view.column ?? firstColumn(state)];
      if (!field) return `${title} is no field of the query; h and l choose another column`;
      const text = value(book.record(item.id));
      return { subject: 'logs', field, value: text === null ? null : String(text) };
    }
    case 'groups': {
      const field = view.by[view.column];
      const group = view.groups[view.cursor];
      if (field === undefined || !group) return 'there is no group under the cursor';
      return { subject: 'logs', field, value: group.key[field] ?? null };
    }
    case 'record': {
      const line = fieldsOf(state, view)[view.cursor];
      return line?.field
        ? { subject: 'logs', field: line.field, value: line.value }
        : 'this line is no field of the query; choose another';
    }
    case 'answer': {
      const value = rowUnder(state, view)?.value;
      return value ? { subject: view.subject, ...value } : 'there is no value on this line';
    }
    case 'shieldEvent': {
      const line = eventFields(view.row, state.shield?.rules ?? null)[view.cursor];
      return line?.field
        ? { subject: 'shield', field: line.field, value: line.value }
        : 'this line is no field of the query; choose another';
    }
    default: {
      const dimension = dimensionUnder(view);
      const field = dimension === undefined ? null : fieldNamed('shield', dimension);
      const line =
        view.kind === 'shieldGroups'
          ? view.table.groups[view.cursor]?.key
          : view.rows.shown[view.cursor]?.fields;
      if (!line || dimension === undefined || field === null) return 'there is no value under the cursor';
      return { subject: 'shield', field, value: line[dimension] ?? null };
    }
  }
}
