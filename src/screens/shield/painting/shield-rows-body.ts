import { fieldNamed } from '../../../domain/query/fields.ts';
import { shieldDetail } from '../../../domain/shield/shield.ts';
import { placedRowColumns, ROW_COLUMNS } from '../../../domain/shield/shield-columns.ts';
import { logOf, type ShieldRow } from '../../../domain/shield/shield-rows.ts';
import { columnsLine, type ListColumn, titlesLine } from '../../../paint/list-columns.ts';
import {
  type Area,
  cell,
  cellsGone,
  detailLines,
  findsOf,
  gutterSign,
  listLines,
  marked,
  rawLine,
  type Strip,
  scrolledTitle,
  timeCell,
  todayOf,
  withDetailLines,
} from '../../../paint/row.ts';
import type { Look, ThemeSlot } from '../../../paint/theme.ts';
import { urlCell, urlStyle } from '../../../paint/url-cells.ts';
import { sidewaysOf } from '../../../state/list/list-screen.ts';
import { detailedHeight, listHeight } from '../../../state/list/screen-layout.ts';
import type { State } from '../../../state/model.ts';
import type { ShieldRowsView } from '../../../state/shield-model.ts';
import { sanitise } from '../../../text/sanitise.ts';
import { count, timeOfDay } from '../../../text/units.ts';
import { shieldTop } from '../shield-ask.ts';
import { dimensionUnder } from '../shield-lists.ts';
import { shieldTimeCells } from '../shield-widths.ts';
import { emptyBody } from './shield-words.ts';

/** Single events, newest first; below them why the one under the cursor came about. */
export function shieldRowsBody(state: State, view: ShieldRowsView, area: Area): string[] {
  const { look } = area;
  const { shown, rows, apart } = view.rows;
  const { total } = view.reading;
  const of = shown.length === rows.length && total !== null ? Math.max(total, rows.length) : shown.length;
  const place = shown.length > 0 ? ` ${count(view.cursor + 1)}/${count(of)}` : '';
  const visible = detailedHeight(state);
  const top = shieldTop(state, view, shown.length);
  const table = columnsOf(state, view, area, place, shown.slice(top, top + visible));
  const rawFinds = findsOf(view, state.highlights);
  const line = (row: ShieldRow, isCursor: boolean) => {
    const { id, raw } = row;
    const isMarked = state.handover.marks.has(id);
    const sign = gutterSign({ isCursor, isMarked, isRaw: raw !== null, isOlder: id === apart }, look);
    return sign + (raw === null ? columnsLine(table, row, isCursor) : rawLine(raw, area, rawFinds));
  };
  const lines = [
    titlesLine(table, area, place),
    ...listLines(shown, { cursor: view.cursor, top }, visible, line),
    ...(shown.length === 0 ? emptyBody(state, view, area, visible) : []),
  ];
  const row = shown[view.cursor];
  return withDetailLines(lines, row ? rowDetail(state, view, row, area) : [], state, area);
}

/** The time, and a column for each value. `shown`: the rows on screen, which decide how URLs are written. */
function columnsOf(
  state: State,
  view: ShieldRowsView,
  { columns, look }: Strip,
  place: string,
  shown: readonly ShieldRow[],
): ListColumn<ShieldRow>[] {
  const time = shieldTimeCells(state, view);
  const placed = placedRowColumns(columns, time);
  const sideways = sidewaysOf(state, view, () => []);
  const last = placed.at(-1);
  const room = (last?.width ?? 0) - place.length - (last?.title.length ?? 0);
  const urls = shown.map((row) => row.fields['url']);
  const url = urlStyle(urls, room, view.needle);
  const chosen = dimensionUnder(view);
  const today = todayOf(state, look);
  return [
    {
      title: 'TIME',
      cells: time,
      paint: ({ at }) => look.paint('dim', timeCell(at, time, today, look)),
    },
    ...placed.map(({ dimension, title, width: cells }): ListColumn<ShieldRow> => {
      const gone = cellsGone(dimension, sideways);
      const isUrl = dimension === 'url' && gone === 0;
      const finds = findsOf(view, state.highlights, fieldNamed('shield', dimension));
      return {
        title: scrolledTitle(title, dimension, sideways) + (isUrl ? url.said : ''),
        cells,
        paint({ fields }, isCursor) {
          const value = fields[dimension] ?? null;
          const slot = isCursor && chosen === dimension ? 'cursor' : slotOf(dimension, value);
          const text =
            isUrl && value
              ? urlCell(value, url, cells, look)
              : cell(value, cells, look, 'strict', 'left', gone);
          return marked(text, slot, finds, look);
        },
      };
    }),
  ];
}

function slotOf(dimension: string, value: string | null): ThemeSlot {
  if (dimension === 'action') {
    return value === 'blocked' ? 'error' : value === 'challenged' ? 'warning' : 'accent';
  }
  return dimension === 'url' || dimension === 'ip' ? 'text' : 'dim';
}

/** The whole value under the cursor, then the rule's text and what it matched. */
function rowDetail(state: State, view: ShieldRowsView, row: ShieldRow, strip: Strip): string[] {
  const { columns } = strip;
  const { message, trigger } = shieldDetail(logOf(row));
  const dimension = dimensionUnder(view) ?? 'url';
  const rule = state.shield?.rules?.get(row.fields['ruleId'] ?? '')?.description ?? message ?? 'no rule text';
  const matched = trigger ? `: ${trigger.key ?? ''} ${trigger.value ?? ''}` : '';
  const value = sanitise(`${dimension} ${row.fields[dimension] || '(none)'}`, 'strict', columns);
  return detailLines(value, sanitise(rule + matched, 'strict', columns), strip);
}

/** Values that stand bare in the line of a row; the user agent has spaces and is quoted behind them. */
const BARE = ROW_COLUMNS.filter(({ dimension }) => dimension !== 'ua');

export function plainShieldRows(state: State, { rows, cursor }: ShieldRowsView, { zone }: Look): string[] {
  return rows.shown.slice(cursor, cursor + listHeight(state)).map(({ at, fields, raw }) => {
    if (raw !== null) return `not understood: ${raw}`;
    const when = timeOfDay(at, { zone, date: true, millis: true });
    const parts = BARE.map(({ dimension }) => fields[dimension] || '-');
    return `${when} ${parts.join(' ')} "${fields['ua'] ?? '-'}"`;
  });
}
