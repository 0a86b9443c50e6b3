import type { ReactNode } from 'react';
import { settingsOfZone } from '../../domain/storage/storage-edit.ts';
import { layoutOf, listHeight } from '../../state/layout.ts';
import { type State, topView } from '../../state/model.ts';
import { FieldsTable } from '../components/tables.tsx';
import type { Look } from '../theme.ts';

/** Every setting of a zone that is no secret. What nobody can know is called unknown, never left empty. */
export function StorageZoneTable({ state, look }: { state: State; look: Look }): ReactNode {
  const view = topView(state);
  if (view.kind !== 'storageZone') return null;
  const { columns } = state.size;
  const settings = settingsOfZone(view.zone);
  const rows = settings.slice(view.top, view.top + listHeight(state)).map((setting) => ({
    name: `${setting.field === null ? ' ' : '*'} ${setting.name}`,
    value: setting.value ?? 'unknown: the API does not disclose it',
  }));
  return (
    <FieldsTable
      rows={rows}
      chosen={view.cursor - view.top}
      names={columns < 60 ? 20 : 29}
      columns={columns}
      height={layoutOf(state).body.height}
      place={` ${view.cursor + 1}/${settings.length}`}
      finds={[]}
      look={look}
    />
  );
}
