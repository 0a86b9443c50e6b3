import { fieldNamed } from '../../domain/query/fields.ts';
import { shieldDetail } from '../../domain/shield/shield.ts';
import { type PlacedRowColumn, placedRowColumns } from '../../domain/shield/shield-columns.ts';
import { logOf, type ShieldRow } from '../../domain/shield/shield-rows.ts';
import { DETAIL_LINES, detailedHeight, listHeight } from '../../state/layout.ts';
import type { State } from '../../state/model.ts';
import type { Sideways } from '../../state/place.ts';
import { dimensionUnder } from '../../state/shield/shield.ts';
import { shieldTop } from '../../state/shield/shield-ask.ts';
import type { ShieldRowsView } from '../../state/shield/shield-model.ts';
import { shieldTimeCells } from '../../state/shield/shield-widths.ts';
import { sidewaysOf } from '../../state/sideways.ts';
import { fit } from '../../text/fit.ts';
import { sanitise } from '../../text/sanitise.ts';
import { count } from '../../text/units.ts';
import {
  cell,
  cellsGone,
  type Find,
  findsOf,
  gutterSign,
  marked,
  padLines,
  scrolledTitle,
  timeCell,
  todayOf,
} from '../row.ts';
import { emptyBody } from '../shield-words.ts';
import type { Look, ThemeSlot } from '../theme.ts';
import { type UrlStyle, urlCell, urlStyle } from '../url-cells.ts';

/** Single events, newest first, and under them the cause of the one under the cursor. */
export function shieldRowsBody(state: State, view: ShieldRowsView, look: Look, height: number): string[] {
  const { columns } = state.size;
  const time = shieldTimeCells(state, view);
  const placed = placedRowColumns(columns, time);
  const sideways = sidewaysOf(state, view);
  const { shown, rows } = view.rows;
  const total = view.reading.total;
  const of = shown.length === rows.length && total !== null ? Math.max(total, rows.length) : shown.length;
  const place = shown.length > 0 ? ` ${count(view.cursor + 1)}/${count(of)}` : '';
  const visible = detailedHeight(state);
  const top = shieldTop(state, view, shown.length);
  const onScreen = shown.slice(top, top + visible);
  const last = placed.at(-1);
  const room = (last?.width ?? 0) - place.length - (last?.title.length ?? 0);
  const url = urlStyle(
    onScreen.map((row) => row.fields['url']),
    room,
    view.needle,
  );
  const heads = placed
    .map(({ dimension, title, width }) => {
      const said = dimension === 'url' && cellsGone(dimension, sideways) === 0 ? url.said : '';
      return fit(scrolledTitle(title, dimension, sideways) + said, width);
    })
    .join(' ');
  const lines = [
    look.paint('header', fit(` ${fit('TIME', time)} ${heads}`, columns - place.length, 'left', ' ') + place),
  ];
  const finds = placed.map(({ dimension }) =>
    findsOf(view, state.highlights, fieldNamed('shield', dimension)),
  );
  onScreen.forEach((row, index) => {
    const isCursor = top + index === view.cursor;
    lines.push(rowLine(state, view, row, { isCursor, time, placed, sideways, url, finds }, look));
  });
  if (shown.length === 0) lines.push(...emptyBody(state, view, look, visible));
  if (visible === listHeight(state)) return padLines(lines, columns, height);
  const padded = padLines(lines, columns, height - DETAIL_LINES);
  const row = shown[view.cursor];
  if (row) padded.push(...rowDetail(state, view, row, look));
  return padLines(padded, columns, height);
}

type LineParts = {
  isCursor: boolean;
  time: number;
  placed: readonly PlacedRowColumn[];
  sideways: Sideways | null;
  url: UrlStyle;
  /** What stands out in each of the columns. */
  finds: readonly (readonly Find[])[];
};

function rowLine(
  state: State,
  view: ShieldRowsView,
  row: ShieldRow,
  { isCursor, time: cells, placed, sideways, url, finds }: LineParts,
  look: Look,
): string {
  const { size, handover } = state;
  const signs = {
    isCursor,
    isMarked: handover.marks.has(row.id),
    isRaw: row.raw !== null,
    isOlder: row.id === view.rows.apart,
  };
  const mark = gutterSign(signs, look);
  if (row.raw !== null)
    return (
      mark +
      marked(
        cell(`not understood: ${row.raw}`, size.columns - 1, look),
        'warning',
        findsOf(view, state.highlights),
        look,
      )
    );
  const chosen = isCursor ? dimensionUnder(view) : null;
  const time = look.paint('dim', timeCell(row.at, cells, todayOf(state, look), look));
  const values = placed.map(({ dimension, width }, at) => {
    const value = row.fields[dimension] ?? null;
    const slot = chosen === dimension ? 'cursor' : slotOf(dimension, value);
    const gone = cellsGone(dimension, sideways);
    const text =
      dimension === 'url' && value && gone === 0
        ? urlCell(value, url, width, look)
        : cell(value, width, look, 'strict', 'left', gone);
    return marked(text, slot, finds[at] ?? [], look);
  });
  return `${mark}${[time, ...values].join(' ')}`;
}

function slotOf(dimension: string, value: string | null): ThemeSlot {
  if (dimension === 'action') {
    return value === 'blocked' ? 'error' : value === 'challenged' ? 'warning' : 'accent';
  }
  return dimension === 'url' || dimension === 'ip' ? 'text' : 'dim';
}

/** The value under the cursor whole, then what the rule says and what it matched. */
function rowDetail(state: State, view: ShieldRowsView, row: ShieldRow, look: Look): string[] {
  const { columns } = state.size;
  const { message, trigger } = shieldDetail(logOf(row));
  const dimension = dimensionUnder(view) ?? 'url';
  const rule = state.shield?.rules?.get(row.fields['ruleId'] ?? '')?.description ?? message ?? 'no rule text';
  const matched = trigger ? `: ${trigger.key ?? ''} ${trigger.value ?? ''}` : '';
  const value = sanitise(`${dimension} ${row.fields[dimension] || '(none)'}`, 'strict', columns);
  return [
    look.paint('dim', ` ${look.glyph.crumb} `) +
      look.paint('text', fit(value, columns - 3, 'left', look.glyph.cut)),
    look.paint(
      'dim',
      fit(`   ${sanitise(rule + matched, 'strict', columns)}`, columns, 'left', look.glyph.cut),
    ),
  ];
}
