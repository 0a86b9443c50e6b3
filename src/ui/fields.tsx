import { Text } from 'ink';
import type { ReactNode } from 'react';
import { cacheStatusRow } from '../domain/log.ts';
import { zoneNameOf } from '../domain/query/zone-terms.ts';
import { eventFields } from '../domain/shield/shield-rows.ts';
import { settingsOfZone } from '../domain/storage/storage-edit.ts';
import { findsOf, listLine } from '../paint/row.ts';
import type { Look } from '../paint/theme.ts';
import { fieldsOf } from '../screens/log/record.ts';
import { shieldTop } from '../screens/shield/shield-ask.ts';
import { detailedHeight, listHeight } from '../state/list/layout.ts';
import { zonesOfLog } from '../state/log-zones.ts';
import type { State } from '../state/model.ts';
import { topOf } from '../state/view-stack.ts';
import { FieldsTable } from './components/tables.tsx';

type Painted = { state: State; look: Look };

const RECORD_NAMES = 20;

/** Every field of one row. The value under the cursor is shown whole below the list, however long it is. */
export function RecordTable({ state, look }: Painted): ReactNode {
  const view = topOf(state, 'record');
  if (!view) return null;
  const fields = fieldsOf(state, view);
  if (fields.length === 0) {
    const gone = 'this row left the bounded buffer; Esc goes back';
    return (
      <Text wrap="truncate">{listLine(gone, false, { columns: state.size.columns, look }, 'warning')}</Text>
    );
  }
  return (
    <FieldsTable
      state={state}
      look={look}
      rows={listHeight(state)}
      fields={fields.map(({ name, value }) => ({ name, value: meaningOf(state, name, value), whole: value }))}
      view={view}
      names={RECORD_NAMES}
      finds={findsOf(null, state.highlights)}
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

/** Everything of one event, the cause first. The value under the cursor is shown whole below, however long it is. */
export function ShieldEventTable({ state, look }: Painted): ReactNode {
  const view = topOf(state, 'shieldEvent');
  if (!view) return null;
  const { columns } = state.size;
  const fields = eventFields(view.row, state.shield?.rules ?? null);
  return (
    <FieldsTable
      state={state}
      look={look}
      rows={detailedHeight(state)}
      fields={fields.map(({ name, value }) => ({ name, value }))}
      view={{ cursor: view.cursor, top: shieldTop(state, view, fields.length) }}
      names={columns >= 100 ? 28 : columns >= 60 ? 22 : 14}
      finds={findsOf({ needle: view.needle }, state.highlights)}
    />
  );
}

/** Every setting of a zone that is no secret. What nobody can know is called unknown, never left empty. */
export function StorageZoneTable({ state, look }: Painted): ReactNode {
  const view = topOf(state, 'storageZone');
  if (!view) return null;
  const settings = settingsOfZone(view.zone).map((setting) => ({
    name: `${setting.field === null ? ' ' : '*'} ${setting.name}`,
    value: setting.value ?? 'unknown: the API does not disclose it',
  }));
  return (
    <FieldsTable
      state={state}
      look={look}
      rows={listHeight(state)}
      fields={settings}
      view={view}
      names={state.size.columns < 60 ? 20 : 29}
      finds={[]}
    />
  );
}
