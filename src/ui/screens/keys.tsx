import { Box, Text } from 'ink';
import type { ReactNode } from 'react';
import type { ApiKey } from '../../domain/api-key.ts';
import { listHeight } from '../../state/list/layout.ts';
import { type State, topView } from '../../state/model.ts';
import { fit } from '../../text/fit.ts';
import { sanitise } from '../../text/sanitise.ts';
import { BoundedTable } from '../components/tables.tsx';
import { cut, emptyListWords, paragraphs } from '../row.ts';
import type { Look } from '../theme.ts';

const ID_WIDTH = 8;
const PRINT_WIDTH = 11;
const VALUE_WIDTH = 12;

/** The keys of the account by id, roles and fingerprint. One value at a time is shown under them, for ten seconds. */
export function KeysTable({ state, look }: { state: State; look: Look }): ReactNode {
  const view = topView(state);
  const { keys } = state;
  const { columns } = state.size;
  if (view.kind !== 'keys') return null;
  if (keys.items.length === 0) {
    return <Lines lines={paragraphs(emptyListWords(keys, 'keys', state.now), { columns, look }, 'text')} />;
  }
  const value = shownValue(state, look);
  const room = Math.max(1, listHeight(state) - value.length);
  // The value under the list takes rows of it: the cursor stays in what is left.
  const top = Math.max(view.top, view.cursor - room + 1);
  const hasValue = columns >= 60;
  const roles = Math.max(6, columns - ID_WIDTH - PRINT_WIDTH - (hasValue ? VALUE_WIDTH + 2 : 0) - 9);
  const rows = keys.items
    .slice(top, top + room)
    .map((key, index) => row(state, key, top + index === view.cursor, roles, look));
  return (
    <Box flexDirection="column">
      <BoundedTable
        rows={rows}
        columns={['', 'ID', 'ROLES', 'FINGERPRINT', ...(hasValue ? ['VALUE'] : [])]}
        look={look}
      />
      <Lines lines={value} />
    </Box>
  );
}

function Lines({ lines }: { lines: readonly string[] }): ReactNode {
  return lines.length === 0 ? null : <Text wrap="truncate">{lines.join('\n')}</Text>;
}

function row(
  state: State,
  key: ApiKey,
  isCursor: boolean,
  roles: number,
  look: Look,
): Record<string, string> {
  const { revealed, recording } = state.keys;
  const value =
    key.secret === null
      ? 'not told'
      : revealed?.id === key.id
        ? 'shown below'
        : recording?.id === key.id
          ? 'recording'
          : 'hidden';
  return {
    '': isCursor ? look.glyph.cursor : ' ',
    ID: fit(sanitise(key.id, 'strict'), ID_WIDTH, 'right', look.glyph.cut),
    ROLES: cut(sanitise(key.roles.join(' ') || 'none', 'strict', roles * 2), roles, look),
    FINGERPRINT: fit(key.secret?.fingerprint ?? look.glyph.dash, PRINT_WIDTH),
    VALUE: fit(value, VALUE_WIDTH),
  };
}

/** The value that was asked for, whole, on as many lines as it takes. */
function shownValue(state: State, look: Look): string[] {
  const { revealed, items } = state.keys;
  const secret = items.find((key) => key.id === revealed?.id)?.secret;
  if (!revealed || !secret) return [];
  const { columns } = state.size;
  const left = Math.max(0, Math.ceil((revealed.until - state.now) / 1000));
  const text = sanitise(secret.reveal(), 'strict', 1000);
  const lines = [look.paint('warning', fit(` value of ${revealed.id}, hidden again in ${left} s:`, columns))];
  for (let at = 0; at < text.length; at += columns - 2) {
    lines.push(` ${text.slice(at, at + columns - 2)}`);
  }
  return lines;
}
