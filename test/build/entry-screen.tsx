import { Interface } from 'node:readline';
import { Box, renderToString, Text } from 'ink';
import inkTable from 'ink-table';
import type { ReactElement } from 'react';

const Table = inkTable.default as unknown as (props: {
  data: Record<string, string | number>[];
  columns: string[];
}) => ReactElement;

/** What any screen is made of at least. */
export function plainScreen(): string {
  return renderToString(<Text>plain</Text>, { columns: 40 });
}

/** A screen that needs what is hard to bundle: Ink, which awaits at its top level, and ink-table beside it. */
export function screen(): string {
  return renderToString(
    <Box flexDirection="column">
      <Text>{typeof Interface}</Text>
      <Table data={[{ id: 1, name: 'a' }]} columns={['name', 'id']} />
    </Box>,
    { columns: 40 },
  );
}
