import type { ReactNode } from 'react';
import { eventFields } from '../../domain/shield/shield-rows.ts';
import { detailedHeight, layoutOf } from '../../state/layout.ts';
import { type State, topView } from '../../state/model.ts';
import { shieldTop } from '../../state/shield/shield-ask.ts';
import { FieldsTable } from '../components/tables.tsx';
import { findsOf } from '../row.ts';
import type { Look } from '../theme.ts';

/** Everything of one event, the cause first. The value under the cursor is shown whole below, however long it is. */
export function ShieldEventTable({ state, look }: { state: State; look: Look }): ReactNode {
  const view = topView(state);
  if (view.kind !== 'shieldEvent') return null;
  const { columns } = state.size;
  const fields = eventFields(view.row, state.shield?.rules ?? null);
  const top = shieldTop(state, view, fields.length);
  return (
    <FieldsTable
      rows={fields.slice(top, top + detailedHeight(state)).map(({ name, value }) => ({ name, value }))}
      chosen={view.cursor - top}
      names={columns >= 100 ? 28 : columns >= 60 ? 22 : 14}
      columns={columns}
      height={layoutOf(state).body.height}
      place={fields.length > 0 ? ` ${view.cursor + 1}/${fields.length}` : ''}
      finds={findsOf({ needle: view.needle }, state.highlights)}
      look={look}
    />
  );
}
