import { Box, Text } from 'ink';
import type { PropsWithChildren, ReactNode } from 'react';
import { fit } from '../../text/fit.ts';
import { sanitise } from '../../text/sanitise.ts';
import { type Find, marked } from '../row.ts';
import type { Look } from '../theme.ts';
import { Table } from './ink-table.ts';

type NamedValue = { name: string; value: string };

/** A value longer than this is shown by its beginning only, characters. */
const LONGEST = 4000;

/** ink-table takes 0 for its default of 1; of a half it cuts whole spaces, which are none. */
const NO_PADDING = 0.5;

/**
 * Names and values drawn by ink-table, one line each, and the value under the cursor whole below them. `rows` are those in
 * view, `chosen` the place of the cursor among them, `place` what stands at the end of the titles. Untrusted text is
 * sanitised and fitted here, so that every row is exactly as wide as the screen.
 */
export function FieldsTable(o: {
  rows: readonly (NamedValue & { whole?: string })[];
  chosen: number;
  names: number;
  columns: number;
  height: number;
  place: string;
  finds: readonly Find[];
  look: Look;
}): ReactNode {
  const { rows, chosen, names, columns, look } = o;
  const left = Math.max(1, columns - names - 2);
  const title = fit('VALUE', left - o.place.length, 'left', ' ') + o.place;
  const cells = rows.map(({ name, value }, index) => ({
    ' ': index === chosen ? look.glyph.cursor : ' ',
    [fit('FIELD', names + 1)]: `${fit(sanitise(name, 'strict', names * 2), names, 'left', look.glyph.cut)} `,
    [title]: fit(sanitise(value, 'strict', left * 2), left, 'left', look.glyph.cut),
  }));
  const part = (from: number, to: number, isCursor: boolean) =>
    to > from ? (
      <Part
        data={cells.slice(from, to)}
        isCursor={isCursor}
        isFirst={from === 0}
        finds={o.finds}
        look={look}
      />
    ) : null;
  const at = Math.max(0, Math.min(chosen, cells.length - 1));
  const whole = wholeValue(rows[at], left, columns, o.height - rows.length - 1, look);
  return (
    <Box flexDirection="column">
      {part(0, at, false)}
      {part(at, at + 1, true)}
      {part(at + 1, cells.length, false)}
      {whole.length === 0 ? null : <Text wrap="truncate">{whole.join('\n')}</Text>}
    </Box>
  );
}

/** Some of the rows: the row under the cursor looks different, and ink-table paints all rows of a table alike. */
function Part({
  data,
  isCursor,
  isFirst,
  finds,
  look,
}: {
  data: Record<string, string>[];
  isCursor: boolean;
  isFirst: boolean;
  finds: readonly Find[];
  look: Look;
}): ReactNode {
  return (
    <Table
      // ink-table keeps the components that it was first given.
      key={`${isFirst} ${isCursor} ${JSON.stringify(finds)}`}
      data={data}
      padding={NO_PADDING}
      header={({ children }: PropsWithChildren) =>
        isFirst ? <Text wrap="truncate">{look.paint('header', String(children))}</Text> : null
      }
      cell={({ children, column }: PropsWithChildren<{ column: number }>) => (
        <Text wrap="truncate">
          {column === 0
            ? look.paint('accent', String(children))
            : marked(String(children), column === 1 ? 'dim' : isCursor ? 'cursor' : 'text', finds, look)}
        </Text>
      )}
      skeleton={Nothing}
    />
  );
}

function wholeValue(
  row: (NamedValue & { whole?: string }) | undefined,
  left: number,
  columns: number,
  room: number,
  look: Look,
): string[] {
  const text = sanitise(row?.whole ?? row?.value ?? '', 'strict', LONGEST);
  if (!row || text.length <= left || room < 2) return [];
  const lines = [
    look.paint('dim', fit(` ${sanitise(row.name, 'strict', 40)}, ${text.length} characters:`, columns)),
  ];
  for (let at = 0; at < text.length && lines.length < room; at += columns - 2) {
    lines.push(`  ${text.slice(at, at + columns - 2)}`);
  }
  return lines;
}

function Nothing(): ReactNode {
  return null;
}
