import { Text } from 'ink';
import type { ReactNode } from 'react';
import { cacheStatusRow } from '../../domain/log.ts';
import { zoneNameOf } from '../../domain/query/zone-terms.ts';
import { layoutOf, listHeight } from '../../state/list/layout.ts';
import { zonesOfLog } from '../../state/logs/log-zones.ts';
import { fieldsOf } from '../../state/logs/record.ts';
import { type State, topView } from '../../state/model.ts';
import { FieldsTable } from '../components/tables.tsx';
import { findsOf, listLine } from '../row.ts';
import type { Look } from '../theme.ts';

const NAME_WIDTH = 20;

/** Every field of one row. The value under the cursor is shown whole below the list, however long it is. */
export function RecordTable({ state, look }: { state: State; look: Look }): ReactNode {
  const view = topView(state);
  if (view.kind !== 'record') return null;
  const { columns } = state.size;
  const fields = fieldsOf(state, view);
  if (fields.length === 0) {
    const gone = 'this row left the bounded buffer; Esc goes back';
    return <Text wrap="truncate">{listLine(gone, false, columns, look, 'warning')}</Text>;
  }
  const rows = fields
    .slice(view.top, view.top + listHeight(state))
    .map(({ name, value }) => ({ name, value: meaningOf(state, name, value), whole: value }));
  return (
    <FieldsTable
      rows={rows}
      chosen={view.cursor - view.top}
      names={NAME_WIDTH}
      columns={columns}
      height={layoutOf(state).body.height}
      place={` ${view.cursor + 1}/${fields.length}`}
      finds={findsOf(null, state.highlights)}
      look={look}
    />
  );
}

function meaningOf(state: State, name: string, value: string): string {
  if (name === 'pullZoneId') {
    const zone = zoneNameOf(zonesOfLog(state.session), value);
    return zone === value ? value : `${value}  (${zone})`;
  }
  return name === 'cacheStatus' ? `${value}  (${cacheStatusRow(value).meaning})` : value;
}
