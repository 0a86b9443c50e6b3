import { Text } from 'ink';
import type { PropsWithChildren, ReactNode } from 'react';
import type { Look } from '../theme.ts';
import { Table as InkTable } from './ink-table.ts';

/**
 * A small bounded table drawn by ink-table: request log, settings, keys. Cells are sanitised and fitted by the caller,
 * because ink-table measures by length. Its frames and separators are collapsed: every row of the screen is data.
 */
export function BoundedTable({
  rows,
  columns,
  look,
}: {
  rows: Record<string, string>[];
  columns: string[];
  look: Look;
}): ReactNode {
  return (
    <InkTable
      data={rows}
      columns={columns}
      header={({ children }: PropsWithChildren) => (
        <Text wrap="truncate">{look.paint('header', String(children))}</Text>
      )}
      cell={({ children }: PropsWithChildren) => <Text wrap="truncate">{children}</Text>}
      skeleton={Nothing}
    />
  );
}

function Nothing(): ReactNode {
  return null;
}
