import { Box, Text } from 'ink';
import type { ReactNode } from 'react';
import { settingsOfZone } from '../../domain/storage-settings.ts';
import { listHeight } from '../../state/layout.ts';
import { type State, topView } from '../../state/model.ts';
import { fit } from '../../text/fit.ts';
import { sanitise } from '../../text/sanitise.ts';
import { Table } from '../components/table.tsx';
import type { Look } from '../theme.ts';

const NAME_WIDTH = 27;
const CHANGE_WIDTH = 6;

/** Every setting of a zone that is no secret. What nobody can know is called unknown, never left empty. */
export function StorageZoneTable({ state, look }: { state: State; look: Look }): ReactNode {
  const view = topView(state);
  if (view.kind !== 'storageZone') return null;
  const { columns } = state.size;
  const names = columns < 60 ? 20 : NAME_WIDTH;
  const width = Math.max(6, columns - names - CHANGE_WIDTH - 9);
  const settings = settingsOfZone(view.zone);
  const rows = settings.slice(view.top, view.top + listHeight(state)).map((setting, index) => ({
    '': view.top + index === view.cursor ? look.glyph.cursor : ' ',
    SETTING: fit(setting.name, names, 'left', look.glyph.cut),
    VALUE: fit(
      setting.value === null
        ? 'unknown: the API tells nobody'
        : sanitise(setting.value, setting.name === 'Name' ? 'text' : 'strict', width * 2),
      width,
      'left',
      look.glyph.cut,
    ),
    CHANGE: fit(setting.field === null ? '' : state.mayWrite ? 'e' : 'write', CHANGE_WIDTH),
  }));
  if (rows.length === 0) return <Text> </Text>;
  return (
    <Box flexDirection="column">
      <Table rows={rows} columns={['', 'SETTING', 'VALUE', 'CHANGE']} look={look} />
    </Box>
  );
}
