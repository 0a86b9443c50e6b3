import { type RecordField, recordFields } from '../../domain/logs/record-fields.ts';
import type { Term } from '../../domain/query/query.ts';
import type { CommandId } from '../../keys/bindings.ts';
import { causeAskedAgain, withRowCause } from '../evidence/row-cause.ts';
import { listHeight } from '../list/layout.ts';
import { moved } from '../list/list.ts';
import { type FilterMode, filteredBy } from '../list/value-filter.ts';
import type { RecordView, State } from '../model.ts';
import { withTop } from '../view-stack.ts';
import { askedValue } from './zone-names.ts';

/** The fields of the record on screen; none when its row has been dropped from the bounded book. */
export function fieldsOf(state: State, view: RecordView): RecordField[] {
  const book = state.session?.book;
  return book?.has(view.id) ? withRowCause(state, recordFields(book.record(view.id))) : [];
}

export function recordCommanded(state: State, view: RecordView, command: CommandId): State | null {
  const place = moved(view, command, fieldsOf(state, view).length, listHeight(state));
  if (place) return withTop(state, { ...view, ...place });
  return command === 'refresh' ? causeAskedAgain(state) : null;
}

/** The terms after `+ - =` on the field under the cursor, or why it cannot be done. */
export function termsOfRecord(state: State, view: RecordView, mode: FilterMode): readonly Term[] | string {
  const field = fieldsOf(state, view)[view.cursor];
  if (!field) return 'there is no field under the cursor';
  if (!field.field) return `${field.name} is shown only; rows cannot be filtered by it`;
  return filteredBy(view.query.terms, mode, field.field, askedValue(state, field.field, field.value));
}
