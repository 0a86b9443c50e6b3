import { type RecordField, recordFields } from '../../domain/logs/record-fields.ts';
import type { Term } from '../../domain/query/query.ts';
import type { CommandId } from '../../keys/bindings.ts';
import { causeAskedAgain, withRowCause } from '../../state/evidence/row-cause.ts';
import { listHeight } from '../../state/list/layout.ts';
import { type FilterMode, filteredBy } from '../../state/list/value-filter.ts';
import { moved } from '../../state/list.ts';
import { askedValue } from '../../state/log-zones.ts';
import type { RecordView, State } from '../../state/model.ts';
import { withTop } from '../../state/view-stack.ts';

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
