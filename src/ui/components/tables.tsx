import { Box, Text } from 'ink';
import inkTable from 'ink-table';
import {
  type ComponentType,
  createContext,
  type PropsWithChildren,
  type ReactElement,
  type ReactNode,
  useContext,
} from 'react';
import type { FieldTable } from '../../paint/painting.ts';
import { cut, listLine, marked } from '../../paint/row.ts';
import type { Look } from '../../paint/theme.ts';
import { heightOf, paintingOf } from '../../screens/screens.ts';
import { layoutOf } from '../../state/list/screen-layout.ts';
import { placed } from '../../state/list.ts';
import type { State } from '../../state/model.ts';
import { topView } from '../../state/view-stack.ts';
import { fit } from '../../text/fit.ts';
import { sanitise } from '../../text/sanitise.ts';

/**
 * ink-table's table, with types that React 19 knows. It measures with `String.length` and draws every row at once:
 * only for small tables of sanitised text in one-cell letters, fitted by the caller.
 */
const Table = inkTable.default as unknown as (props: {
  data: Record<string, string>[];
  /** Spaces on either side of a cell. */
  padding: number;
  header: ComponentType<PropsWithChildren>;
  cell: ComponentType<PropsWithChildren<{ column: number }>>;
  skeleton: ComponentType<PropsWithChildren>;
}) => ReactElement;

/** How a table is painted: ink-table keeps the components it was first given, so React's context carries this. */
type Painting = { look: Look; isHeaded: boolean; cell: (text: string, column: number) => string };

const PaintingContext = createContext<Painting | null>(null);

function Header({ children }: PropsWithChildren): ReactNode {
  const painting = useContext(PaintingContext);
  return painting?.isHeaded ? (
    <Text wrap="truncate">{painting.look.paint('header', String(children))}</Text>
  ) : null;
}

function Cell({ children, column }: PropsWithChildren<{ column: number }>): ReactNode {
  return <Text wrap="truncate">{useContext(PaintingContext)?.cell(String(children), column)}</Text>;
}

/** Frames and separators collapse: every screen row is data. */
function Nothing(): ReactNode {
  return null;
}

type NamedValue = FieldTable['fields'][number];

/** A longer value is shown by its beginning, characters. */
const LONGEST = 4000;

/** ink-table takes 0 for its default of 1; half a space is cut to none. */
const NO_PADDING = 0.5;

/**
 * The fields of one thing, a line each; below them the whole value under the cursor. Untrusted text is sanitised and
 * fitted here, so that every row is exactly as wide as the screen.
 */
export function FieldsTable({ state, look }: { state: State; look: Look }): ReactNode {
  const view = topView(state);
  const { body } = paintingOf(view);
  if (typeof body === 'function' || !('top' in view)) return null;
  const { fields, names, finds, gone } = body.fields(state, view);
  const { columns } = state.size;
  if (fields.length === 0 && gone)
    return <Text wrap="truncate">{listLine(gone, false, { columns, look }, 'warning')}</Text>;
  const height = heightOf(state, view);
  const { cursor, top } = placed(view, view.cursor, fields.length, height);
  const rows = fields.slice(top, top + height);
  const chosen = cursor - top;
  const place = fields.length > 0 ? ` ${cursor + 1}/${fields.length}` : '';
  const left = Math.max(1, columns - names - 2);
  const title = fit('VALUE', left - place.length, 'left', ' ') + place;
  const cells = rows.map(({ name, value }, index) => ({
    ' ': index === chosen ? look.glyph.cursor : ' ',
    [fit('FIELD', names + 1)]: `${cut(sanitise(name, 'strict', names * 2), names, look)} `,
    [title]: cut(sanitise(value, 'strict', left * 2), left, look),
  }));
  // The row under the cursor looks different, and ink-table paints all rows of a table alike.
  const part = (from: number, to: number, isCursor: boolean) => {
    const cell = (text: string, column: number) =>
      column === 0
        ? look.paint('accent', text)
        : marked(text, column === 1 ? 'dim' : isCursor ? 'cursor' : 'text', finds, look);
    return to > from ? (
      <PaintingContext value={{ look, isHeaded: from === 0, cell }}>
        <Table
          data={cells.slice(from, to)}
          padding={NO_PADDING}
          header={Header}
          cell={Cell}
          skeleton={Nothing}
        />
      </PaintingContext>
    ) : null;
  };
  const at = Math.max(0, Math.min(chosen, cells.length - 1));
  const whole = wholeValue(rows[at], left, columns, layoutOf(state).body.height - rows.length - 1, look);
  return (
    <Box flexDirection="column">
      {part(0, at, false)}
      {part(at, at + 1, true)}
      {part(at + 1, cells.length, false)}
      {whole.length === 0 ? null : <Text wrap="truncate">{whole.join('\n')}</Text>}
    </Box>
  );
}

function wholeValue(
  row: NamedValue | undefined,
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
